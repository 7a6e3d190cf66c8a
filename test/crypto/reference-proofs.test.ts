import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hexToBytes, parseJson } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { type KeyInput, parseTransaction, signatureMessage, type TransactionV2 } from '../../src/protocol/index.ts';
import { inBothFields } from './both-fields.ts';
import { seededRandom } from './seeded.ts';

interface Fixture {
  readonly name: string;
  readonly whole: string;
  readonly rings: readonly (readonly { readonly key: string; readonly commitment: string }[])[];
}

/** Transactions that monero-wallet-rpc signed and monerod accepted, with the members of their rings. */
const { transactions } = parseJson(readFileSync(new URL('../fixtures/ring-proofs.json', import.meta.url), 'utf8')) as unknown as {
  transactions: readonly Fixture[];
};

function opened({ whole, rings }: Fixture) {
  const tx = parseTransaction(hexToBytes(whole)) as TransactionV2;
  const prunable = tx.prunable!;
  const message = signatureMessage(tx);
  const inputs = tx.inputs.map((input, i) => ({
    keyImage: (input as KeyInput).keyImage,
    clsag: prunable.clsags[i]!,
    pseudoOut: prunable.pseudoOuts[i]!,
    ring: rings[i]!.map(({ key, commitment }) => ({
      key: hexToBytes(key),
      commitment: hexToBytes(commitment),
    })),
  }));
  return { tx, message, inputs, item: { proof: prunable.bulletproofsPlus[0]!, commitments: tx.rct.outPk } };
}

const sum = (points: readonly Uint8Array[]): Uint8Array => points.reduce(crypto.pointAdd, crypto.IDENTITY);

inBothFields('what the reference wallet signed', () => {
  test('has more than one input and more than two outputs somewhere', () => {
    const all = transactions.map(opened);
    expect(Math.max(...all.map(({ inputs }) => inputs.length))).toBeGreaterThan(1);
    expect(Math.max(...all.map(({ tx }) => tx.outputs.length))).toBe(16);
  });

  test.each(transactions.map((fixture) => [fixture.name, fixture] as const))('%s: holds', (_, fixture) => {
    const { tx, message, inputs, item } = opened(fixture);
    expect(inputs.every(({ ring }) => ring.length === 16)).toBe(true);
    expect(crypto.clsagVerify(message, inputs)).toBe(true);
    for (const input of inputs) {
      expect(crypto.clsagVerify(message, [input])).toBe(true);
      expect(crypto.clsagVerify(crypto.keccak256(message), [input])).toBe(false);
    }
    expect(crypto.bulletproofPlusVerify([item], seededRandom(1))).toBe(true);
    const fee = crypto.pointSub(crypto.zeroCommit(tx.rct.fee), crypto.G);
    expect(sum(inputs.map(({ pseudoOut }) => pseudoOut))).toEqual(sum([...tx.rct.outPk, fee]));
  });

  test('all range proofs hold in one batch', () => {
    const items = transactions.map((fixture) => opened(fixture).item);
    expect(crypto.bulletproofPlusVerify(items, seededRandom(2))).toBe(true);
  });
});

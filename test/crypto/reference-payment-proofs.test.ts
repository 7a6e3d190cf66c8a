import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asciiToBytes, hexToBytes, parseJson } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { decodeAddress, decodeBase58, encodeBase58 } from '../../src/protocol/index.ts';
import { inBothFields } from './both-fields.ts';
import { seededRandom } from './seeded.ts';

interface Payment {
  readonly txid: string;
  readonly address: string;
  readonly message: string;
  readonly txKey: string;
  readonly signature: string;
}

/** Proofs of payments that monero-wallet-rpc made (`get_tx_proof`), to a main address and to a subaddress. */
const { payments } = parseJson(readFileSync(new URL('../fixtures/ring-proofs.json', import.meta.url), 'utf8')) as unknown as {
  payments: readonly Payment[];
};

const HEADER = 'OutProofV2';
/** Digits of 32 bytes in the chain's base 58. */
const POINT_DIGITS = encodeBase58(new Uint8Array(32)).length;

/** What the proof is about, as wallet2::get_tx_proof says, with the secret that made it. */
function opened({ txid, address, message, txKey, signature }: Payment) {
  const { kind, spendKey, viewKey } = decodeAddress(address);
  const r = hexToBytes(txKey);
  const B = kind === 'subaddress' ? spendKey : undefined;
  const R = crypto.scalarMulPoint(r, B ?? crypto.G);
  const hash = crypto.keccak256(hexToBytes(txid), asciiToBytes(message));
  const text = signature.slice(HEADER.length);
  const D = decodeBase58(text.slice(0, POINT_DIGITS));
  return { r, statement: { hash, R, A: viewKey, B, D }, proof: decodeBase58(text.slice(POINT_DIGITS)) };
}

inBothFields('proofs of payments by the reference wallet', () => {
  test('are of both kinds of address', () => {
    expect(payments.map((payment) => decodeAddress(payment.address).kind).sort()).toEqual(['standard', 'subaddress']);
    expect(payments.every(({ signature }) => signature.startsWith(HEADER))).toBe(true);
  });

  test.each(payments.map((payment, i) => [i, payment] as const))('payment %i holds, and ours beside it', (_, payment) => {
    const { r, statement, proof } = opened(payment);
    expect(crypto.scalarMulPoint(r, statement.A)).toEqual(statement.D);
    expect(crypto.checkTxProof(statement, proof, 2)).toBe(true);
    expect(crypto.checkTxProof({ ...statement, hash: crypto.keccak256() }, proof, 2)).toBe(false);
    const ours = crypto.generateTxProof(statement, r, seededRandom(1));
    expect(crypto.checkTxProof(statement, ours, 2)).toBe(true);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { generateKeyImage, loadCrypto, pointAdd, zeroCommit } from '../../src/crypto/index.ts';
import { checkAgainstChain, checkSemantics } from '../../src/devnet/consensus.ts';
import { DevnetNode } from '../../src/devnet/index.ts';
import { type ParsedTransaction, parseWholeTransaction, withBlob } from '../../src/devnet/parsed.ts';
import {
  digitsOfAmount,
  type OutputKey,
  type SecretKeys,
  serializeTransaction,
  type TransactionV1,
} from '../../src/protocol/index.ts';
import { constructTransaction, outputSecretKey } from '../../src/wallet/spend/construct.ts';
import type { SpendableOutput } from '../../src/wallet/spend/inputs.ts';
import type { UnsignedInput } from '../../src/wallet/spend/unsigned.ts';
import { appendOldBlock } from '../support/old-chain.ts';
import { addressOf, makeKeys, paperOutput } from '../wallet/spend/fixtures.ts';
import { COIN, codeOf, flipped, seededRandom } from './support.ts';

// What a node says of transactions in the clear: allowed where outputs cannot be mixed, and as they were then.
const FEE = 10_000_000_000n;
const random = seededRandom('version 1');
let node: DevnetNode;
let keys: SecretKeys;

beforeAll(async () => {
  await loadCrypto();
  keys = makeKeys(random);
  node = new DevnetNode({ random, now: () => 1_800_000_000 });
  const to = { kind: 'standard' as const, ...addressOf(keys) };
  const rare = [COIN, 2n * COIN, 2n * COIN, 2n * COIN, 123_456_789_012n];
  const common = [5n * COIN, 5n * COIN, ...Array.from({ length: 14 }, () => 5n * COIN)];
  appendOldBlock(node, random, [
    { to, amounts: rare },
    { to, amounts: common },
    { to, amounts: Array.from({ length: 15 }, () => 4n * COIN) },
  ]);
  for (let i = 0; i < 10; i++) node.mine(addressOf(keys), 1_799_000_000 + i * 120);
});

/** An output of a clear amount, ours, in a ring of the first ones of its amount. */
function coin(amount: bigint, index = 0, ringSize = 1): UnsignedInput {
  const { key, txId, position } = node.chain.output(amount, index)!;
  const txPublicKey = bytesToHex(node.chain.transaction(txId)!.tx.extra.subarray(1, 33));
  const place = { amount, globalIndex: BigInt(index), outputIndex: position, txPublicKey, rct: false };
  const paper = paperOutput({ ...place, key: bytesToHex(key) as OutputKey, mask: `01${'00'.repeat(31)}` });
  const keyImage = bytesToHex(generateKeyImage(key, outputSecretKey(paper, keys)));
  const indices = ringSize === 1 ? [index] : Array.from({ length: ringSize }, (_, i) => i);
  const ring = indices.map((at) => {
    const member = node.chain.output(amount, at)!;
    return { globalIndex: BigInt(at), key: member.key, commitment: zeroCommit(amount) };
  });
  return { output: { ...paper, keyImage } as SpendableOutput, ring, real: indices.indexOf(index) };
}

/** A transaction of version 1 that pays all but the fee, unless told other amounts. */
function clear(inputs: readonly UnsignedInput[], amounts?: readonly bigint[]): ParsedTransaction {
  const sum = inputs.reduce((total, { output }) => total + output.amount, 0n);
  const outputs = (amounts ?? digitsOfAmount(sum - FEE)).map((amount) => ({ address: addressOf(keys), amount }));
  const facts = { majorVersion: 16, inputs, outputs, changeAddress: undefined, fee: FEE, unlockTime: 0n, paymentId: undefined };
  return parseWholeTransaction(constructTransaction({ ...facts, version: 1 }, keys, random).bytes);
}

/** The same with RingCT. */
function ringCt(inputs: readonly UnsignedInput[]): ParsedTransaction {
  const sum = inputs.reduce((total, { output }) => total + output.amount, 0n);
  const outputs = [sum - FEE - 1n, 1n].map((amount) => ({ address: addressOf(keys), amount }));
  const facts = { majorVersion: 16, inputs, outputs, changeAddress: undefined, fee: FEE, unlockTime: 0n, paymentId: undefined };
  return parseWholeTransaction(constructTransaction(facts, keys, random).bytes);
}

function changed(parsed: ParsedTransaction, change: (tx: TransactionV1) => TransactionV1): ParsedTransaction {
  const tx = change(parsed.tx as TransactionV1);
  return withBlob(tx, serializeTransaction(tx));
}

const semantics = (parsed: ParsedTransaction) => codeOf(() => checkSemantics(parsed));
const against = (parsed: ParsedTransaction) => codeOf(() => checkAgainstChain(node.chain, parsed));
const both = (parsed: ParsedTransaction) => semantics(parsed) ?? against(parsed);

describe('a transaction of version 1', () => {
  it('is taken where the chain has fewer outputs of the amount than a ring: alone, several, and with one that could be mixed', () => {
    expect(both(clear([coin(COIN)]))).toBeUndefined();
    expect(both(clear([coin(COIN), coin(2n * COIN, 1), coin(123_456_789_012n)]))).toBeUndefined();
    expect(both(clear([coin(4n * COIN)])), 'fifteen are too few').toBeUndefined();
    expect(both(clear([coin(COIN), coin(5n * COIN)]))).toBeUndefined();
    expect(both(clear([coin(2n * COIN, 1, 3)])), 'a ring of three').toBeUndefined();
  });

  it('is refused where every input could be mixed, with a small ring and with a whole one', () => {
    expect(against(clear([coin(5n * COIN)]))).toBe('low-mixin');
    expect(against(clear([coin(5n * COIN, 3, 16)]))).toBe('wrong-version');
  });

  it('is refused with two inputs that could be mixed beside one that could not', () => {
    expect(against(clear([coin(COIN), coin(5n * COIN), coin(5n * COIN, 1)]))).toBe('low-mixin');
  });

  it('is refused with rings of different sizes', () => {
    expect(against(clear([coin(COIN), coin(2n * COIN, 1, 3)]))).toBe('low-mixin');
  });

  it('is refused with outputs of more than one digit', () => {
    expect(semantics(clear([coin(COIN)], [COIN - FEE]))).toBe('invalid-output');
  });

  it('is refused with an output of nothing', () => {
    expect(semantics(clear([coin(COIN)], [500_000_000_000n, 0n]))).toBe('invalid-output');
  });

  it('is refused when it makes money, and when it leaves no fee', () => {
    expect(semantics(clear([coin(COIN)], [2n * COIN]))).toBe('overspend');
    expect(semantics(clear([coin(COIN)], [COIN]))).toBe('overspend');
    const most = 10n ** 19n;
    expect(semantics(clear([coin(COIN)], [most, most])), 'past 2^64').toBe('overspend');
  });

  it('is refused when an input says another amount than its output has', () => {
    const raised = changed(clear([coin(COIN)]), (tx) => ({
      ...tx,
      inputs: tx.inputs.map((input) => ({ ...input, amount: 2n * COIN })) as TransactionV1['inputs'],
    }));
    expect(against(raised)).toBe('invalid-input');
  });

  it('is refused with a key image that is another’s or outside of the prime-order group', () => {
    const withImage = (change: (image: Uint8Array) => Uint8Array) =>
      changed(clear([coin(COIN)]), (tx) => ({
        ...tx,
        inputs: tx.inputs.map((input) => (input.type === 'key' ? { ...input, keyImage: change(input.keyImage) } : input)),
      }));
    const other = generateKeyImage(node.chain.output(COIN, 0)!.key, keys.viewKey);
    expect(against(withImage(() => other))).toBe('invalid-input');
    const ofOrderTwo = Uint8Array.of(0xec, ...Array.from({ length: 30 }, () => 0xff), 0x7f);
    expect(semantics(withImage((image) => pointAdd(image, ofOrderTwo)))).toBe('key-image-domain');
  });

  it('is refused when the signature does not hold, is missing or is one too many', () => {
    const honest = clear([coin(COIN)]);
    const signed = (change: (signatures: TransactionV1['signatures']) => TransactionV1['signatures']): ParsedTransaction => ({
      ...honest,
      tx: { ...(honest.tx as TransactionV1), signatures: change((honest.tx as TransactionV1).signatures) },
    });
    expect(against(signed((all) => all!.map((ring) => ring.map((one) => flipped(one)))))).toBe('invalid-input');
    expect(against(signed((all) => all!.map((ring) => ring.map((one) => flipped(one, 32)))))).toBe('invalid-input');
    expect(against(signed(() => []))).toBe('invalid-input');
    expect(against(signed(() => undefined))).toBe('invalid-input');
    expect(against(signed((all) => [...all!, ...all!]))).toBe('invalid-input');
  });

  it('is refused after a change to anything that is signed', () => {
    const honest = clear([coin(COIN)]);
    const changes: ((tx: TransactionV1) => TransactionV1)[] = [
      (tx) => ({ ...tx, unlockTime: 1n }),
      (tx) => ({ ...tx, outputs: tx.outputs.toReversed() }),
      (tx) => ({ ...tx, extra: flipped(tx.extra, 1) }),
    ];
    expect(changes.map((change) => against(changed(honest, change)))).toEqual(changes.map(() => 'invalid-input'));
  });

  it('is refused with inputs that are not sorted', () => {
    const honest = clear([coin(COIN), coin(2n * COIN, 1)]);
    const turned = changed(honest, (tx) => ({
      ...tx,
      inputs: tx.inputs.toReversed(),
      signatures: tx.signatures!.toReversed(),
    }));
    expect(against(turned)).toBe('invalid-input');
  });

  it('is mined from the pool with its fee, and no second time; what it made is found by its amount', () => {
    const spend = clear([coin(123_456_789_012n)]);
    expect(spend.fee).toBe(FEE);
    node.submitTransaction(spend.blob);
    const { minerTx, transactions } = node.mine(addressOf(keys), 1_799_500_000);
    expect(transactions.map(({ id }) => id)).toEqual([spend.id]);
    expect(minerTx.tx.outputs[0]!.amount).toBeGreaterThan(node.chain.baseReward);
    expect(Array.from(node.chain.outputsOf(3_000_000_000n), ({ txId }) => txId)).toContain(spend.id);
    expect(codeOf(() => node.submitTransaction(clear([coin(123_456_789_012n)]).blob))).toBe('double-spend');
  });
});

describe('a transaction of version 2 with an output from before RingCT', () => {
  it('is taken in a whole ring of its amount, and in a small one where there are too few', () => {
    expect(both(ringCt([coin(5n * COIN, 3, 16)]))).toBeUndefined();
    expect(both(ringCt([coin(4n * COIN, 3, 15)]))).toBeUndefined();
  });

  it('is refused in a small ring where there are enough', () => {
    expect(against(ringCt([coin(5n * COIN, 3, 15)]))).toBe('low-mixin');
  });
});

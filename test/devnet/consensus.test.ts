import { beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { pointAdd } from '../../src/crypto/index.ts';
import { checkAgainstChain, checkPoolPolicy, checkSanity, checkSemantics } from '../../src/devnet/consensus.ts';
import { buildCoinbase } from '../../src/devnet/miner.ts';
import type { ParsedTransaction } from '../../src/devnet/parsed.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import { type KeyInput, RctType, relativeOffsets, serializeBlock, type TransactionV2 } from '../../src/protocol/index.ts';
import { codeOf, flipped, mutated, type TestChain, testChain } from './support.ts';

/** A point of order 8: added to a key image it makes another one of the same output. */
const TORSION = hexToBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

const semantics = (parsed: ParsedTransaction) => codeOf(() => checkSemantics(parsed));

function withInput(tx: TransactionV2, change: (input: KeyInput) => KeyInput): TransactionV2 {
  return { ...tx, inputs: tx.inputs.map((input) => (input.type === 'key' ? change(input) : input)) };
}

describe('what a transaction must be by itself', () => {
  let honest: ParsedTransaction;
  beforeAll(async () => {
    honest = (await testChain()).pay();
  });

  it('accepts an honest one', () => {
    expect(semantics(honest)).toBeUndefined();
  });

  const refusals: readonly [string, string, (tx: TransactionV2) => TransactionV2][] = [
    ['no inputs', 'no-inputs', (tx) => ({ ...tx, inputs: [] })],
    ['a coinbase input', 'wrong-input', (tx) => ({ ...tx, inputs: [{ type: 'gen', height: 90 }] })],
    ['one key image twice', 'duplicate-key-image', (tx) => ({ ...tx, inputs: [...tx.inputs, ...tx.inputs] })],
    [
      'one ring member twice',
      'duplicate-ring-member',
      (tx) => withInput(tx, (input) => ({ ...input, keyOffsets: [...input.keyOffsets.slice(0, -1), 0n] })),
    ],
    [
      'a key image with a torsion part',
      'key-image-domain',
      (tx) => withInput(tx, (input) => ({ ...input, keyImage: pointAdd(input.keyImage, TORSION) })),
    ],
    ['no view tag', 'bad-output', (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, viewTag: undefined })) })],
    [
      'an output key that is no point',
      'bad-output',
      (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, key: new Uint8Array(32).fill(2) })) }),
    ],
    ['an older proof', 'wrong-proof-type', (tx) => ({ ...tx, rct: { ...tx.rct, type: RctType.CLSAG } })],
    ['a missing prunable part', 'wrong-proof-type', (tx) => ({ ...tx, prunable: undefined })],
    ['a lower fee than signed for', 'unbalanced', (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee - 1n } })],
    [
      'an output worth more',
      'unbalanced',
      (tx) => ({ ...tx, rct: { ...tx.rct, outPk: [pointAdd(tx.rct.outPk[0]!, tx.rct.outPk[1]!), tx.rct.outPk[1]!] } }),
    ],
    ['commitments swapped', 'bad-range-proof', (tx) => ({ ...tx, rct: { ...tx.rct, outPk: [...tx.rct.outPk].reverse() } })],
    [
      'a bent range proof',
      'bad-range-proof',
      (tx) => {
        const [proof] = tx.prunable!.bulletproofsPlus;
        return { ...tx, prunable: { ...tx.prunable!, bulletproofsPlus: [{ ...proof!, r1: flipped(proof!.r1) }] } };
      },
    ],
    ['no range proof', 'bad-range-proof', (tx) => ({ ...tx, prunable: { ...tx.prunable!, bulletproofsPlus: [] } })],
    ['a signature too few', 'malformed', (tx) => ({ ...tx, prunable: { ...tx.prunable!, clsags: [] } })],
  ];
  it.each(refusals)('refuses %s: %s', (_, code, change) => {
    expect(semantics(mutated(honest, change))).toBe(code);
  });

  it('refuses hidden amounts in version 1', () => {
    const { rct: _rct, prunable: _prunable, ...prefix } = honest.tx as TransactionV2;
    expect(semantics({ ...honest, tx: { ...prefix, version: 1, signatures: [] } })).toBe('invalid-output');
  });
});

describe('what a transaction must be on this chain', () => {
  let chain: TestChain;
  let honest: ParsedTransaction;
  const against = (parsed: ParsedTransaction, on = chain) => codeOf(() => checkAgainstChain(on.node.chain, parsed));

  beforeAll(async () => {
    chain = await testChain();
    honest = chain.pay();
  });

  /** An honest input with one decoy replaced by the output at `index`. */
  function withMember(index: number, on = chain): PaymentInput {
    const input = on.input();
    const output = on.node.chain.output(0n, index)!;
    const real = input.ring[input.place]!;
    const decoys = input.ring.filter((member) => member !== real).slice(1);
    const stranger = { key: output.key, commitment: output.commitment ?? real.commitment, index: BigInt(index) };
    const ring = [...decoys, real, stranger].sort((a, b) => Number(a.index - b.index));
    return { ...input, ring, place: ring.indexOf(real) };
  }

  it('accepts an honest one', () => {
    expect(against(honest)).toBeUndefined();
  });

  it('refuses fifteen ring members', () => {
    const input = chain.input();
    const real = input.ring[input.place]!;
    const ring = input.ring.filter((member, i) => member === real || i !== (input.place === 0 ? 1 : 0));
    expect(ring).toHaveLength(15);
    expect(against(chain.pay({ inputs: [{ ...input, ring, place: ring.indexOf(real) }] }))).toBe('low-mixin');
  });

  it('refuses a ring member that does not exist', () => {
    const offsets = (input: KeyInput) => [...input.keyOffsets.slice(0, -1), 1_000_000n];
    const parsed = mutated(honest, (tx) => withInput(tx, (input) => ({ ...input, keyOffsets: offsets(input) })));
    expect(against(parsed)).toBe('invalid-input');
  });

  it('refuses a locked coinbase as a ring member', () => {
    const index = chain.node.chain.outputCount(0n) - 30;
    expect(against(chain.pay({ inputs: [withMember(index)] }))).toBe('invalid-input');
  });

  it('refuses a ring member younger than ten blocks', async () => {
    const young = await testChain(85, 'young');
    young.node.submitTransaction(young.pay().blob);
    young.mine(1);
    const payment = young.node.chain.top.transactions[0]!;
    const spend = young.pay({ inputs: [withMember(payment.outputIndices[0]!, young)] });
    expect(against(spend, young)).toBe('invalid-input');
    young.mine(8);
    expect(against(spend, young)).toBe('invalid-input');
    young.mine(1);
    // Old enough now; its commitment is as the chain has it, so the signature holds too.
    expect(against(spend, young)).toBeUndefined();
  });

  it('refuses a signature that does not hold', () => {
    const bend = (tx: TransactionV2): TransactionV2 => {
      const [clsag] = tx.prunable!.clsags;
      const s = [flipped(clsag!.s[0]!), ...clsag!.s.slice(1)];
      return { ...tx, prunable: { ...tx.prunable!, clsags: [{ ...clsag!, s }] } };
    };
    expect(against(mutated(honest, bend))).toBe('invalid-input');
  });

  it('refuses a change to anything that is signed', () => {
    const changes: readonly ((tx: TransactionV2) => TransactionV2)[] = [
      (tx) => ({ ...tx, unlockTime: 1n }),
      (tx) => ({ ...tx, extra: flipped(tx.extra, 1) }),
      (tx) => ({ ...tx, outputs: [...tx.outputs].reverse() }),
      (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee + 1n } }),
      (tx) => ({ ...tx, rct: { ...tx.rct, ecdhInfo: [...tx.rct.ecdhInfo].reverse() } }),
      (tx) => withInput(tx, (input) => ({ ...input, keyOffsets: relativeOffsets([...Array(16).keys()].map(BigInt)) })),
    ];
    expect(changes.map((change) => against(mutated(honest, change)))).toEqual(changes.map(() => 'invalid-input'));
  });

  it('refuses inputs out of order', () => {
    const [first] = honest.tx.inputs as readonly KeyInput[];
    const larger = { ...first!, keyImage: first!.keyImage.map((byte) => byte | 0xf0) };
    expect(against(mutated(honest, (tx) => ({ ...tx, inputs: [first!, larger] })))).toBe('invalid-input');
  });

  it('refuses clear amounts and a single output', () => {
    const clear = mutated(honest, (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, amount: 1n })) }));
    expect(codeOf(() => checkSemantics(clear))).toBe('invalid-output');
    expect(against(mutated(honest, (tx) => ({ ...tx, outputs: tx.outputs.slice(1) })))).toBe('too-few-outputs');
  });

  it('refuses a fee that is too low, and a weight that is too high', () => {
    const policy = (parsed: ParsedTransaction) => codeOf(() => checkPoolPolicy(chain.node.chain, parsed, false));
    expect(policy(honest)).toBeUndefined();
    expect(policy(chain.pay({ fee: 1_000_000_000n }))).toBe('fee-too-low');
    const semantics = (parsed: ParsedTransaction) => codeOf(() => checkSemantics(parsed));
    expect(semantics({ ...honest, weight: 149_401 })).toBe('too-big');
    expect(semantics({ ...honest, weight: 149_400 })).toBeUndefined();
  });

  it('refuses a double spend, in the pool and on the chain', async () => {
    const own = await testChain(85, 'double');
    const input = own.input();
    const [first, second] = [own.pay({ inputs: [input] }), own.pay({ inputs: [input] })];
    own.node.submitTransaction(first.blob);
    expect(codeOf(() => own.node.submitTransaction(second.blob))).toBe('pool-double-spend');
    expect(own.node.pool.get(first.id)?.doubleSpendSeen).toBe(true);
    own.mine(1);
    expect(own.node.chain.transaction(first.id)).toBeDefined();
    expect(codeOf(() => own.node.submitTransaction(second.blob))).toBe('double-spend');
  });

  it('takes the same transaction twice without complaint, as nodes do', async () => {
    const own = await testChain(85, 'again');
    const parsed = own.pay();
    own.node.submitTransaction(parsed.blob);
    own.node.submitTransaction(parsed.blob);
    own.mine(1);
    own.node.submitTransaction(parsed.blob);
    expect(own.node.pool.visible).toHaveLength(0);
  });
});

describe('whether ring members look like an honest choice', () => {
  it('asks only chains of ten thousand outputs, and refuses rings of old members alone', async () => {
    const chain = await testChain(85, 'sanity');
    const parsed = chain.pay();
    expect(codeOf(() => checkSanity(chain.node.chain, parsed))).toBeUndefined();
    const coinbase = buildCoinbase(86, 35_000_000_000_000n, chain.minerWallet, chain.random);
    const crowded = { ...coinbase, outputs: Array.from({ length: 10_000 }, () => coinbase.outputs[0]!) };
    const { block } = chain.node.template(chain.minerWallet).parsed;
    chain.node.append(serializeBlock({ ...block, minerTx: crowded }), []);
    for (let i = 0; i < 9; i++) chain.node.append(serializeBlock(chain.node.template(chain.minerWallet).parsed.block), []);
    expect(codeOf(() => checkSanity(chain.node.chain, parsed))).toBe('sanity-check');
  });
});

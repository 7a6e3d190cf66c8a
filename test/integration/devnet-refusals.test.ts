import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import type { ParsedTransaction } from '../../src/devnet/parsed.ts';
import {
  type Block,
  type KeyInput,
  serializeBlock,
  type Transaction,
  type TransactionV2,
  type TxOutput,
} from '../../src/protocol/index.ts';
import { COIN, flipped, type OwnPayments, paymentsOf, rewritten, seededRandom } from '../devnet/support.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { post } from '../support/rpc.ts';

/** Blocks and transactions that break one rule each: monerod and the devnet refuse them with the same error, or the same flags. */
const BLOCKS = 100;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
let own: OwnPayments;
const random = seededRandom('refusals');

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([serveDevnet({ history: { blocks: BLOCKS, transactions: 4 } }), startMonerod()]);
  await feed(monerod, devnet.node);
  both = new BothNodes(devnet, monerod);
  own = paymentsOf(devnet.minerWallet, random);
});

afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

describe('a block', () => {
  const valid = (): Block => devnet.node.template(devnet.minerWallet).parsed.block;
  const now = () => BigInt(devnet.node.now());
  const coinbase = (change: (tx: TransactionV2) => Partial<TransactionV2>) => (): Block => {
    const block = valid();
    const minerTx = block.minerTx as TransactionV2;
    return { ...block, minerTx: { ...minerTx, ...change(minerTx) } as Transaction };
  };
  const output = (change: (made: TxOutput) => Partial<TxOutput>) =>
    coinbase(({ outputs }) => ({ outputs: outputs.map((made) => ({ ...made, ...change(made) })) }));
  const header = (change: (block: Block) => Partial<Block>) => (): Block => {
    const block = valid();
    return { ...block, ...change(block) };
  };

  const cases: readonly [string, () => Block][] = [
    ...[1, 2, 7, 12, 14, 15, 17, 255].map((majorVersion): [string, () => Block] => [
      `of version ${majorVersion}`,
      header(() => ({ majorVersion })),
    ]),
    ...[0, 1, 12, 15].map((minorVersion): [string, () => Block] => [
      `that votes for version ${minorVersion}`,
      header(() => ({ minorVersion })),
    ]),
    ...[7_300n, 10_000n, 86_400n, 31_536_000n].map((seconds): [string, () => Block] => [
      `${seconds} seconds ahead`,
      header(() => ({ timestamp: now() + seconds })),
    ]),
    ...[0n, 1n, 1_000_000_000n, 1_600_000_000n].map((timestamp): [string, () => Block] => [
      `of the time ${timestamp}`,
      header(() => ({ timestamp })),
    ]),
    ...[1, 2, 3].map((count): [string, () => Block] => [
      `with ${count} transactions that nobody has`,
      header(() => ({ txHashes: Array.from({ length: count }, () => random.bytes(32)) })),
    ]),
    ['with a coinbase transaction in its list', header(() => ({ txHashes: [hashOf(5)] }))],
    ['with a transaction of an earlier block', header(() => ({ txHashes: [spentHash()] }))],
    ...[-1n, 1n, -60n, 60n, 1_000n].map((change): [string, () => Block] => [
      `whose coinbase is locked ${change} blocks longer`,
      coinbase(({ unlockTime }) => ({ unlockTime: unlockTime + change })),
    ]),
    ['whose coinbase is not locked', coinbase(() => ({ unlockTime: 0n }))],
    ['whose coinbase is locked until a time', coinbase(() => ({ unlockTime: now() + 1_000n }))],
    ...[-50, -1, 1, 50, 1_000].map((change): [string, () => Block] => [
      `whose coinbase is of a height ${change} away`,
      coinbase(() => ({ inputs: [{ type: 'gen', height: devnet.node.chain.height + change }] })),
    ]),
    ['whose coinbase has no input', coinbase(() => ({ inputs: [] }))],
    ['whose coinbase has two inputs', coinbase(({ inputs }) => ({ inputs: [...inputs, ...inputs] }))],
    [
      'whose coinbase spends an output',
      coinbase(() => ({ inputs: [{ type: 'key', amount: 0n, keyOffsets: [1n], keyImage: random.bytes(32) }] })),
    ],
    ...[1n, 2n, 1_000_000n, COIN, 1_000n * COIN].map((more): [string, () => Block] => [
      `whose coinbase pays ${more} too much`,
      output(({ amount }) => ({ amount: amount + more })),
    ]),
    ...[1n, 1_000_000n, COIN].map((less): [string, () => Block] => [
      `whose coinbase pays ${less} too little`,
      output(({ amount }) => ({ amount: amount - less })),
    ]),
    ['whose coinbase pays nothing', output(() => ({ amount: 0n }))],
    ['whose coinbase pays all there can be', output(() => ({ amount: (1n << 64n) - 1n }))],
    [
      'whose coinbase pays past 2^64',
      coinbase(({ outputs }) => ({ outputs: [...outputs, { ...outputs[0]!, amount: (1n << 64n) - 1n }] })),
    ],
    ['whose coinbase pays twice', coinbase(({ outputs }) => ({ outputs: [...outputs, ...outputs] }))],
    ['whose coinbase pays nobody', coinbase(() => ({ outputs: [] }))],
    ['whose coinbase has no view tag', output(() => ({ viewTag: undefined }))],
    ['whose coinbase is of version 1', coinbase(() => ({ version: 1, rct: undefined, prunable: undefined }) as never)],
  ];
  const hashOf = (height: number) => Buffer.from(devnet.node.chain.blockAt(height)!.minerTx.id, 'hex');
  const spentHash = () => {
    const { chain } = devnet.node;
    for (let height = 1; ; height++) {
      const [tx] = chain.blockAt(height)!.transactions;
      if (tx !== undefined) return Buffer.from(tx.id, 'hex');
    }
  };

  it.each(cases)('%s', async (_what, make) => {
    const [ours, theirs] = await both.submit(serializeBlock(make()));
    expect(theirs).toHaveProperty('error');
    expect(ours).toEqual(theirs);
  });

  const cuts = [0, 1, 2, 8, 39, 43, 44, 45, 60, 90];
  it.each(cuts)('of its first %d bytes, or with more behind it', async (length) => {
    const blob = serializeBlock(valid());
    for (const bytes of [
      blob.subarray(0, length),
      blob.subarray(0, blob.length - 1 - length),
      Buffer.concat([blob, Buffer.alloc(length + 1, 7)]),
    ]) {
      const [ours, theirs] = await both.submit(bytes);
      expect(theirs).toHaveProperty('error');
      expect(ours).toEqual(theirs);
    }
  });

  it('that follows nothing that is known is taken for handed in, and forgotten', async () => {
    for (const at of [0, 9, 31]) {
      const block = valid();
      const [ours, theirs] = await both.submit(serializeBlock({ ...block, prevId: flipped(block.prevId, at) }));
      expect(theirs).toHaveProperty('result');
      expect(ours).toEqual(theirs);
    }
  });
});

describe('a transaction', () => {
  const pay: OwnPayments['pay'] = (change) => own.pay(change);
  const ring = (change: (first: KeyInput) => Partial<KeyInput>) => () =>
    rewritten(pay(), (tx) => ({
      ...tx,
      inputs: tx.inputs.map((one) => (one.type === 'key' ? { ...one, ...change(one) } : one)),
    }));
  /** A ring of another size, with as many responses. */
  const sized = (size: number) => () =>
    rewritten(pay(), (tx) => {
      const [first] = tx.inputs;
      const [clsag] = tx.prunable!.clsags;
      if (first?.type !== 'key') return tx;
      const keyOffsets = [...first.keyOffsets, 1n, 1n].slice(0, size);
      const s = [...clsag!.s, ...clsag!.s].slice(0, size);
      return { ...tx, inputs: [{ ...first, keyOffsets }], prunable: { ...tx.prunable!, clsags: [{ ...clsag!, s }] } };
    });
  const proof =
    (change: (prunable: NonNullable<TransactionV2['prunable']>) => Partial<NonNullable<TransactionV2['prunable']>>) => () =>
      rewritten(pay(), (tx) => ({ ...tx, prunable: { ...tx.prunable!, ...change(tx.prunable!) } }));
  const range = (name: 'A' | 'A1' | 'B' | 'r1' | 's1' | 'd1') =>
    proof(({ bulletproofsPlus: [first] }) => ({ bulletproofsPlus: [{ ...first!, [name]: flipped(first![name]) }] }));
  const outputs = (change: (made: TxOutput) => Partial<TxOutput>) => () =>
    rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((made) => ({ ...made, ...change(made) })) }));

  const cases: readonly [string, () => ParsedTransaction][] = [
    ...[0n, 1n, 10_000n, 1_000_000n, 20_000_000n].map((fee): [string, () => ParsedTransaction] => [
      `with a fee of ${fee}`,
      () => pay({ fee }),
    ]),
    ...[1n, 10_000n].map((more): [string, () => ParsedTransaction] => [
      `that says ${more} more of its fee`,
      () => rewritten(pay(), (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee + more } })),
    ]),
    ['that says less of its fee', () => rewritten(pay(), (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee - 1n } }))],
    ['with an empty ring', sized(0)],
    ...[1, 2, 8, 15, 17, 18].map((size): [string, () => ParsedTransaction] => [`with a ring of ${size}`, sized(size)]),
    ['with the same ring member twice', ring(({ keyOffsets }) => ({ keyOffsets: [...keyOffsets.slice(0, 15), 0n] }))],
    [
      'with a ring member that does not exist',
      ring(({ keyOffsets }) => ({ keyOffsets: [...keyOffsets.slice(0, 15), 1_000_000n] })),
    ],
    ['with other ring members', ring(({ keyOffsets: [first, ...rest] }) => ({ keyOffsets: [first! + 1n, ...rest] }))],
    ['with inputs of a clear amount', ring(() => ({ amount: 5n }))],
    ['with another key image', ring(({ keyImage }) => ({ keyImage: flipped(keyImage) }))],
    ['with a key image of zeros', ring(() => ({ keyImage: new Uint8Array(32) }))],
    [
      'with the neutral element for a key image',
      ring(() => ({ keyImage: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0)) })),
    ],
    ['with a clear output', outputs(() => ({ amount: 5n }))],
    ['with outputs that have no view tag', outputs(() => ({ viewTag: undefined }))],
    ['with outputs to no point', outputs(() => ({ key: new Uint8Array(32).fill(2) }))],
    [
      'with one output',
      () =>
        rewritten(pay(), (tx) => ({
          ...tx,
          outputs: tx.outputs.slice(1),
          rct: { ...tx.rct, ecdhInfo: tx.rct.ecdhInfo.slice(1), outPk: tx.rct.outPk.slice(1) },
        })),
    ],
    [
      'with commitments in another order',
      () => rewritten(pay(), (tx) => ({ ...tx, rct: { ...tx.rct, outPk: tx.rct.outPk.toReversed() } })),
    ],
    [
      'with a changed key of an output',
      () =>
        rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((made, i) => ({ ...made, key: tx.outputs[1 - i]!.key })) })),
    ],
    ['with another extra field', () => rewritten(pay(), (tx) => ({ ...tx, extra: flipped(tx.extra, 5) }))],
    ['with a large extra field', () => rewritten(pay({ fee: COIN }), (tx) => ({ ...tx, extra: new Uint8Array(1_061) }))],
    ['with a bent pseudo output', proof(({ pseudoOuts: [first] }) => ({ pseudoOuts: [flipped(first!)] }))],
    ...(['A', 'A1', 'B', 'r1', 's1', 'd1'] as const).map((name): [string, () => ParsedTransaction] => [
      `with a bent ${name} of its range proof`,
      range(name),
    ]),
    [
      'with a bent L of its range proof',
      proof(({ bulletproofsPlus: [first] }) => ({ bulletproofsPlus: [{ ...first!, L: first!.L.map((key) => flipped(key)) }] })),
    ],
    [
      'with a bent R of its range proof',
      proof(({ bulletproofsPlus: [first] }) => ({ bulletproofsPlus: [{ ...first!, R: first!.R.map((key) => flipped(key)) }] })),
    ],
    ['with a bent c1', proof(({ clsags: [first] }) => ({ clsags: [{ ...first!, c1: flipped(first!.c1) }] }))],
    ['with a bent D', proof(({ clsags: [first] }) => ({ clsags: [{ ...first!, D: flipped(first!.D) }] }))],
    ...[0, 7, 15].map((at): [string, () => ParsedTransaction] => [
      `with a bent s of member ${at}`,
      proof(({ clsags: [first] }) => ({ clsags: [{ ...first!, s: first!.s.map((s, i) => (i === at ? flipped(s) : s)) }] })),
    ]),
  ];

  it.each(cases)('%s', async (_what, make) => {
    const [ours, theirs] = await both.send(make().blob);
    expect(theirs).toMatchObject({ status: 'Failed' });
    // The devnet has words for what monerod refuses without any.
    expect({ ...(ours as object), reason: '' }).toEqual({ ...(theirs as object), reason: '' });
  });
});

it('both chains are unchanged afterwards', async () => {
  const [ours, theirs] = await both.path('get_height');
  expect(ours).toEqual(theirs);
  expect(ours).toMatchObject({ height: BLOCKS + 1 });
});

describe('an id of JSON-RPC', () => {
  const echoed = async (url: string, id: string): Promise<string> => {
    const { body } = await post(`${url}/json_rpc`, `{"jsonrpc":"2.0","id":${id},"method":"none"}`, 'application/json');
    return /"id":(.*),\s*"jsonrpc"/s.exec(Buffer.from(body).toString())![1]!.replace(/\s/g, '');
  };

  it('with a fraction or an exponent comes back as monerod keeps it', async () => {
    const ids = [
      ...[
        '1.5',
        '1.0',
        '-0.0',
        '-1.5',
        '00.5',
        '0.1',
        '1.23456789012',
        '123456.7',
        '999999.5',
        '1234567890.5',
        '[1.5,2.25]',
        '{"a":1e7}',
      ],
      ...[
        '1e5',
        '1e6',
        '1E7',
        '1e21',
        '1e300',
        '1e400',
        '1e-4',
        '1e-5',
        '1e-7',
        '1.25e-10',
        '2.3e-308',
        '2.2e-308',
        '5e-324',
        '0e9',
      ],
      ...['1e-400', '0e-400', '-1e-400', '1e', '1.', '1..5', '1.5.5', '1.5e3.2', '1e+', '-.', '-.5', '-e5', '.5'],
    ];
    for (const id of ids) expect([id, await echoed(devnet.url, id)]).toEqual([id, await echoed(monerod.url, id)]);
  });
});

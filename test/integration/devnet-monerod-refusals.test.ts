import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, type JsonValue, stringifyJson, U64_MAX } from '../../src/base/index.ts';
import { randomScalar, scalarMulBase } from '../../src/crypto/index.ts';
import type { ServedDevnet } from '../../src/devnet/index.ts';
import { type ParsedTransaction, parseWholeTransaction } from '../../src/devnet/parsed.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import {
  decodePortableStorage,
  digitsOfAmount,
  type KeyInput,
  serializeTransaction,
  storage,
  type TransactionV1,
  type TransactionV2,
} from '../../src/protocol/index.ts';
import { COIN, flipped, type OwnPayments, paymentsOf, rewritten, seededRandom } from '../devnet/support.ts';
import { type OneChain, startOneChain } from '../support/one-chain.ts';
import type { Monerod } from '../support/programs.ts';
import { callPath, callRpc } from '../support/rpc.ts';

/** One chain on both: what one refuses, the other refuses for the same reason; and what monerod mines, the devnet takes. */
let devnet: ServedDevnet;
let monerod: Monerod;
let bothJson: OneChain['bothJson'];
let bothRpc: OneChain['bothRpc'];
let bothBinary: OneChain['bothBinary'];
let stop: OneChain['stop'];
let own: OwnPayments;
const random = seededRandom('devnet and monerod');

beforeAll(async () => {
  ({ devnet, monerod, bothJson, bothRpc, bothBinary, stop } = await startOneChain(100));
  own = paymentsOf(devnet.minerWallet, random);
});

afterAll(() => stop?.());

/** Hosts of Tor and I2P, with good and bad names and ports. */
const HIDDEN = [
  ...['a'.repeat(16), 'B2'.repeat(28), 'a'.repeat(17), '1'.repeat(16)].map((name) => `${name}.onion`),
  ...['80', '', '70000', 'x'].map((port) => `${'c'.repeat(56)}.onion:${port}`),
  ...['d'.repeat(52), 'd'.repeat(51)].flatMap((name) => [`${name}.b32.i2p`, `${name}.b32.i2p:99999`, `${name}.i2p`]),
];

describe('the same refusals', () => {
  const input: OwnPayments['input'] = () => own.input();
  const pay: OwnPayments['pay'] = (change) => own.pay(change);
  const shorter = (from: PaymentInput): PaymentInput => {
    const real = from.ring[from.place]!;
    const ring = from.ring.filter((member, i) => member === real || i !== (from.place === 0 ? 1 : 0));
    return { ...from, ring, place: ring.indexOf(real) };
  };
  const prunable = (tx: TransactionV2) => tx.prunable!;

  const cases: readonly [string, () => ParsedTransaction][] = [
    ['a fee that is too low', () => pay({ fee: 1_000_000_000n })],
    ['fifteen ring members', () => pay({ inputs: [shorter(input())] })],
    ['a changed fee', () => rewritten(pay(), (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee + 1n } }))],
    [
      'a clear amount',
      () => rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, amount: 5n })) })),
    ],
    [
      'a bent range proof',
      () =>
        rewritten(pay(), (tx) => {
          const [proof] = prunable(tx).bulletproofsPlus;
          return { ...tx, prunable: { ...prunable(tx), bulletproofsPlus: [{ ...proof!, s1: flipped(proof!.s1) }] } };
        }),
    ],
    [
      'a bent signature',
      () =>
        rewritten(pay(), (tx) => {
          const [clsag] = prunable(tx).clsags;
          return { ...tx, prunable: { ...prunable(tx), clsags: [{ ...clsag!, c1: flipped(clsag!.c1) }] } };
        }),
    ],
    [
      'a ring member that does not exist',
      () =>
        rewritten(pay(), (tx) => {
          const [first] = tx.inputs;
          if (first?.type !== 'key') return tx;
          return { ...tx, inputs: [{ ...first, keyOffsets: [...first.keyOffsets.slice(0, -1), 1_000_000n] }] };
        }),
    ],
    [
      'ring members that are locked',
      () =>
        rewritten(pay(), (tx) => {
          const [first] = tx.inputs;
          if (first?.type !== 'key') return tx;
          return { ...tx, inputs: [{ ...first, keyOffsets: [75n, ...first.keyOffsets.slice(1).map(() => 1n)] }] };
        }),
    ],
    [
      'untagged outputs',
      () => rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, viewTag: undefined })) })),
    ],
    [
      'an output key that is no point',
      () =>
        rewritten(pay(), (tx) => ({
          ...tx,
          outputs: tx.outputs.map((output) => ({ ...output, key: new Uint8Array(32).fill(2) })),
        })),
    ],
    ['a large extra field', () => rewritten(pay({ fee: COIN }), (tx) => ({ ...tx, extra: new Uint8Array(149_000) }))],
    ['what is spent on the chain', () => devnet.node.chain.blockAt(devnet.node.chain.height - 3)!.transactions.map(respent)[0]!],
  ];

  /** The one output in the clear that both chains have: the genesis block's. Nobody knows its key. */
  const GENESIS = 17_592_186_044_415n;
  const anyPoint = () => scalarMulBase(randomScalar(random));
  const spending = (amount: bigint, ...keyOffsets: bigint[]): KeyInput => ({
    type: 'key',
    amount,
    keyOffsets,
    keyImage: anyPoint(),
  });
  /** A transaction of version 1 with everything right but the signature, unless changed. */
  const clear = (change: Partial<TransactionV1> = {}): ParsedTransaction => {
    const inputs = (change.inputs ?? [spending(GENESIS, 0n)]) as readonly KeyInput[];
    const sorted = inputs.toSorted((a, b) => Buffer.compare(b.keyImage, a.keyImage));
    const tx: TransactionV1 = {
      version: 1,
      unlockTime: 0n,
      outputs: digitsOfAmount(GENESIS - COIN).map((amount) => ({ amount, key: anyPoint(), viewTag: 7 })),
      extra: Uint8Array.of(1, ...anyPoint()),
      signatures: sorted.map(({ keyOffsets }) => keyOffsets.map(() => new Uint8Array(64))),
      ...change,
      inputs: sorted,
    };
    return parseWholeTransaction(serializeTransaction(tx));
  };
  const paying = (...amounts: bigint[]) => ({ outputs: amounts.map((amount) => ({ amount, key: anyPoint(), viewTag: 7 })) });
  const ofVersion1: readonly [string, () => ParsedTransaction][] = [
    ['version 1 whose signature does not hold', () => clear()],
    ['version 1 with an output of several digits', () => clear(paying(GENESIS - COIN))],
    ['version 1 with an output of nothing', () => clear(paying(10n * COIN, 0n))],
    ['version 1 that makes money', () => clear(paying(20n * COIN))],
    ['version 1 without a fee', () => clear(paying(...digitsOfAmount(GENESIS)))],
    ['version 1 with amounts past 2^64', () => clear(paying(10n ** 19n, 10n ** 19n))],
    ['version 1 without view tags', () => clear({ outputs: [{ amount: COIN, key: anyPoint(), viewTag: undefined }] })],
    ['version 1 with a fee too low', () => clear(paying(...digitsOfAmount(GENESIS - 1n)))],
    ['version 1 with an output that is not there', () => clear({ inputs: [spending(GENESIS, 1n)] })],
    ['version 1 with rings of two sizes', () => clear({ inputs: [spending(GENESIS, 0n), spending(0n, 5n, 1n)] })],
    [
      'version 1 with two inputs that can be mixed',
      () => clear({ inputs: [spending(GENESIS, 0n), spending(0n, 5n), spending(0n, 6n)] }),
    ],
  ];

  /** Another transaction with the key image of one that is on the chain. */
  function respent(mined: ParsedTransaction): ParsedTransaction {
    const [first] = mined.tx.inputs;
    return rewritten(pay(), (tx) => (first === undefined ? tx : { ...tx, inputs: [first] }));
  }

  it.each([...cases, ...ofVersion1])('of %s', async (_, make) => {
    const { blob } = make();
    const [ours, theirs] = await bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}"}`);
    expect(theirs).toMatchObject({ status: 'Failed' });
    expect(silent(ours)).toEqual(theirs);
  });

  /** The reference raises flags and gives no reason for a refusal; the devnet gives one. */
  function silent(answer: unknown): unknown {
    const { status } = answer as { status: string };
    return status === 'Failed' ? { ...(answer as object), reason: '' } : answer;
  }

  it('of a second spend of what waits in the pool', async () => {
    const shared = input();
    const [first, second] = [pay({ inputs: [shared] }), pay({ inputs: [shared] })];
    const send = (parsed: ParsedTransaction) => bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(parsed.blob)}"}`);
    const isRelayed = async (): Promise<unknown> => {
      const pool = await fetch(`${monerod.url}/get_transaction_pool`).then((answer) => answer.json());
      return pool.transactions.find(({ id_hash }: { id_hash: string }) => id_hash === first.id)?.relayed;
    };
    for (const parsed of [first, second, first]) {
      const [ours, theirs] = await send(parsed);
      expect(silent(ours)).toEqual(theirs);
      // What it relays it marks a moment later, and answers otherwise until then.
      await expect.poll(isRelayed).toBe(true);
    }
    const image = first.tx.inputs[0];
    const key = image?.type === 'key' ? bytesToHex(image.keyImage) : '';
    const [ours, theirs]: JsonValue[] = (await bothJson('is_key_image_spent', `{"key_images":["${key}"]}`)) as JsonValue[];
    expect(ours).toEqual(theirs);
  });

  it('a host is banned whatever port is named with it, and bans are listed in one order', async () => {
    for (const ban of [true, false]) {
      const hosts = ['1.2.3.4:80', '1.2.3.5', '1.2.3.6:0', '1.2.3.7:', '1.2.3.8:70000', '1.2.3.9:x', '[::7]:80', '[::8]', '::9'];
      const networks = ['200.0.0.0/8', '9.2.0.0/16', '9.1.0.0/16', '11.0.0.0/16', '11.0.0.0/8', '8.3.1.0/24', '12.0.0.0/8:80'];
      for (const host of [...hosts, ...networks, ...HIDDEN]) {
        const [ours, theirs] = await bothRpc('set_bans', JSON.stringify({ bans: [{ host, ban, seconds: 10_000 }] }));
        expect(ours, host).toEqual(theirs);
      }
      // Whole hours: a second may pass between the two answers.
      const roughly = (answer: unknown) =>
        stringifyJson(answer as JsonValue).replace(/"seconds": ?(\d+)/g, (_, left) => `"hours":${Math.ceil(left / 3600)}`);
      const expectAlike = async (method: string, params: string) => {
        const [ours, theirs] = await bothRpc(method, params);
        expect(roughly(ours), params).toEqual(roughly(theirs));
      };
      for (const address of ['1.2.3.4', '1.2.3.4:90', '1.2.3.8', '::7', '[::8]:1', '9.1.3.3:5', '12.0.0.1', ...HIDDEN])
        await expectAlike('banned', JSON.stringify({ address }));
      await expectAlike('get_bans', '{}');
    }
  });

  it('what waits without being relayed is told to wallets, and is in the next block', async () => {
    await bothRpc('flush_txpool', '{}');
    const { id, blob } = pay();
    await bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}","do_not_relay":true}`);
    const { object, u8, u64, bool } = storage;
    const asked = object({ requested_info: u8(2), pool_info_since: u64(0), start_height: u64(0), prune: bool(true) });
    for (const reply of await bothBinary('get_blocks.bin', asked)) {
      const [added] = decodePortableStorage(hexToBytes(reply)).getObjects('added_pool_txs');
      expect(bytesToHex(added!.getFixedBytes('tx_hash', 32))).toBe(id);
    }
    const template = { wallet_address: devnet.minerWallet.address, reserve_size: 0 };
    for (const { url } of [devnet, monerod]) {
      const { blocktemplate_blob } = await callRpc<{ blocktemplate_blob: string }>(url, 'get_block_template', template);
      expect(blocktemplate_blob).toContain(id);
    }
    await bothRpc('flush_txpool', '{}');
  });

  it('what waits without being relayed stays so, whoever sends it again, until relay_tx', async () => {
    const { id, blob } = pay();
    const send = (kept: boolean) =>
      bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}","do_not_relay":${kept}}`);
    const expectAlike = ([ours, theirs]: readonly [unknown, unknown]) => expect(ours).toEqual(theirs);
    const looked = async () => {
      for (const path of ['get_transaction_pool', 'get_transaction_pool_stats']) expectAlike(await bothJson(path, '{}'));
      for (const method of ['get_txpool_backlog', 'get_miner_data']) expectAlike(await bothRpc(method, '{}'));
      const entries = await Promise.all(
        [devnet.url, monerod.url].map((url) => callPath<{ transactions: Entry[] }>(url, 'get_transaction_pool', {})),
      );
      const [our, their] = entries.map(({ transactions }) => transactions.find(({ id_hash }) => id_hash === id)!);
      return [our!.last_relayed_time, their!.last_relayed_time];
    };
    type Entry = { id_hash: string; last_relayed_time: bigint | number };
    await bothRpc('flush_txpool', '{}');
    for (const kept of [true, false]) {
      expectAlike(await send(kept));
      expect(await looked()).toEqual([U64_MAX, U64_MAX]);
    }
    expectAlike(await bothRpc('relay_tx', `{"txids":["${id}"]}`));
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([id]);
  });
});

describe('the other way round', () => {
  const blob = async (hash: string) => hexToBytes((await monerod.rpc<{ blob: string }>('get_block', { hash })).blob);

  it('takes what monerod mines, with the transactions of its pool', async () => {
    const waiting = devnet.node.pool.visible.map((entry) => entry.id);
    expect(waiting).not.toEqual([]);
    for (const hash of await monerod.generateBlocks(3, devnet.minerWallet.address)) devnet.node.submitBlock(await blob(hash));
    for (const id of waiting) expect(devnet.node.chain.transaction(id)).toBeDefined();
    const [ours, theirs] = await bothRpc('get_last_block_header', '{}');
    expect(ours).toEqual(theirs);
  });

  it('changes over to a longer branch of monerod when monerod does', async () => {
    const parent = devnet.node.chain.blockAt(devnet.node.chain.height - 3)!;
    const old = devnet.node.chain.top.id;
    const { blocks } = await monerod.rpc<{ blocks: string[] }>('generateblocks', {
      amount_of_blocks: 3,
      wallet_address: devnet.minerWallet.address,
      prev_block: parent.id,
    });
    for (const [i, hash] of blocks.entries()) {
      devnet.node.submitBlock(await blob(hash));
      expect(devnet.node.chain.top.id).toBe(i < 2 ? old : hash);
    }
    for (const call of ['get_last_block_header', 'get_alternate_chains']) {
      const [ours, theirs] = await bothRpc(call, '{}');
      expect(ours).toEqual(theirs);
    }
  });

  it('lists the blocks of branches that lost in the order of monerod', async () => {
    const request = {
      amount_of_blocks: 1,
      wallet_address: devnet.minerWallet.address,
      prev_block: devnet.node.chain.blockAt(devnet.node.chain.height - 2)!.id,
    };
    for (let rival = 0; rival < 6; rival++) {
      const { blocks } = await monerod.rpc<{ blocks: string[] }>('generateblocks', request);
      devnet.node.submitBlock(await blob(blocks[0]!));
    }
    const [ours, theirs] = await bothJson('get_alt_blocks_hashes', '{}');
    expect((ours as { blks_hashes: string[] }).blks_hashes.length).toBeGreaterThanOrEqual(6);
    expect(ours).toEqual(theirs);
  });

  it('takes blocks off alike', async () => {
    const [ours, theirs] = await bothJson('pop_blocks', '{"nblocks":2}');
    expect(ours).toEqual(theirs);
    const [height, same] = await bothJson('get_height', '{}');
    expect(height).toEqual(same);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, parseJsonBytes } from '../../src/base/index.ts';
import { DaemonService } from '../../src/daemon/service/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { decodePortableStorage, encodePortableStorage, type StorageObject, storage } from '../../src/protocol/index.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { DIFFERENCES, knownOf } from '../support/daemon-comparison.ts';
import type { DaemonQuestion } from '../support/daemon-request-types.ts';
import { questionsFor } from '../support/daemon-requests.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { callRpc, post } from '../support/rpc.ts';

/**
 * What a restricted service tells strangers, with transactions waiting, one of which is not to be relayed: whatever monerod leaves empty,
 * the devnet leaves empty too, also where the values themselves are each one's own.
 */

/** A field that says nothing: missing, zero, empty, or the largest number, which stands for none. */
const isSilent = (value: unknown): boolean =>
  [undefined, null, 0, 0n, '', false, 2n ** 64n - 1n].includes(value as never) || (Array.isArray(value) && value.length === 0);

/** Paths of all fields that tell something; elements of a list count as one. */
function toldIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => toldIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return isSilent(value) ? [] : [path];
  return Object.entries(value).flatMap(([name, field]) => toldIn(field, `${path}.${name}`));
}

const ask = async (url: string, path: string, body: string) =>
  parseJsonBytes((await post(`${url}/${path}`, body, 'application/json')).body);

async function told(url: string, { kind, name, params }: DaemonQuestion): Promise<string[]> {
  const given = params === undefined ? '' : `,"params":${params}`;
  const body = kind === 'rpc' ? `{"jsonrpc":"2.0","id":"0","method":${JSON.stringify(name)}${given}}` : (params ?? '');
  const answer = await post(`${url}/${kind === 'rpc' ? 'json_rpc' : name}`, body, 'application/json');
  if (answer.status !== 200) return [`HTTP ${answer.status}`];
  try {
    return [...new Set(toldIn(parseJsonBytes(answer.body)))].sort();
  } catch {
    return ['bytes'];
  }
}

/** Rounded up to 5 GiB there; a chain in memory has none. */
const OWN = new Set(['.result.database_size', '.database_size']);

/** Whether it is known that both answer otherwise. */
const isKnown = ({ name }: DaemonQuestion): boolean =>
  DIFFERENCES.some(({ calls, release, params }) => !release && !params && calls.test(name));

/** Coins for more transactions than a restricted service hands over at once. */
const BLOCKS = 200;
const MANY = 103;

describe('a restricted service', () => {
  let devnet: ServedDevnet;
  let monerod: Monerod;
  const waiting: string[] = [];

  beforeAll(async () => {
    [devnet, monerod] = await Promise.all([
      serveDevnet({ history: { blocks: BLOCKS, transactions: 6 }, restrictedPort: 0 }),
      startMonerod({ restricted: true }),
    ]);
    await feed(monerod, devnet.node);
    const { node, faucet, minerWallet } = devnet;
    for (const hidden of [false, true]) {
      const id = faucet.give(minerWallet.address);
      const tx = node.pool.all.find((entry) => entry.id === id);
      const body = JSON.stringify({ tx_as_hex: bytesToHex(tx!.blob), do_not_relay: hidden });
      // It is handed in anew where it is to be kept back.
      if (hidden) await ask(devnet.url, 'json_rpc', `{"method":"flush_txpool","params":{"txids":["${id}"]}}`);
      for (const url of hidden ? [devnet.url, monerod.url] : [monerod.url])
        expect(await ask(url, 'send_raw_transaction', body)).toMatchObject({ status: 'OK' });
      waiting.push(id);
    }
  });
  afterAll(async () => {
    await Promise.all([devnet?.stop(), monerod?.stop()]);
  });

  it('tells nothing that monerod keeps to its owner', async () => {
    const ids = waiting;
    const questions: DaemonQuestion[] = [
      ...questionsFor(knownOf(devnet)),
      { kind: 'path', name: 'get_transactions', params: JSON.stringify({ txs_hashes: ids, decode_as_json: true }) },
      { kind: 'path', name: 'get_transactions', params: JSON.stringify({ txs_hashes: ids, prune: true }) },
    ];
    const unlike: unknown[] = [];
    let asked = 0;
    for (const question of questions.filter((each) => !isKnown(each))) {
      const [ours, theirs] = await Promise.all([told(devnet.restrictedUrl!, question), told(monerod.restrictedUrl!, question)]);
      asked++;
      const more = ours.filter((path) => !theirs.includes(path) && !OWN.has(path));
      const less = theirs.filter((path) => !ours.includes(path) && !OWN.has(path));
      if (more.length + less.length > 0) unlike.push([`${question.name} ${question.params ?? ''}`, more, less]);
    }
    expect(asked).toBeGreaterThan(1400);
    expect(unlike).toEqual([]);
  });

  it('makes templates of the same transactions as monerod: of those that are relayed, and to its owner of all', async () => {
    const { minerWallet } = devnet;
    const params = { wallet_address: minerWallet.address, reserve_size: 8 };
    const heldIn = async (url: string) => {
      const { blocktemplate_blob: blob } = await callRpc<{ blocktemplate_blob: string }>(url, 'get_block_template', params);
      return waiting.map((id) => blob.includes(id));
    };
    await monerod.untilRelayed();
    for (const [ours, theirs, held] of [
      [devnet.restrictedUrl!, monerod.restrictedUrl!, [true, false]],
      [devnet.url, monerod.url, [true, true]],
    ] as const) {
      expect(await heldIn(theirs)).toEqual(held);
      expect(await heldIn(ours)).toEqual(held);
    }
  });

  it('tells its owner alone for how long a transaction has waited, as monerod does', async () => {
    const waitedFor = async (url: string): Promise<bigint> => {
      const { backlog } = (await DaemonService.connect({ url }).getTxpoolBacklog()).check((answer) => answer);
      return backlog[2]!;
    };
    for (const { url, restrictedUrl } of [monerod, devnet]) {
      await expect.poll(() => waitedFor(url), { timeout: 10_000 }).toBeGreaterThan(0n);
      expect(await waitedFor(restrictedUrl!)).toBe(0n);
    }
  });

  const { object, objects, u8, u64, u64s } = storage;

  it('bounds what a binary request asks for as monerod does, and the open one does not', async () => {
    const heights = (count: number) => object({ heights: u64s(new Array<bigint>(count).fill(0n)) });
    const outputs = (count: number) =>
      object({ outputs: objects(Array.from({ length: count }, () => object({ amount: u64(0), index: u64(1) }))) });
    const requests: readonly [string, StorageObject][] = [
      ...[1000, 1001].map((count): [string, StorageObject] => ['get_blocks_by_height.bin', heights(count)]),
      ...[5000, 5001].map((count): [string, StorageObject] => ['get_outs.bin', outputs(count)]),
      ...[[0n], [0n, 0n], [5n], [0n, 5n]].map((amounts): [string, StorageObject] => [
        'get_output_distribution.bin',
        object({ amounts: u64s(amounts) }),
      ]),
      ['get_output_distribution.bin', object({})],
      ...['get_blocks', 'get_blocks_by_height', 'get_hashes', 'get_o_indexes', 'get_outs', 'get_output_distribution'].map(
        (name): [string, StorageObject] => [`${name}.bin`, object({ client: u64(5) })],
      ),
    ];
    const restricted = new BothNodes({ url: devnet.restrictedUrl! }, { url: monerod.restrictedUrl! });
    for (const both of [restricted, new BothNodes(devnet, monerod)]) {
      for (const [i, [name, request]] of requests.entries()) {
        const [ours, theirs] = await both.binary(name, encodePortableStorage(request));
        expect(Buffer.from(ours).equals(theirs), `${name}, request ${i}`).toBe(true);
      }
    }
  });

  it('hands over a hundred waiting transactions and names the others, as monerod does', async () => {
    const { node, faucet, minerWallet } = devnet;
    while (node.pool.visible.length < MANY) {
      const { blob } = node.pool.get(faucet.give(minerWallet.address))!;
      expect(await monerod.path('send_raw_transaction', { tx_as_hex: bytesToHex(blob) })).toMatchObject({ status: 'OK' });
    }
    await monerod.untilRelayed();
    const ids = node.pool.visible.map(({ id }) => id).sort();
    for (const wanted of [1, 2]) {
      const asked = object({ requested_info: u8(wanted), start_height: u64(BLOCKS) });
      const both = new BothNodes({ url: devnet.restrictedUrl! }, { url: monerod.restrictedUrl! });
      const replies = (await both.binary('get_blocks.bin', encodePortableStorage(asked))).map(([, ...reply]) =>
        decodePortableStorage(Uint8Array.from(reply)),
      );
      const [ours, theirs] = replies.map((reply) => ({
        whole: reply.getObjects('added_pool_txs').map((tx) => bytesToHex(tx.getBytes('tx_hash'))),
        named: reply.getPacked('remaining_added_pool_txids', 32).map(bytesToHex),
      }));
      expect(theirs!.whole).toHaveLength(100);
      expect([...theirs!.whole, ...theirs!.named].sort()).toEqual(ids);
      expect(ours).toEqual(theirs);
    }
  });

  it('names what is flushed at once in the order of monerod', async () => {
    const both = new BothNodes(devnet, monerod);
    const asked = object({ requested_info: u8(2), pool_info_since: u64(BigInt(devnet.node.now())), start_height: u64(BLOCKS) });
    await both.rpc('flush_txpool');
    const [ours, theirs] = (await both.binary('get_blocks.bin', encodePortableStorage(asked))).map(([, ...reply]) =>
      decodePortableStorage(Uint8Array.from(reply)).getPacked('removed_pool_txids', 32).map(bytesToHex),
    );
    expect(theirs!.length).toBeGreaterThan(1);
    expect(ours).toEqual(theirs);
  });
});

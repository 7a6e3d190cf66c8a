import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, parseJsonBytes } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { DIFFERENCES, knownOf } from '../support/daemon-comparison.ts';
import type { DaemonQuestion } from '../support/daemon-request-types.ts';
import { questionsFor } from '../support/daemon-requests.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { post } from '../support/rpc.ts';

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

describe('a restricted service', () => {
  let devnet: ServedDevnet;
  let monerod: Monerod;
  const waiting: string[] = [];

  beforeAll(async () => {
    [devnet, monerod] = await Promise.all([
      serveDevnet({ history: { blocks: 100, transactions: 6 }, restrictedPort: 0 }),
      startMonerod({ restricted: true }),
    ]);
    for (let height = 1; height < devnet.node.chain.height; height++) {
      const block = devnet.node.chain.blockAt(height)!;
      for (const tx of block.transactions) await monerod.path('send_raw_transaction', { tx_as_hex: bytesToHex(tx.blob) });
      await monerod.rpc('submit_block', [bytesToHex(block.blob)]);
    }
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
});

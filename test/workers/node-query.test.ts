import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDaemonError } from '../../src/daemon/index.ts';
import { DaemonService } from '../../src/daemon/service/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { formatAnswer } from '../../workers/node-query/answer.ts';
import { NodeQueryError, parseParameters, READ_ONLY_CALLS } from '../../workers/node-query/calls.ts';
import { askNode } from '../../workers/node-query/index.ts';
import { knownOf } from '../support/daemon-comparison.ts';

let devnet: ServedDevnet;
beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 90, transactions: 2 }, restrictedPort: 0 });
});
afterAll(() => devnet?.stop());

const node = (url: string) => ({ url, trusted: false });

describe('a node asked by hand', () => {
  it('answers every call that is offered, and none of them changes anything', async () => {
    const { address, block, keyImage, transaction } = knownOf(devnet);
    const written: Record<string, string> = {
      height: '7',
      count: '3',
      hash: block,
      start_height: '1',
      end_height: '2',
      from_height: '0',
      to_height: '5',
      txs_hashes: transaction,
      txid: transaction,
      key_images: `${keyImage}\n${keyImage}`,
      outputs: '0 3\n0 4',
      amounts: '0',
      address: '1.2.3.4',
      wallet_address: address,
    };
    const before = [devnet.node.chain.top.id, devnet.node.pool.visible.length];
    for (const { name } of READ_ONLY_CALLS) {
      const { lines, json } = await askNode(node(devnet.url), name, written);
      expect(json, name).not.toBe('');
      if (!/bans|peer|public|connections|alt|pool|backlog/.test(name)) expect(lines.length, name).toBeGreaterThan(0);
    }
    expect([devnet.node.chain.top.id, devnet.node.pool.visible.length]).toEqual(before);
  });

  it('is asked nothing but calls that read', async () => {
    for (const name of ['stop_daemon', 'send_raw_transaction', 'generateblocks', 'pop_blocks', 'nonsense', '__proto__']) {
      await expect(askNode(node(devnet.url), name, {}), name).rejects.toThrow(NodeQueryError);
    }
  });

  it('that is restricted says which calls are for its owner', async () => {
    const outcome = (name: string) =>
      askNode(node(devnet.restrictedUrl!), name, {}).then(
        () => 'OK',
        (error: unknown) => (isDaemonError(error) ? error.code : String(error)),
      );
    expect(await outcome('get_info')).toBe('OK');
    expect(await outcome('get_connections')).toBe('not-offered');
    expect(await outcome('get_peer_list')).toBe('not-offered');
  });
});

describe('what a person writes', () => {
  it('is read by its kind', () => {
    const id = 'AB'.repeat(32);
    expect(parseParameters('get_block', { hash: ` ${id} ` })).toEqual({ hash: id.toLowerCase() });
    expect(parseParameters('on_get_block_hash', { height: '5' })).toEqual([5]);
    expect(parseParameters('get_output_histogram', { amounts: '0, 18446744073709551615', unlocked: 'true' })).toEqual({
      amounts: [0n, 2n ** 64n - 1n],
      unlocked: true,
    });
    expect(parseParameters('get_outs', { outputs: '0 1\n0 2' })).toMatchObject({
      outputs: [{ amount: 0n, index: 1n }, { index: 2n }],
    });
    expect(parseParameters('hard_fork_info', {})).toEqual({});
  });

  it.each([
    ['get_block', {}, 'height', true],
    ['get_block', { height: '-1' }, 'height', false],
    ['get_block', { hash: 'ab' }, 'hash', false],
    ['get_block_header_by_height', { height: '1.5' }, 'height', false],
    ['get_transactions', { txs_hashes: '' }, 'txs_hashes', true],
    ['get_outs', { outputs: '0 1 2' }, 'outputs', false],
    ['get_output_histogram', { amounts: '18446744073709551616' }, 'amounts', false],
  ])('%s with %j says which part is wrong', (name, written, parameter, missing) => {
    const asked = () => parseParameters(name, written);
    expect(asked).toThrow(
      expect.objectContaining({ code: 'bad-parameter', data: expect.objectContaining({ parameter, missing }) }),
    );
  });
});

describe('an answer that is spelt out', () => {
  it('has every number whole, wide ones as one, and units where there are some', async () => {
    const { lines } = await askNode(node(devnet.url), 'get_block_header_by_height', { height: '7' });
    const line = (name: string) => lines.find((each) => each.name === name);
    const header = devnet.node.chain.blockAt(7)!;
    expect(line('hash')).toEqual({ depth: 1, name: 'hash', value: header.id });
    expect(line('reward')?.measure).toEqual({ unit: 'amount', value: BigInt(line('reward')!.value) });
    expect(line('timestamp')?.measure?.unit).toBe('time');
    expect(line('cumulative_difficulty')?.value).toBe(String(header.cumulativeDifficulty));
    expect(lines.some(({ name }) => /_top64|^wide_|^status$/.test(name))).toBe(false);
  });

  it('is cut where it is too long, and whole as JSON', () => {
    const list = Array.from({ length: 500 }, (_, at) => at);
    const { lines, cut, json } = formatAnswer('x', { list, free_space: 2n ** 64n - 1n });
    expect([lines.length, cut]).toEqual([400, true]);
    expect(json).toContain('18446744073709551615');
    expect(formatAnswer('x', { free_space: 2n ** 64n - 1n }).lines).toEqual([
      { depth: 0, name: 'free_space', value: '18446744073709551615' },
    ]);
  });

  it('is an error if a field has another type than it should', async () => {
    const lying = ((_: unknown) =>
      Promise.resolve(new Response('{"status":"OK","height":"many","hash":""}'))) as unknown as typeof fetch;
    const service = DaemonService.connect({ url: 'http://127.0.0.1:1', fetch: lying });
    await expect(service.readByName('get_height')).rejects.toMatchObject({ code: 'malformed' });
    await expect(service.readByName('no_such_call')).rejects.toMatchObject({ code: 'not-offered' });
  });
});

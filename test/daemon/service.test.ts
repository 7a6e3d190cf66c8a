import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { isDaemonError } from '../../src/daemon/index.ts';
import { DaemonService } from '../../src/daemon/service/index.ts';
import type { DaemonRequest, DaemonTransport } from '../../src/daemon/transport/port.ts';

/** A daemon that gives one answer to everything, and remembers what it was asked. */
function answering(body: unknown, status = 200) {
  const asked: DaemonRequest[] = [];
  const transport: DaemonTransport = {
    request: async (request) => {
      asked.push(request);
      const text = typeof body === 'string' ? body : stringifyJson(body as never);
      return { status, body: new TextEncoder().encode(text) };
    },
  };
  return { asked, service: new DaemonService({ transport, retry: { attempts: 1 } }) };
}

const result = (fields: object) => ({ jsonrpc: '2.0', id: '0', result: { status: 'OK', ...fields } });
const believe = <T>(value: T): T => value;

describe('the daemon service', () => {
  it('has a method for every call of the specification', () => {
    const { service } = answering({});
    const names = Object.keys(service);
    const methods = [
      ...['getBlockCount', 'onGetBlockHash', 'getBlockTemplate', 'submitBlock', 'generateBlocks', 'getLastBlockHeader'],
      ...['getBlockHeaderByHash', 'getBlockHeaderByHeight', 'getBlockHeadersRange', 'getBlock', 'getConnections', 'getInfo'],
      ...['hardForkInfo', 'setBans', 'getBans', 'banned', 'flushTxpool', 'getOutputHistogram', 'getCoinbaseTxSum', 'getVersion'],
      ...['getFeeEstimate', 'getAlternateChains', 'relayTx', 'syncInfo', 'getTxpoolBacklog', 'getOutputDistribution'],
      ...['getMinerData', 'pruneBlockchain', 'calcPow', 'flushCache', 'addAuxPow'],
    ];
    const paths = [
      ...['getHeight', 'getBlocksBin', 'getBlocksByHeightBin', 'getHashesBin', 'getOIndexesBin', 'getOutsBin', 'getOuts'],
      ...['getTransactions', 'getAltBlocksHashes', 'isKeyImageSpent', 'sendRawTransaction', 'startMining', 'stopMining'],
      ...['miningStatus', 'saveBc', 'getPeerList', 'setLogHashRate', 'setLogLevel', 'setLogCategories', 'setBootstrapDaemon'],
      ...['getTransactionPool', 'getTransactionPoolHashesBin', 'getTransactionPoolStats', 'stopDaemon', 'getInfoByPath'],
      ...['getLimit', 'setLimit', 'outPeers', 'inPeers', 'getNetStats', 'startSaveGraph', 'stopSaveGraph', 'update', 'popBlocks'],
    ];
    expect([methods.length, paths.length]).toEqual([31, 34]);
    expect([...methods, ...paths].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('reads numbers of 128 bits out of their halves, and of old daemons out of one', async () => {
    const whole = (5n << 64n) | (2n ** 63n + 1n);
    const header = { difficulty: 2n ** 63n + 1n, difficulty_top64: 5, wide_difficulty: `0x${whole.toString(16)}` };
    const { service } = answering(result({ block_header: header }));
    expect((await service.getLastBlockHeader()).check(believe).blockHeader.difficulty).toBe(whole);
    const old = answering(result({ block_header: { difficulty: 7 } })).service;
    expect((await old.getLastBlockHeader()).check(believe).blockHeader.difficulty).toBe(7n);
  });

  it('T6 refuses a number whose halves are not what the whole is, and fields of another type', async () => {
    const wrong = { difficulty: 5, difficulty_top64: 1, wide_difficulty: '0x5' };
    for (const fields of [wrong, { hash: 'zz' }, { height: -1 }, { orphan_status: 1 }, { reward: 'much' }]) {
      const { service } = answering(result({ block_header: fields }));
      await expect(service.getLastBlockHeader()).rejects.toMatchObject({ code: 'malformed' });
    }
  });

  it('T6 refuses a number in hex that is none', async () => {
    for (const difficulty of ['zz', '', '12', '-0x1']) {
      const { service } = answering(result({ difficulty }));
      await expect(service.getMinerData(), difficulty).rejects.toMatchObject({ code: 'malformed' });
    }
    const { service } = answering(result({ difficulty: '0x12' }));
    expect((await service.getMinerData()).check(believe).difficulty).toBe(0x12n);
  });

  it('tells an error by its code where the answer would be a text', async () => {
    const { service } = answering({ error: { code: -2, message: 'too high' } });
    await expect(service.onGetBlockHash([7])).rejects.toMatchObject({ code: 'rpc-error', data: { code: -2 } });
  });

  const outcomes: readonly [string, unknown, number, string][] = [
    ['a status', result({ status: 'Failed' }), 200, 'bad-status'],
    ['a busy daemon', result({ status: 'BUSY' }), 200, 'busy'],
    ['a busy daemon by its number', { error: { code: -9, message: 'Core is busy' } }, 200, 'busy'],
    ['a call that must be paid for', result({ status: 'PAYMENT REQUIRED' }), 200, 'payment-required'],
    ['a payment too low', { error: { code: -16, message: 'Payment too low' } }, 200, 'payment-required'],
    ['too much asked of a restricted one', { error: { code: -19, message: 'Too many' } }, 200, 'restricted'],
    ['a status of a restricted one', result({ status: 'Too many blocks requested in restricted mode' }), 200, 'restricted'],
    ['a method that is not there', { error: { code: -32601, message: 'Method not found' } }, 200, 'not-offered'],
    ['a path that is not there', '', 404, 'not-offered'],
    ['an error', { error: { code: -2, message: 'too high' } }, 200, 'rpc-error'],
    ['another HTTP status', '', 500, 'http-status'],
  ];
  it.each(outcomes)('tells %s by its code', async (_what, body, status, code) => {
    const outcome = await answering(body, status)
      .service.getInfo()
      .catch((error: unknown) => (isDaemonError(error) ? error.code : error));
    expect(outcome).toBe(code);
  });

  it('sends names and lists as the daemon has them, and asks once for what acts', async () => {
    const { service, asked } = answering(result({ untrusted: true }));
    expect((await service.setBans({ bans: [{ host: '1.2.3.4', ban: true, seconds: 5 }] })).check(believe).untrusted).toBe(true);
    await service.getBlockTemplate({ walletAddress: '4', reserveSize: 8 });
    const bodies = asked.map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as { method: string; params: unknown });
    expect(bodies.map(({ method }) => method)).toEqual(['set_bans', 'get_block_template']);
    expect(bodies.map(({ params }) => params)).toEqual([
      { bans: [{ host: '1.2.3.4', ban: true, seconds: 5 }] },
      { wallet_address: '4', reserve_size: 8 },
    ]);
    let tries = 0;
    const failing: DaemonTransport = {
      request: async () => {
        tries += 1;
        return { status: 503, body: new Uint8Array() };
      },
    };
    const patient = new DaemonService({ transport: failing, retry: { attempts: 3, firstPause: 0, longestPause: 0 } });
    await expect(patient.popBlocks({ nblocks: 1 })).rejects.toMatchObject({ code: 'http-status' });
    expect(tries).toBe(1);
    await expect(patient.getHeight()).rejects.toMatchObject({ code: 'http-status' });
    expect(tries).toBe(4);
  });

  it('hands a reply over as it came when it is asked by name', async () => {
    const { service, asked } = answering({ status: 'NOT MINING', news: 'ü' });
    expect((await service.askByName('/set_log_hash_rate', { visible: true })).check(believe)).toEqual({
      status: 'NOT MINING',
      news: 'ü',
    });
    expect(asked[0]?.path).toBe('/set_log_hash_rate');
    await expect(service.askByName('frobnicate')).rejects.toMatchObject({ code: 'not-offered' });
  });
});

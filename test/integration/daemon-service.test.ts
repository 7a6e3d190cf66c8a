import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, U64_MAX } from '../../src/base/index.ts';
import { isDaemonError } from '../../src/daemon/index.ts';
import { DaemonService } from '../../src/daemon/service/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { feed } from '../support/beside-monerod.ts';
import { knownOf } from '../support/daemon-comparison.ts';
import type { KnownChain } from '../support/daemon-request-types.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';

/** Every call asked through its typed method, of monerod of two releases, open and restricted, and of the devnet: one chain. */
const BLOCKS = 90;
const believe = <T>(value: T): T => value;

let devnet: ServedDevnet;
let known: KnownChain;
const monerods = new Map<string, Monerod>();

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: BLOCKS, transactions: 4 }, restrictedPort: 0 });
  known = knownOf(devnet);
  for (const release of ['0.18.5.3', '0.18.0.0'] as const) {
    const monerod = await startMonerod({ release, restricted: true });
    monerods.set(release, monerod);
    await feed(monerod, devnet.node);
  }
});

afterAll(async () => {
  await Promise.all([devnet?.stop(), ...[...monerods.values()].map((monerod) => monerod.stop())]);
});

/** Each call that can be asked without ending something, as one would. */
function asks(service: DaemonService): Readonly<Record<string, () => Promise<unknown>>> {
  const ids = [devnet.node.chain.blockAt(80)!.id, devnet.node.chain.blockAt(0)!.id];
  const { address: walletAddress, blockBlob, transaction } = known;
  const pair = { id: 'ab'.repeat(32), hash: 'cd'.repeat(32) };
  const proof = { majorVersion: 1, height: 1, blockBlob, seedHash: '00'.repeat(32) };
  const outputs = [{ amount: 0n, index: 3n }];
  return {
    getBlockCount: () => service.getBlockCount(),
    onGetBlockHash: () => service.onGetBlockHash([5]),
    getBlockTemplate: () => service.getBlockTemplate({ walletAddress, reserveSize: 8 }),
    getMinerData: () => service.getMinerData(),
    calcPow: () => service.calcPow(proof),
    addAuxPow: () => service.addAuxPow({ blocktemplateBlob: blockBlob, auxPow: [pair] }),
    getLastBlockHeader: () => service.getLastBlockHeader(),
    getBlockHeaderByHash: () => service.getBlockHeaderByHash({ hash: known.block, hashes: [known.top] }),
    getBlockHeaderByHeight: () => service.getBlockHeaderByHeight({ height: 7 }),
    getBlockHeadersRange: () => service.getBlockHeadersRange({ startHeight: 1, endHeight: 80 }),
    getBlock: () => service.getBlock({ height: known.blockHeight }),
    getConnections: () => service.getConnections(),
    getInfo: () => service.getInfo(),
    getInfoByPath: () => service.getInfoByPath(),
    hardForkInfo: () => service.hardForkInfo({ version: 16 }),
    setBans: () => service.setBans({ bans: [{ host: '1.2.3.4', ban: true, seconds: 600 }] }),
    getBans: () => service.getBans(),
    banned: () => service.banned({ address: '1.2.3.4' }),
    flushTxpool: () => service.flushTxpool(),
    getOutputHistogram: () => service.getOutputHistogram({ amounts: [0n], unlocked: true }),
    getVersion: () => service.getVersion(),
    getCoinbaseTxSum: () => service.getCoinbaseTxSum({ height: 0, count: 50 }),
    getFeeEstimate: () => service.getFeeEstimate({ graceBlocks: 10 }),
    getAlternateChains: () => service.getAlternateChains(),
    relayTx: () => service.relayTx({ txids: [] }),
    syncInfo: () => service.syncInfo(),
    getTxpoolBacklog: () => service.getTxpoolBacklog(),
    getOutputDistribution: () => service.getOutputDistribution({ amounts: [0n], fromHeight: 3, compress: true }),
    pruneBlockchain: () => service.pruneBlockchain({ check: true }),
    flushCache: () => service.flushCache({ badBlocks: true }),
    rpcAccessInfo: () => service.rpcAccessInfo({ client: '' }),
    rpcAccessTracking: () => service.rpcAccessTracking({ clear: true }),
    getHeight: () => service.getHeight(),
    getBlocksBin: () => service.getBlocksBin({ blockIds: ids, prune: true }),
    getBlocksByHeightBin: () => service.getBlocksByHeightBin({ heights: [1, known.blockHeight] }),
    getHashesBin: () => service.getHashesBin({ blockIds: ids }),
    getOIndexesBin: () => service.getOIndexesBin({ txid: transaction }),
    getOutsBin: () => service.getOutsBin({ outputs, getTxid: true }),
    getOutputDistributionBin: () => service.getOutputDistributionBin({ amounts: [0n], fromHeight: 5 }),
    getOuts: () => service.getOuts({ outputs, getTxid: true }),
    getTransactions: () => service.getTransactions({ txsHashes: [transaction, 'ab'.repeat(32)], decodeAsJson: true }),
    getAltBlocksHashes: () => service.getAltBlocksHashes(),
    isKeyImageSpent: () => service.isKeyImageSpent({ keyImages: [known.keyImage] }),
    sendRawTransaction: () => service.sendRawTransaction({ txAsHex: '00' }),
    miningStatus: () => service.miningStatus(),
    saveBc: () => service.saveBc(),
    getPeerList: () => service.getPeerList(),
    getPublicNodes: () => service.getPublicNodes(),
    setLogLevel: () => service.setLogLevel({ level: 0 }),
    setLogCategories: () => service.setLogCategories({ categories: '*:ERROR' }),
    getTransactionPool: () => service.getTransactionPool(),
    getTransactionPoolHashes: () => service.getTransactionPoolHashes(),
    getTransactionPoolHashesBin: () => service.getTransactionPoolHashesBin(),
    getTransactionPoolStats: () => service.getTransactionPoolStats(),
    getLimit: () => service.getLimit(),
    setLimit: () => service.setLimit({ limitDown: 0, limitUp: 0 }),
    outPeers: () => service.outPeers({ outPeers: 12 }),
    inPeers: () => service.inPeers({ inPeers: 7 }),
    getNetStats: () => service.getNetStats(),
    popBlocks: () => service.popBlocks({ nblocks: 0 }),
    // Refused in words of their own.
    stopMining: () => service.stopMining(),
    startMining: () => service.startMining({ minerAddress: 'x', threadsCount: 1 }),
    setLogHashRate: () => service.setLogHashRate({ visible: true }),
    update: () => service.update({ command: 'check' }),
    submitBlock: () => service.submitBlock(['00']),
    generateBlocks: () => service.generateBlocks({ amountOfBlocks: 1, walletAddress: 'x' }),
    rpcAccessPay: () => service.rpcAccessPay({ client: '', payingFor: 'x', payment: 1n }),
    rpcAccessSubmitNonce: () => service.rpcAccessSubmitNonce({ client: '', nonce: 0, cookie: 0 }),
    rpcAccessData: () => service.rpcAccessData(),
    rpcAccessAccount: () => service.rpcAccessAccount({ client: '' }),
    setBootstrapDaemon: () => service.setBootstrapDaemon({ address: '' }),
    startSaveGraph: () => service.startSaveGraph(),
    stopSaveGraph: () => service.stopSaveGraph(),
    getTxidsLoose: () => service.getTxidsLoose({ txidTemplate: transaction, numMatchingBits: 20 }),
  };
}

const REFUSED: Readonly<Record<string, string>> = {
  stopMining: 'bad-status',
  startMining: 'bad-status',
  setLogHashRate: 'bad-status',
  update: 'bad-status',
  submitBlock: 'rpc-error',
  generateBlocks: 'rpc-error',
  rpcAccessPay: 'bad-status',
  rpcAccessSubmitNonce: 'bad-status',
  rpcAccessData: 'rpc-error',
  rpcAccessAccount: 'rpc-error',
};

/** What restricted daemons keep to their owner. */
const OWNERS = new Set([
  ...['calcPow', 'generateBlocks', 'getConnections', 'setBans', 'getBans', 'banned', 'flushTxpool', 'getCoinbaseTxSum'],
  ...['getAlternateChains', 'relayTx', 'syncInfo', 'pruneBlockchain', 'flushCache', 'rpcAccessTracking', 'rpcAccessData'],
  ...['rpcAccessAccount', 'getAltBlocksHashes', 'startMining', 'stopMining', 'miningStatus', 'saveBc', 'getPeerList'],
  ...['setLogHashRate', 'setLogLevel', 'setLogCategories', 'getTransactionPool', 'getNetStats', 'setLimit', 'outPeers'],
  ...['inPeers', 'update', 'popBlocks', 'setBootstrapDaemon', 'startSaveGraph', 'stopSaveGraph'],
]);
/** What no monerod of today has: of releases before and after. */
const NOT_THERE = new Set(['startSaveGraph', 'stopSaveGraph', 'getTxidsLoose']);
/** Of those, what 0.18.0.0 tells everybody. */
const TOLD_BEFORE = new Set(['getAltBlocksHashes', 'getTransactionPool']);

async function outcomesOf(url: string): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const [name, ask] of Object.entries(asks(DaemonService.connect({ url, retry: { attempts: 1 } })))) {
    outcomes[name] = await ask().then(
      () => 'OK',
      (error: unknown) => (isDaemonError(error) ? error.code : String(error)),
    );
  }
  return outcomes;
}

const expected = (isMissing: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.keys(asks(DaemonService.connect({ url: 'http://127.0.0.1:1' }))).map((name) => [
      name,
      isMissing(name) ? 'not-offered' : (REFUSED[name] ?? 'OK'),
    ]),
  );

describe('the typed methods of every call', () => {
  it('are all asked, but for the one that ends the daemon, which is asked last', () => {
    const service = DaemonService.connect({ url: 'http://127.0.0.1:1' });
    const known = new Set([...Object.keys(asks(service)), 'stopDaemon']);
    expect(Object.keys(service).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(['0.18.5.3', '0.18.0.0'])('are answered by monerod %s, open and restricted', async (release) => {
    const { url, restrictedUrl } = monerods.get(release)!;
    const isKept = (name: string) => OWNERS.has(name) && !(release === '0.18.0.0' && TOLD_BEFORE.has(name));
    expect(await outcomesOf(url)).toEqual(expected((name) => NOT_THERE.has(name)));
    expect(await outcomesOf(restrictedUrl!)).toEqual(expected((name) => NOT_THERE.has(name) || isKept(name)));
  });

  it('are answered by the devnet, open and restricted', async () => {
    expect(await outcomesOf(devnet.url)).toEqual(expected(() => false));
    expect(await outcomesOf(devnet.restrictedUrl!)).toEqual(expected((name) => OWNERS.has(name)));
  });

  it('tell the same of the chain, whoever is asked', async () => {
    const tell = async (url: string) => {
      const service = DaemonService.connect({ url });
      const outputs = [0n, 3n, 60n].map((index) => ({ amount: 0n, index }));
      const [header, sum, outs, outsBin, blocks, indices, found] = await Promise.all([
        service.getBlockHeaderByHeight({ height: known.blockHeight }),
        service.getCoinbaseTxSum({ height: 0, count: BLOCKS }),
        service.getOuts({ outputs, getTxid: true }),
        service.getOutsBin({ outputs, getTxid: true }),
        service.getBlocksBin({ startHeight: known.blockHeight, prune: false }),
        service.getOIndexesBin({ txid: known.transaction }),
        service.getTransactions({ txsHashes: [known.transaction] }),
      ]);
      const { daemonTime: _, ...rest } = blocks.check(believe);
      return [header, sum, outs, outsBin, indices, found].map((answer) => answer.check(believe)).concat(rest as never);
    };
    const [ours, today, old] = await Promise.all([devnet.url, ...[...monerods.values()].map(({ url }) => url)].map(tell));
    expect(today).toEqual(ours);
    expect(old).toEqual(ours);
  });

  it('say what a restricted daemon will not do', async () => {
    for (const url of [devnet.restrictedUrl!, monerods.get('0.18.5.3')!.restrictedUrl!]) {
      const service = DaemonService.connect({ url });
      const keyImages = Array.from({ length: 5001 }, () => '01'.padEnd(64, '0'));
      await expect(service.isKeyImageSpent({ keyImages })).rejects.toMatchObject({ code: 'restricted' });
      await expect(service.getOutputDistribution({ amounts: [0n, 1n] })).rejects.toMatchObject({ code: 'restricted' });
      await expect(service.getOutputHistogram({})).rejects.toMatchObject({ code: 'restricted' });
      const old = { amounts: [0n], recentCutoff: 1_000_000_000 };
      await expect(service.getOutputHistogram(old)).rejects.toMatchObject({ code: 'restricted' });
      const outputs = new Array(5001).fill({ amount: 0n, index: 0n });
      await expect(service.getOuts({ outputs })).rejects.toMatchObject({ code: 'restricted' });
      await expect(service.getOutsBin({ outputs })).rejects.toMatchObject({ code: 'restricted' });
    }
  });

  it('show what is not to be relayed', async () => {
    const id = devnet.faucet.give(devnet.minerWallet.address);
    const txAsHex = bytesToHex(devnet.node.pool.get(id)!.blob);
    devnet.node.pool.clear();
    for (const url of [devnet.url, monerods.get('0.18.5.3')!.url]) {
      const service = DaemonService.connect({ url });
      (await service.sendRawTransaction({ txAsHex, doNotRelay: true })).check(believe);
      const { transactions } = (await service.getTransactionPool()).check(believe);
      expect(transactions).toMatchObject([{ idHash: id, relayed: false, doNotRelay: true, lastRelayedTime: U64_MAX }]);
    }
  });

  it('end a daemon, and no restricted one', async () => {
    for (const { url, restrictedUrl } of monerods.values()) {
      const [owner, stranger] = [url, restrictedUrl!].map((each) => DaemonService.connect({ url: each, retry: { attempts: 1 } }));
      await expect(stranger!.stopDaemon()).rejects.toMatchObject({ code: 'not-offered' });
      await owner!.stopDaemon();
      const isThere = () =>
        owner!.getHeight().then(
          () => true,
          (error: unknown) => !isDaemonError(error, 'unreachable'),
        );
      // It ends in its own time.
      while (await isThere());
    }
  });
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/load.ts';
import { DaemonClient, type DaemonError, type UntrustedBlocks } from '../../src/daemon/index.ts';
import {
  blockId,
  decodePortableStorage,
  type KeyImage,
  parseBlock,
  parseTransaction,
  type TxHash,
  transactionHash,
  transactionHashFromPruned,
} from '../../src/protocol/index.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc, toBigint } from '../support/programs.ts';

const RESTRICTED = 'a restricted daemon';
/** Enough outputs for monero-wallet-rpc to find decoys among (see the launcher). */
const BLOCKS = 260;

const believe = <T>(value: T): T => value;

describe.each(['0.18.5.3', '0.18.0.0'] as const)('release %s', (release) => {
  const isNew = release === '0.18.5.3';
  /** What it says of itself at a height. */
  const version = (height: number) =>
    isNew
      ? {
          major: 3,
          minor: 16,
          currentHeight: height,
          hardForks: [
            { version: 1, height: 0 },
            { version: 16, height: 1 },
          ],
        }
      : { major: 3, minor: 10, currentHeight: undefined, hardForks: [] };
  let monerod: Monerod;
  let wallet: MoneroWalletRpc;
  let address: string;
  let poolTx: { readonly hash: TxHash; readonly fee: bigint; readonly blob: string; readonly weight: number };
  let minedTx: TxHash;

  beforeAll(async () => {
    await loadCrypto();
    monerod = await startMonerod({ restricted: true, release });
    wallet = await startWalletRpc({ daemon: monerod.url, release });
    address = await wallet.createWallet('w');
    await monerod.generateBlocks(BLOCKS, address);
    await wallet.refreshToHeight(monerod);
    minedTx = (await wallet.transfer([{ address, amount: 10n ** 12n }])).tx_hash as TxHash;
    await monerod.generateBlocks(1, address);
    await wallet.refreshToHeight(monerod);
    const tx = await wallet.transfer([{ address, amount: 2n * 10n ** 12n }]);
    poolTx = { hash: tx.tx_hash as TxHash, fee: toBigint(tx.fee), blob: tx.tx_blob, weight: tx.weight };
    await monerod.untilRelayed();
  }, 300_000);

  afterAll(async () => {
    await wallet?.stop();
    await monerod?.stop();
  });

  const clientOf = (place: string) =>
    DaemonClient.connect({ url: place === RESTRICTED ? monerod.restrictedUrl! : monerod.url, retry: { attempts: 1 } });

  /** An outline without the places. */
  const counts = ({ outline: { layout: _, ...rest }, tip }: UntrustedBlocks) => ({ ...rest, currentHeight: tip.check(believe) });

  describe.each(['an open daemon', RESTRICTED])('and its client of %s', (place) => {
    it('learns its height, network, version and forks', async () => {
      const client = clientOf(place);
      const height = await monerod.height();
      expect((await client.getHeight()).check(believe)).toMatchObject({ height });
      const info = (await client.getInfo()).check(believe);
      expect(info).toMatchObject({ height, nettype: 'fakechain', restricted: place === RESTRICTED, blockWeightLimit: 600_000 });
      expect(info.topBlockHash).toBe((await client.getHeight()).check(({ hash }) => hash));
      expect((await client.getVersion()).check(believe)).toMatchObject(version(height));
    });

    it('gets blocks from a height, from a history, at the tip and beyond it', async () => {
      const client = clientOf(place);
      const height = await monerod.height();
      const { hash } = (await client.getHeight()).check(believe);
      const genesis = (await client.getBlockHeaderByHeight(0)).check((header) => header.hash);
      const known = (await client.getBlockHeaderByHeight(200)).check((header) => header.hash);

      const fromHeight = await client.getBlocks({ startHeight: 1, prune: true });
      expect(counts(fromHeight)).toEqual({ startHeight: 1, currentHeight: height, blocks: height - 1, transactions: 1 });
      const reply = fromHeight.check((buffer) => decodePortableStorage(new Uint8Array(buffer)));
      expect(reply.getObjects('blocks')).toHaveLength(height - 1);
      expect(bytesToHex(blockId(parseBlock(reply.getObjects('blocks').at(-1)!.getBytes('block'))))).toBe(hash);

      const fromHistory = await client.getBlocks({ blockIds: [known, genesis], prune: false });
      expect(counts(fromHistory)).toEqual({
        startHeight: 200,
        currentHeight: height,
        blocks: height - 200,
        transactions: 1,
      });

      const tip = await client.getBlocks({ blockIds: [hash, genesis], prune: true });
      expect(counts(tip)).toEqual({ startHeight: 0, currentHeight: height, blocks: 0, transactions: 0 });
      await expect(client.getBlocks({ startHeight: height, prune: true })).rejects.toMatchObject({ code: 'bad-status' });

      const few = await client.getBlocks({ startHeight: 1, prune: true, maxBlockCount: 7 });
      expect(few.outline.blocks).toBe(isNew ? 7 : height - 1);

      const progress: number[] = [];
      await client.getBlocks({ startHeight: 1, prune: true, onProgress: (received) => progress.push(received) });
      expect(progress.at(-1)).toBe(fromHeight.check((buffer) => buffer.byteLength));
    });

    it('gets whole blocks and headers', async () => {
      const client = clientOf(place);
      const height = await monerod.height();
      const headers = (await client.getBlockHeadersRange(0, height - 1)).check(believe);
      expect(headers.map((header) => header.height)).toEqual(Array.from({ length: height }, (_, n) => n));
      for (const [n, header] of headers.entries()) if (n > 0) expect(header.prevHash).toBe(headers[n - 1]!.hash);
      const heights = Array.from({ length: 120 }, (_, n) => height - 1 - n);
      const blocks = (await client.getBlocksByHeight(heights)).check(believe);
      expect(blocks.map(({ block }) => bytesToHex(blockId(parseBlock(block))))).toEqual(heights.map((h) => headers[h]!.hash));
      const [withTx] = blocks.filter(({ transactions }) => transactions.length > 0);
      expect(bytesToHex(transactionHash(parseTransaction(withTx!.transactions[0]!)))).toBe(minedTx);
      await expect(client.getBlockHeaderByHeight(height)).rejects.toMatchObject({ code: 'rpc-error', data: { code: -2 } });
    });

    it('gets outputs in the order asked, the distribution and the histogram', async () => {
      const client = clientOf(place);
      const height = await monerod.height();
      const counts = (await client.getOutputDistribution({ amount: 0n, cumulative: false })).check(believe);
      const sums = (await client.getOutputDistribution({ amount: 0n, cumulative: true })).check(believe);
      expect(counts).toMatchObject({ amount: 0n, startHeight: 0, base: 0 });
      expect(counts.distribution).toHaveLength(height);
      const total = counts.distribution.reduce((sum, count) => sum + count, 0);
      expect(sums.distribution.at(-1)).toBe(total);
      // A coinbase output a block but genesis', two outputs of the mined payment.
      expect(total).toBe(height - 1 + 2);
      const part = (await client.getOutputDistribution({ amount: 0n, from: 100, to: 109, cumulative: false })).check(believe);
      expect(part).toMatchObject({ startHeight: 100, distribution: new Float64Array(10).fill(1) });

      const asked = Array.from({ length: total }, (_, n) => ({ amount: 0n, index: BigInt((7 * n) % total) }));
      const outs = (await client.getOuts(asked)).check(believe);
      expect(outs).toHaveLength(total);
      const headerOf = (index: number) => sums.distribution.findIndex((sum) => sum > index);
      expect(outs.map((out) => out.height)).toEqual(asked.map(({ index }) => headerOf(Number(index))));
      expect(new Set(outs.map(({ key }) => bytesToHex(key))).size).toBe(total);
      const histogram = (await client.getOutputHistogram({ amounts: [0n], unlocked: true })).check(believe);
      expect(histogram).toMatchObject([{ amount: 0n, total: BigInt(total) }]);
      await expect(client.getOuts([{ amount: 0n, index: BigInt(total) }])).rejects.toMatchObject({ code: 'bad-status' });
    });

    it('asks for more outputs than a restricted daemon serves at once', async () => {
      const client = clientOf(place);
      const asked = Array.from({ length: 6_000 }, (_, n) => ({ amount: 0n, index: BigInt(n % 200) }));
      const outs = (await client.getOuts(asked)).check(believe);
      expect(outs).toHaveLength(6_000);
      expect(outs[5_999]).toEqual(outs[199]);
    });

    it('learns fees and what waits in the pool', async () => {
      const client = clientOf(place);
      const estimate = (await client.getFeeEstimate()).check(believe);
      expect(estimate.fees).toHaveLength(4);
      expect(estimate.quantizationMask).toBe(10_000n);
      expect(estimate.fee).toBe(estimate.fees[0]);
      expect((await client.getTxPoolBacklog()).check(believe)).toMatchObject([{ weight: poolTx.weight, fee: poolTx.fee }]);
      expect((await client.getPoolHashes()).check(believe)).toEqual([poolTx.hash]);
    });

    it('gets the pool with the blocks where the daemon has it: all at first, then what changed', async () => {
      const client = clientOf(place);
      const tip = (await client.getHeight()).check(({ hash }) => hash);
      const genesis = (await client.getBlockHeaderByHeight(0)).check((header) => header.hash);
      for (const from of [{ startHeight: 200 }, { blockIds: [tip, genesis] }]) {
        const pool = (await client.getBlocks({ ...from, prune: true, pool: { since: 0n } })).pool?.check(believe);
        if (!isNew) {
          expect(pool).toBeUndefined();
          continue;
        }
        expect(pool).toMatchObject({
          extent: 'all',
          removed: [],
          named: [],
          added: [{ hash: poolTx.hash, doubleSpendSeen: false }],
        });
        const bytes = bytesToHex(pool!.added[0]!.pruned);
        expect(poolTx.blob.startsWith(bytes)).toBe(true);
        parseTransaction(pool!.added[0]!.pruned, { pruned: true });
        // Some transaction has left this pool, and this one came before now: nothing has changed since.
        const later = (await client.getPoolNews({ since: pool!.time + 1n }))!.check(believe);
        expect(later).toMatchObject({ extent: 'changes', removed: [], named: [], added: [] });
      }
    });

    it('gets transactions of blocks and pool, pruned and whole, and says which are missing', async () => {
      const client = clientOf(place);
      const strangers = Array.from({ length: 250 }, () => randomBytes(32).toString('hex') as TxHash);
      const asked = [minedTx, ...strangers.slice(0, 120), poolTx.hash, ...strangers.slice(120)];
      const pruned = (await client.getTransactions(asked, { prune: true })).check(believe);
      expect([...pruned.missed].sort()).toEqual([...strangers].sort());
      expect(pruned.transactions.map(({ hash }) => hash)).toEqual([minedTx, poolTx.hash]);
      for (const { hash, pruned: bytes, prunableHash, whole } of pruned.transactions) {
        expect(whole).toBeUndefined();
        const id = transactionHashFromPruned(parseTransaction(bytes!, { pruned: true }), prunableHash);
        expect(bytesToHex(id)).toBe(hash);
      }
      const [mined, pool] = (await client.getTransactions([minedTx, poolTx.hash], { prune: false })).check((v) => v.transactions);
      expect(mined).toMatchObject({ inPool: false, height: BLOCKS + 1, outputIndices: [expect.any(BigInt), expect.any(BigInt)] });
      expect(bytesToHex(transactionHash(parseTransaction(mined!.whole!)))).toBe(minedTx);
      expect(pool).toMatchObject({ inPool: true, height: undefined, outputIndices: [], doubleSpendSeen: false });
      expect(bytesToHex(pool!.whole!)).toBe(poolTx.blob);
    });

    it('learns the state of key images', async () => {
      const client = clientOf(place);
      const whole = (await client.getTransactions([minedTx, poolTx.hash], { prune: false })).check((v) => v.transactions);
      const images = whole.map(({ whole: bytes }) => {
        const input = parseTransaction(bytes!).inputs[0]!;
        if (input.type !== 'key') throw new Error('expected an input with a key image');
        return bytesToHex(input.keyImage) as KeyImage;
      });
      const strangers = Array.from({ length: 5_100 }, () => randomBytes(32).toString('hex') as KeyImage);
      const statuses = (await client.isKeyImageSpent([...images, ...strangers])).check(believe);
      expect(statuses.slice(0, 2)).toEqual(['spent', 'pool']);
      expect(statuses.slice(2)).toEqual(strangers.map(() => 'unspent'));
    });

    it('hears why a transaction was refused, and that one was accepted', async () => {
      const client = clientOf(place);
      const twice = (await client.sendRawTransaction(poolTx.blob)).check(believe);
      expect(twice.accepted).toBe(true);
      const mined = (await client.getTransactions([minedTx], { prune: false })).check((v) => v.transactions[0]!.whole!);
      // The same inputs in a transaction that differs by one byte of tx_extra.
      const extra = bytesToHex(parseTransaction(mined).extra);
      const spentAgain = bytesToHex(mined).replace(extra, extra.slice(0, -2) + (extra.endsWith('00') ? '01' : '00'));
      const refused = (await client.sendRawTransaction(spentAgain)).check(believe);
      expect(refused).toMatchObject({ accepted: false });
      expect(refused.reasons).toContain('double-spend');
    });
  });
});

describe('a daemon with a login', () => {
  it('is asked in turn by digest, also after it was restarted; a wrong password is refused', async () => {
    const guarded = await startMonerod({ login: 'me:secret word' });
    try {
      const login = { url: guarded.url, username: 'me', password: 'secret word' };
      const client = DaemonClient.connect(login);
      const heights = await Promise.all(Array.from({ length: 20 }, () => client.getHeight()));
      expect(heights.map((answer) => answer.check(({ height }) => height))).toEqual(heights.map(() => 1));
      expect((await client.getBlockHeaderByHeight(0)).check(({ height }) => height)).toBe(0);
      await guarded.restart();
      expect((await client.getInfo()).check(({ height }) => height)).toBe(1);
      const refused = (options: object) => DaemonClient.connect({ url: guarded.url, ...options }).getHeight();
      await expect(refused({ username: 'me', password: 'wrong' })).rejects.toMatchObject({ code: 'login-refused' });
      await expect(refused({ username: 'you', password: 'secret word' })).rejects.toMatchObject({ code: 'login-refused' });
      const needed: DaemonError = await refused({}).then(
        () => expect.unreachable(),
        (error: unknown) => error as DaemonError,
      );
      expect(needed).toMatchObject({ code: 'login-needed' });
      expect(needed.message).not.toContain('secret');
    } finally {
      await guarded.stop();
    }
  });
});

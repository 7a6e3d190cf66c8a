import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, bytesToLatin1, stringifyJson } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { toAtomicAmount } from '../../src/protocol/index.ts';
import { blocksAhead } from '../../src/wallet/spend/fee-rate.ts';
import { askRates, feeLevels, readRequest } from '../../src/wallet/spend/index.ts';
import { type HostileProxy, startHostileProxy } from '../support/hostile.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { makeWalletCli, type WalletCli } from '../support/wallet-cli.ts';
import { type TestWallet, testWallet } from './spend-support.ts';

/** What the reference multiplies its base fee by for priorities 1 … 4, and the weight that its `fee` command looks at (0.18). */
const MULTIPLIERS = [1n, 5n, 25n, 1000n];

let monerod: Monerod;
let proxy: HostileProxy;
let wallet: TestWallet;
let cli: WalletCli;

beforeAll(async () => {
  await loadCrypto();
  monerod = await startMonerod();
  proxy = await startHostileProxy(monerod.url);
  wallet = testWallet(new Uint8Array(32).fill(9), monerod, undefined, DaemonClient.connect({ url: proxy.url }));
  await monerod.generateBlocks(80, wallet.address());
  await wallet.sync();
  const { viewKey, spendKey } = wallet.keys;
  const keys = { address: wallet.address(), viewKey: bytesToHex(viewKey), spendKey: bytesToHex(spendKey) };
  cli = await makeWalletCli({ keys, daemon: proxy.url });
});

afterAll(async () => {
  cli?.remove();
  await proxy?.stop();
  await monerod?.stop();
});

interface Waiting {
  readonly weight: number;
  readonly fee: bigint;
}

/** The next number whose bytes are all below 128: the reference reads a list of numbers as text, byte by byte. */
function plain(value: bigint): bigint {
  let made = value;
  for (let shift = 56n; shift >= 0n; shift -= 8n) {
    if ((made >> shift) & 0x80n) made = ((made >> (shift + 8n)) + 1n) << (shift + 8n);
  }
  return made;
}

/** From now on this waits in the pool, whoever asks. */
function pretend(pool: readonly Waiting[]): void {
  const bytes = new Uint8Array(24 * pool.length);
  const view = new DataView(bytes.buffer);
  pool.forEach(({ weight, fee }, i) => {
    view.setBigUint64(24 * i, BigInt(weight), true);
    view.setBigUint64(24 * i + 8, fee, true);
  });
  proxy.honest();
  proxy.lie('get_txpool_backlog', (_asked, _forward, response) => {
    const result = { status: 'OK', untrusted: false, backlog: bytesToLatin1(bytes) };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(stringifyJson({ id: '0', jsonrpc: '2.0', result }));
  });
}

/** What the reference says of priorities 1 … 4: whole blocks before a payment. */
async function theirs(): Promise<number[]> {
  const said = await cli.run(['fee']);
  return [1, 2, 3, 4].map((priority) => {
    if (said.includes(`No backlog at priority ${priority}`)) return 0;
    const line = new RegExp(`(\\d+) block \\((\\d+) minutes\\) backlog at priority ${priority}`).exec(said);
    if (line === null) throw new Error(`expected a line on priority ${priority} in:\n${said}`);
    expect(Number(line[2]), 'two minutes a block').toBe(2 * Number(line[1]));
    return Number(line[1]);
  });
}

describe('what waits before a payment, beside monero-wallet-cli', () => {
  it('as many blocks at each priority as the reference says, for pools that it and we are told of', async () => {
    const { fee: base, blockWeightLimit } = await proxied();
    const WEIGHT = 0x40000;
    const paying = (multiplier: bigint, count: number): Waiting[] =>
      Array.from({ length: count }, () => ({ weight: WEIGHT, fee: plain(base * multiplier * BigInt(WEIGHT)) }));
    for (const pool of [
      [...paying(1n, 3), ...paying(5n, 2), ...paying(25n, 4), ...paying(1000n, 3)],
      [...paying(2n, 9), { weight: 0, fee: plain(1_000_000n) }],
    ]) {
      pretend(pool);
      const said = await theirs();
      const backlog = { pool, fullRewardZone: Math.floor(blockWeightLimit / 2) };
      expect(MULTIPLIERS.map((multiplier) => blocksAhead(backlog, base * multiplier))).toEqual(said);
      const rates = await askRates(wallet.ctx);
      expect(rates.levels[0]!.blocksAhead, 'the lowest level is the same in both').toBe(said[0]);
      const request = { kind: 'transfer', account: 0, priority: 0 } as const;
      const destinations = [{ address: wallet.address({ major: 0, minor: 1 }), amount: toAtomicAmount(1_000_000_000n) }];
      const { levels } = feeLevels(wallet.ctx, readRequest({ ...request, destinations }, wallet.ctx), rates);
      expect(levels[0]!.seconds).toBe(120 * (said[0]! + 1));
    }
  });
});

async function proxied(): Promise<{ readonly fee: bigint; readonly blockWeightLimit: number }> {
  const client = DaemonClient.connect({ url: monerod.url });
  const fee = (await client.getFeeEstimate(10)).check((estimate) => estimate.fee);
  const blockWeightLimit = (await client.getInfo()).check((info) => info.blockWeightLimit);
  return { fee, blockWeightLimit };
}

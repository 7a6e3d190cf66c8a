import { expect } from 'vitest';
import { bytesToHex } from '../../../src/base/index.ts';
import { systemRandom } from '../../../src/crypto/index.ts';
import { ledgerConnector } from '../../../src/device/index.ts';
import { connectByName } from '../../../src/device/transport/by-name.ts';
import type { AtomicAmount } from '../../../src/protocol/model.ts';
import type { PreparedTransfer } from '../../../src/wallet/api.ts';
import { walletFromDevice } from '../../../src/wallet/device/make-wallet.ts';
import type { WalletEnvironment } from '../../../src/wallet/environment.ts';
import { Wallet } from '../../../src/wallet/wallet.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../programs.ts';
import { quickEnvironment } from '../quick-environment.ts';
import { TestSampler } from '../random-sampler.ts';
import { ledgerOfOurs, ledgerOfReference, refreshToTip } from '../two-wallets.ts';
import type { MoneroApp } from './app.ts';
import { liveApp, type ServedApp, serveApp } from './device.ts';
import type { Shown } from './screen.ts';

export const XMR = 1_000_000_000_000n;
const NAME = 'device';
const PASSWORD = 'pw';
/** Blocks until a payment can be spent. */
const BLOCKS_TO_SPEND = 11;
/** The error of a payment without enough coins. */
const POOR: readonly string[] = ['not-enough-money', 'not-enough-unlocked-money', 'not-possible', 'no-unlocked-outputs'];

const codeOf = (error: unknown): string => (error as { readonly code?: string }).code ?? '';

/** A wallet on a device, a wallet with the same keys in the reference's software, a third party, and one chain. */
export class Day {
  readonly sampler: TestSampler;
  readonly daemon: Monerod;
  readonly app: MoneroApp;
  readonly theirs: MoneroWalletRpc;
  readonly somebody: MoneroWalletRpc;
  readonly #served: ServedApp;
  readonly #env: WalletEnvironment;
  ours: Wallet;
  /** What its owner refuses. */
  refuses: Shown['title'] | undefined;
  /** The cable is pulled at this request, counted from 1; never if undefined. */
  unplugAt: number | undefined;

  private constructor(
    parts: Pick<Day, 'sampler' | 'daemon' | 'app' | 'theirs' | 'somebody' | 'ours'>,
    served: ServedApp,
    env: WalletEnvironment,
  ) {
    ({ sampler: this.sampler, daemon: this.daemon, app: this.app } = parts);
    ({ theirs: this.theirs, somebody: this.somebody, ours: this.ours } = parts);
    this.#served = served;
    this.#env = env;
  }

  static async start(seed: number): Promise<Day> {
    const sampler = new TestSampler(seed);
    let day: Day | undefined;
    const app = liveApp({
      version: sampler.pick(['2.1.3', '2.2.0']),
      owner: ({ title }) => title !== day?.refuses,
    });
    const served = await serveApp({ answer: async (apdu) => (day?.isPulled() ? undefined : app.answer(apdu)) });
    const daemon = await startMonerod();
    const [theirs, somebody] = await Promise.all([
      startWalletRpc({ daemon: daemon.url }),
      startWalletRpc({ daemon: daemon.url }),
    ]);
    const connect = ledgerConnector(() => connectByName(served.name), { random: systemRandom });
    const device = await connect();
    const made = await walletFromDevice(device, { network: 'regtest', from: { height: 0 }, now: Math.floor(Date.now() / 1000) });
    await device.close();
    const env = quickEnvironment();
    const ours = await Wallet.create(env, NAME, PASSWORD, made);
    ours.device.use(connect);
    day = new Day({ sampler, daemon, app, theirs, somebody, ours }, served, env);
    const { primaryAddress } = ours.description;
    const keys = { address: primaryAddress, spendkey: bytesToHex(app.keys.spendKey), viewkey: bytesToHex(app.keys.viewKey) };
    await theirs.rpc('generate_from_keys', { filename: 'software', password: '', restore_height: 0, ...keys });
    await somebody.createWallet('somebody');
    await daemon.generateBlocks(20, primaryAddress);
    await daemon.generateBlocks(70, await somebody.address());
    await ours.setDaemon({ url: daemon.url, trusted: false });
    await day.#addAccount();
    return day;
  }

  async #addAccount(): Promise<void> {
    await this.ours.addAccount('second');
    await this.theirs.rpc('create_account', { label: 'second' });
  }

  async stop(): Promise<void> {
    await this.ours.close();
    await Promise.all([this.theirs.stop(), this.somebody.stop(), this.#served.stop()]);
    await this.daemon.stop();
  }

  /** Whether the cable is pulled at this request. */
  isPulled(): boolean {
    if (this.unplugAt === undefined) return false;
    this.unplugAt -= 1;
    if (this.unplugAt === 0) this.app.alive = false;
    return this.unplugAt <= 0;
  }

  /** Plugged in again and the app reopened, sometimes in another version. */
  plugIn(): void {
    this.unplugAt = undefined;
    this.app.reopen(this.sampler.pick(['2.1.3', '2.2.0']));
  }

  /** Closed and reopened from its storage. */
  async restart(): Promise<void> {
    await this.ours.close();
    this.ours = await Wallet.open(this.#env, NAME, PASSWORD);
    this.ours.device.use(ledgerConnector(() => connectByName(this.#served.name), { random: systemRandom }));
    await this.ours.setDaemon({ url: this.daemon.url, trusted: false });
  }

  async mine(blocks = BLOCKS_TO_SPEND): Promise<void> {
    await this.daemon.generateBlocks(blocks, await this.somebody.address());
  }

  /** Ours at the tip, with every key image from the device. */
  async catchUp(): Promise<void> {
    await refreshToTip(this.ours, await this.daemon.height());
    await this.ours.device.learnKeyImages();
    await refreshToTip(this.ours, await this.daemon.height());
  }

  /** Both at the tip: the same coins with the same key images, and the same balances. */
  async agree(): Promise<void> {
    await this.catchUp();
    await this.theirs.refreshToHeight(this.daemon);
    const [mine, reference] = [await ledgerOfOurs(this.ours), await ledgerOfReference(this.theirs)];
    expect(mine.outputs).toEqual(reference.outputs);
    expect(mine.accounts).toEqual(reference.accounts);
  }

  /** An address of the third party, of any kind. */
  async address(kind = this.sampler.pick(['primary', 'subaddress', 'integrated'])): Promise<string> {
    const { somebody } = this;
    if (kind === 'primary') return somebody.address();
    if (kind === 'subaddress') return (await somebody.rpc<{ address: string }>('create_address', { account_index: 0 })).address;
    return (await somebody.rpc<{ integrated_address: string }>('make_integrated_address', {})).integrated_address;
  }

  /** A fresh subaddress of ours, known to both. */
  async ownAddress(account = 0): Promise<string> {
    const [made] = await this.ours.addresses.make(account, '');
    await this.theirs.rpc('create_address', { account_index: account });
    return made.address;
  }

  /** More than zero, less than `most`. */
  amount(most = XMR): AtomicAmount {
    return ((most * BigInt(1 + this.sampler.below(999_999))) / 1_000_000n) as AtomicAmount;
  }

  /** Signs on the device and sends the prepared payment. False if there are not enough coins. */
  async send(preparing: Promise<PreparedTransfer>): Promise<boolean> {
    let id: string | undefined;
    try {
      ({ id } = await preparing);
      await this.ours.payments.send(id);
      return true;
    } catch (error) {
      if (POOR.includes(codeOf(error))) return false;
      throw error;
    } finally {
      if (id !== undefined) await this.ours.payments.discard(id).catch(() => {});
    }
  }

  /** A payment that fails: nothing is in the pool, and the wallet is unchanged. @returns the error's code */
  async failing(preparing: Promise<PreparedTransfer>): Promise<string> {
    const before = (await this.ours.view()).accounts;
    const sent = await this.send(preparing).catch(codeOf);
    if (typeof sent === 'boolean') return sent ? 'sent' : 'poor';
    const { tx_hashes = [] } = await this.daemon.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes');
    expect(tx_hashes).toEqual([]);
    expect((await this.ours.view()).accounts).toEqual(before);
    return sent;
  }
}

import { expect } from 'vitest';
import { type MoneroWalletRpc, startWalletRpc } from '../programs.ts';
import { TestSampler } from '../random-sampler.ts';
import { callPath } from '../rpc.ts';
import { expectAgreement, type Ledger, refreshToTip } from '../two-wallets.ts';
import type { SoakDaemon } from './daemons.ts';
import type { SoakWallet, StartSoakWallet } from './wallet.ts';

export interface SoakParts {
  readonly startDaemon: () => Promise<SoakDaemon>;
  readonly startWallet: StartSoakWallet;
  readonly seed: number;
}

const UNIT = 10_000_000_000n;
/** The accounts and their initial numbers of subaddresses. */
const ACCOUNTS = [3, 2, 1];
const MOST_BLOCKS_TO_WAIT = 25;

/** One chain and one seed in two programs, ours and the reference's, and a third wallet that pays and is paid. */
export class Soak {
  readonly sampler: TestSampler;
  readonly daemon: SoakDaemon;
  readonly ours: SoakWallet;
  /** The reference wallet with our seed. */
  readonly same: MoneroWalletRpc;
  readonly payer: MoneroWalletRpc;
  /** Standard, subaddress and integrated, in this order. */
  readonly payerAddresses: readonly string[];
  /** Subaddresses created so far, by account. */
  readonly made = [...ACCOUNTS];

  private constructor(
    seed: number,
    daemon: SoakDaemon,
    ours: SoakWallet,
    same: MoneroWalletRpc,
    payer: MoneroWalletRpc,
    payerAddresses: readonly string[],
  ) {
    this.sampler = new TestSampler(seed);
    this.daemon = daemon;
    this.ours = ours;
    this.same = same;
    this.payer = payer;
    this.payerAddresses = payerAddresses;
  }

  /** A chain with coins for both sides, and both programs at its tip and in agreement. */
  static async start({ startDaemon, startWallet, seed }: SoakParts): Promise<Soak> {
    const toStop: { stop(): Promise<void> }[] = [];
    try {
      const daemon = await startDaemon();
      toStop.unshift(daemon);
      const [same, payer] = await Promise.all([
        startWalletRpc({ daemon: daemon.url }),
        startWalletRpc({ daemon: daemon.url, release: daemon.payer }),
      ]);
      toStop.unshift(same, payer);
      const primary = await same.createWallet('same');
      const main = await payer.createWallet('payer');
      const sub = await payer.rpc<{ address: string }>('create_address', { account_index: 0 });
      const integrated = await payer.rpc<{ integrated_address: string }>('make_integrated_address', {});
      await daemon.mine(20, primary);
      await daemon.mine(420, main);
      const ours = await startWallet(await same.seed(), daemon.url);
      toStop.unshift(ours);
      const soak = new Soak(seed, daemon, ours, same, payer, [main, sub.address, integrated.integrated_address]);
      await soak.#makeAccounts();
      await soak.#payAccounts();
      await soak.agree();
      return soak;
    } catch (error) {
      for (const part of toStop) await part.stop();
      throw error;
    }
  }

  async #makeAccounts(): Promise<void> {
    for (const [account, count] of ACCOUNTS.entries()) {
      if (account > 0) await Promise.all([this.same.rpc('create_account', { label: '' }), this.ours.api.addAccount('')]);
      for (let minor = 1; minor < count; minor++) await this.makeSubaddress(account);
    }
  }

  /** Gives each of them unlocked coins. */
  async #payAccounts(): Promise<void> {
    await this.payer.refreshToHeight(this.daemon);
    const destinations: { address: string; amount: bigint }[] = [];
    for (let i = 0; i < 2 * ACCOUNTS.length; i++) {
      destinations.push({ address: await this.ourAddress(i % ACCOUNTS.length), amount: this.amount() });
    }
    await this.payer.transfer(destinations);
    await this.mine(10);
    await this.payer.refreshToHeight(this.daemon);
  }

  /** An account with coins to spend; any if none has. */
  async richAccount(): Promise<number> {
    const { accounts } = await this.ours.api.view();
    const rich = accounts.filter(({ balance }) => balance.unlocked > 0n);
    return this.sampler.pick(rich.length > 0 ? rich : accounts).account;
  }

  async stop(): Promise<void> {
    await this.ours.stop();
    await Promise.all([this.same.stop(), this.payer.stop()]);
    await this.daemon.stop();
  }

  /** To the payer unless given. */
  mine(blocks: number, to = this.payerAddresses[0]!): Promise<void> {
    return this.daemon.mine(blocks, to);
  }

  agree(): Promise<Ledger> {
    return expectAgreement(this.ours.api, this.same, this.daemon);
  }

  amount(): bigint {
    return UNIT * BigInt(this.sampler.between(1, 500));
  }

  async makeSubaddress(account: number): Promise<void> {
    await this.same.rpc('create_address', { account_index: account });
    await this.ours.api.addresses.make(account, '');
  }

  /** A standard address or a subaddress of the shared seed. */
  async ourAddress(account = this.sampler.below(this.made.length)): Promise<string> {
    const addresses = await this.ours.api.subaddresses(account);
    return addresses[this.sampler.below(this.made[account]!)]!.address;
  }

  /**
   * Transactions removed by a reorganisation are mined again, or fail if their ring is gone. The reference examines a pool transaction only once,
   * so it does not see one that returned to the pool and stays: transactions that no block includes are flushed.
   */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await this.#passTime();
      if ((await this.daemon.pool()) === 0) return;
      await this.daemon.flushPool();
    }
    throw new Error('expected transactions that no block takes to be given up');
  }

  /** Ours resends transactions that a daemon has forgotten, and gives up rejected ones. */
  async #passTime(): Promise<void> {
    for (const seconds of [61, 600]) {
      await refreshToTip(this.ours.api, await this.daemon.height());
      await this.ours.passTime(seconds * 1000);
      await this.ours.api.refresh();
      await this.mine(1);
    }
  }

  /**
   * After every step: one more block, known to all. `sent` were accepted: both histories get them. A daemon may keep one back for a while, as if it
   * came from elsewhere (Dandelion++), so that only its sender knows it.
   */
  async finish(sent: readonly string[]): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS_TO_WAIT; block++) {
      await this.mine(1);
      if (!(await this.#areMined(sent))) continue;
      await this.payer.refreshToHeight(this.daemon);
      const { history } = await this.agree();
      expect(sent.filter((txHash) => !history.some((line) => line.includes(txHash)))).toEqual([]);
      return;
    }
    throw new Error(`expected ${sent.join(', ')} in a block after ${MOST_BLOCKS_TO_WAIT} of them`);
  }

  async #areMined(hashes: readonly string[]): Promise<boolean> {
    if (hashes.length === 0) return true;
    const answer = await callPath<{ txs?: { in_pool: boolean }[] }>(this.daemon.url, 'get_transactions', { txs_hashes: hashes });
    return answer.txs?.length === hashes.length && answer.txs.every((tx) => !tx.in_pool);
  }
}

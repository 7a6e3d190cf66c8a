import { expect, it } from 'vitest';
import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { walletFromWords } from '../../src/wallet/create-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { MINER_ADDRESS } from './premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from './programs.ts';
import { quickEnvironment } from './quick-environment.ts';
import { type Comparable, ourAnswer, theirAnswer, unordered, without } from './rpc-both.ts';
import { oneWalletHost } from './rpc-host.ts';

/** A request by name and parameters; `words` if our error has its own wording. */
export type Row = readonly [method: string, params: unknown, words?: 'own words'];

export const PAYMENT_ID = '1122334455667788';
export const NOBODY = 'ab'.repeat(32);

/** One seed in the reference's wallet and in ours, on one chain; some coins were mined to it. */
export class OneSeed {
  readonly daemon: Monerod;
  readonly theirs: MoneroWalletRpc;
  readonly wallet: Wallet;
  readonly service: RpcService;
  /** Its primary address, another one of its first account, one of a second, and the first combined with {@link PAYMENT_ID}. */
  address = '';
  subaddress = '';
  secondAccount = '';
  integrated = '';

  private constructor(daemon: Monerod, theirs: MoneroWalletRpc, wallet: Wallet) {
    this.daemon = daemon;
    this.theirs = theirs;
    this.wallet = wallet;
    this.service = new RpcService(oneWalletHost(wallet), { checkResults: true });
  }

  static async start(): Promise<OneSeed> {
    // That release allows locking money until a height: later ones do not accept such transactions into their pool.
    const daemon = await startMonerod({ release: '0.18.0.0', premined: true });
    const theirs = await startWalletRpc({ daemon: daemon.url });
    const address = await theirs.createWallet('one');
    await daemon.generateBlocks(3, address);
    await daemon.generateBlocks(60, MINER_ADDRESS);
    const made = await walletFromWords(await theirs.seed(), { network: 'regtest', from: { height: 0 }, now: 0 });
    const wallet = await Wallet.create(quickEnvironment(), 'one', 'pw', made);
    await wallet.setDaemon({ url: daemon.url, trusted: true });
    const seed = new OneSeed(daemon, theirs, wallet);
    seed.address = address;
    await seed.#addAddresses();
    return seed;
  }

  async #addAddresses(): Promise<void> {
    await this.both('create_account', { label: 'second' });
    await this.both('create_address', { account_index: 0, label: 'sub' });
    this.subaddress = (await this.wallet.subaddresses(0))[1]!.address;
    this.secondAccount = (await this.wallet.subaddresses(1))[0]!.address;
    const made = await ourAnswer(this.service, 'make_integrated_address', { payment_id: PAYMENT_ID });
    this.integrated = (made as Record<string, string>).integrated_address!;
  }

  /** Both answers, ours first. */
  async both(method: string, params: unknown): Promise<readonly [Comparable, Comparable]> {
    return [await ourAnswer(this.service, method, params), await theirAnswer(this.theirs, method, params)];
  }

  /** Checks that both answers are the same, except for these fields. */
  async expectSame([method, params, words]: Row, dropped: readonly string[] = []): Promise<void> {
    const shown = (answer: Comparable) => unordered(without(answer, words === undefined ? dropped : ['message']));
    const [ours, reference] = await this.both(method, params);
    expect(shown(ours), titleOf([method, params])).toEqual(shown(reference));
  }

  async stop(): Promise<void> {
    await this.wallet.close();
    await this.theirs.stop();
    await this.daemon.stop();
  }
}

/** A test for each row: both answers are the same. */
export function eachSame(seed: () => OneSeed, rows: readonly Row[], dropped: readonly string[] = []): void {
  for (const row of rows) it(titleOf(row), () => seed().expectSame(row, dropped));
}

const titleOf = ([method, params]: Row): string => `${method} ${stringifyJson(params as JsonInput)}`;

import {
  type NewWallet,
  type RestorePoint,
  type SiteConfig,
  startWallet,
  type WalletClient,
  type WalletHost,
} from '../../../workers/client.ts';
import type { JournalSummary } from '../../wallet/ports.ts';
import { errorText } from '../errors.ts';
import { router } from '../router.svelte.ts';
import { storage } from './storage.svelte.ts';
import { wallet } from './wallet.svelte.ts';

export type Stage = 'starting' | 'closed' | 'open';

/** Which wallet is open, if any, and the worker that owns it. */
class Session {
  stage: Stage = $state('starting');
  shelf: readonly JournalSummary[] = $state([]);
  site: SiteConfig | undefined = $state(undefined);
  /** The worker died by itself; said until the next one opens a wallet. */
  crashed = $state(false);
  /** Why the shelf could not be read: a private window, no storage. */
  trouble: string | undefined = $state(undefined);
  #client: WalletClient | undefined;

  /** The worker's host. A worker that died is replaced when something is asked again, not before. */
  get host(): WalletHost {
    this.#client ??= this.#spawn();
    return this.#client.host;
  }

  async start(): Promise<void> {
    try {
      [this.shelf, this.site] = await Promise.all([this.host.list(), this.host.site()]);
    } catch (error) {
      this.trouble = errorText(error);
    }
    this.stage = 'closed';
  }

  async createFromDraft(made: NewWallet): Promise<void> {
    await this.host.createFromDraft(made);
    await this.#made(made.name);
  }

  async restoreFromSeed(made: NewWallet, words: string, from: RestorePoint): Promise<void> {
    await this.host.restoreFromSeed(made, words, from);
    await this.#made(made.name);
  }

  async restoreViewOnly(made: NewWallet, address: string, viewKey: string, from: RestorePoint): Promise<void> {
    await this.host.restoreViewOnly(made, address, viewKey, from);
    await this.#made(made.name);
  }

  async restoreFromBackup(name: string, password: string, backup: Uint8Array): Promise<void> {
    await this.host.restoreFromBackup(name, password, backup);
    await this.#made(name);
    storage.rememberBackup(name);
  }

  async open(name: string, password: string): Promise<void> {
    await this.host.open(name, password);
    await this.#entered();
  }

  async lock(): Promise<void> {
    wallet.leave();
    this.stage = 'closed';
    router.replace('');
    await this.host.lock();
    this.shelf = await this.host.list();
  }

  async remove(name: string): Promise<void> {
    await this.host.remove(name);
    storage.forgetBackup(name);
    this.shelf = await this.host.list();
  }

  /** There is something to keep now, so the browser is asked to keep it (T18). It may ask the person; nothing waits for that. */
  async #made(name: string): Promise<void> {
    storage.forgetBackup(name);
    await this.#entered();
    void storage.ask();
  }

  async #entered(): Promise<void> {
    await wallet.enter(this.host.wallet);
    this.crashed = false;
    this.stage = 'open';
  }

  #spawn(): WalletClient {
    return startWallet(() => {
      wallet.leave();
      this.crashed = true;
      this.stage = 'closed';
      this.#client = undefined;
    });
  }
}

export const session = new Session();

import { PerWalletText } from './per-wallet-text.svelte.ts';

const DAY_MS = 86_400_000;

/** Whether the browser has promised to keep our files (T18), and when the person last saved a copy. */
class Storage {
  /** undefined while unknown, or where the browser cannot say. */
  persisted: boolean | undefined = $state(undefined);
  /** Milliseconds since the epoch. */
  readonly #backupAt = new PerWalletText('nightjar.backup-reminded');

  async refresh(): Promise<void> {
    this.persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  }

  /** Asks the browser to keep our files. Returns its answer. */
  async ask(): Promise<boolean> {
    this.persisted = await navigator.storage?.persist?.().catch(() => false);
    return this.persisted ?? false;
  }

  rememberBackup(wallet: string): void {
    this.#backupAt.set(wallet, String(Date.now()));
  }

  /** A wallet of this name is new or gone: what was saved under the name before is not its backup. */
  forgetBackup(wallet: string): void {
    this.#backupAt.set(wallet, undefined);
  }

  /** Days since the last backup of a wallet on this device; undefined when there was none. */
  daysSinceBackup(wallet: string): number | undefined {
    const at = Number(this.#backupAt.get(wallet) ?? Number.NaN);
    return Number.isFinite(at) ? Math.floor((Date.now() - at) / DAY_MS) : undefined;
  }
}

export const storage = new Storage();

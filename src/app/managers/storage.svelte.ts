import { PerWalletText } from './per-wallet-text.svelte.ts';

const DAY_MS = 86_400_000;

/** Persistent storage (T18), and the time of each wallet's last backup. */
class Storage {
  /** undefined while unknown, or where the browser does not support it. */
  persisted: boolean | undefined = $state(undefined);
  /** Milliseconds since the epoch. */
  readonly #backupAt = new PerWalletText('backup-reminded');

  async refresh(): Promise<void> {
    this.persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  }

  /** Requests persistent storage. Returns whether it is granted. */
  async ask(): Promise<boolean> {
    this.persisted = await navigator.storage?.persist?.().catch(() => false);
    return this.persisted ?? false;
  }

  rememberBackup(wallet: string): void {
    this.#backupAt.set(wallet, String(Date.now()));
  }

  /** Days since the wallet's last backup on this device; undefined if never. */
  daysSinceBackup(wallet: string): number | undefined {
    const at = Number(this.#backupAt.get(wallet) ?? Number.NaN);
    return Number.isFinite(at) ? Math.floor((Date.now() - at) / DAY_MS) : undefined;
  }
}

export const storage = new Storage();

import { remembered } from '../services/remembered.ts';

const SAVED_KEY = 'nightjar.backup-reminded';
const DAY_MS = 86_400_000;

/** Whether the browser has promised to keep our files (T18), and when the person last saved a copy. */
class Storage {
  /** undefined while unknown, or where the browser cannot say. */
  persisted: boolean | undefined = $state(undefined);
  #backupAt: Record<string, number> = $state({});

  async refresh(): Promise<void> {
    this.persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  }

  /** Asks the browser to keep our files. Returns its answer. */
  async ask(): Promise<boolean> {
    this.persisted = await navigator.storage?.persist?.().catch(() => false);
    return this.persisted ?? false;
  }

  rememberBackup(wallet: string): void {
    const now = Date.now();
    this.#backupAt = { ...this.#backupAt, [wallet]: now };
    remembered.set(`${SAVED_KEY}.${wallet}`, String(now));
  }

  /** A wallet of this name is new or gone: what was saved under the name before is not its backup. */
  forgetBackup(wallet: string): void {
    const { [wallet]: _, ...others } = this.#backupAt;
    this.#backupAt = others;
    remembered.set(`${SAVED_KEY}.${wallet}`, undefined);
  }

  /** Days since the last backup of a wallet on this device; undefined when there was none. */
  daysSinceBackup(wallet: string): number | undefined {
    const at = this.#backupAt[wallet] ?? Number(remembered.get(`${SAVED_KEY}.${wallet}`) ?? Number.NaN);
    return Number.isFinite(at) ? Math.floor((Date.now() - at) / DAY_MS) : undefined;
  }
}

export const storage = new Storage();

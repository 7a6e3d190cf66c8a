const SAVED_KEY = 'nightjar.backup-reminded';
const DAY_MS = 86_400_000;

/** Whether the browser has promised to keep our files (T18), and when the person last saved a copy. */
class Storage {
  /** undefined while unknown, or where the browser cannot say. */
  persisted: boolean | undefined = $state(undefined);
  #backupAt: Record<string, number> = $state({});

  async refresh(): Promise<void> {
    if (!navigator.storage?.persisted) return;
    this.persisted = await navigator.storage.persisted();
  }

  /** Asks the browser to keep our files. Returns its answer. */
  async ask(): Promise<boolean> {
    if (!navigator.storage?.persist) return false;
    this.persisted = await navigator.storage.persist();
    return this.persisted;
  }

  rememberBackup(wallet: string): void {
    this.#backupAt = { ...this.#backupAt, [wallet]: Date.now() };
    localStorage.setItem(`${SAVED_KEY}.${wallet}`, String(Date.now()));
  }

  /** A wallet of this name is new or gone: what was saved under the name before is not its backup. */
  forgetBackup(wallet: string): void {
    const { [wallet]: _, ...others } = this.#backupAt;
    this.#backupAt = others;
    localStorage.removeItem(`${SAVED_KEY}.${wallet}`);
  }

  /** Days since the last backup of a wallet on this device; undefined when there was none. */
  daysSinceBackup(wallet: string): number | undefined {
    const at = this.#backupAt[wallet] ?? Number(localStorage.getItem(`${SAVED_KEY}.${wallet}`) ?? Number.NaN);
    return Number.isFinite(at) ? Math.floor((Date.now() - at) / DAY_MS) : undefined;
  }
}

export const storage = new Storage();

import type { RestorePoint, WalletForm, WalletHost } from '../../../workers/client.ts';
import { errorText, requestText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { router } from '../router.svelte.ts';
import { normalizedAddress } from '../services/addresses.ts';
import { isNameTaken, nameFrom, newWallet, unusedName } from '../services/new-wallet.ts';
import { isCommonPassword } from '../services/password.ts';
import { GENESIS_DAY } from '../services/recovery.ts';
import { Attempt } from './attempt.svelte.ts';
import { displayNames } from './display-names.svelte.ts';
import { session } from './session.svelte.ts';

/** Fewest characters of a password. */
export const PASSWORD_LEAST = 8;
/** Most characters of a wallet's name. */
export const NAME_MOST = 60;
/** Milliseconds before the chosen day at which the scan starts, as a safety margin. */
export const DAY_MARGIN = 2 * 24 * 60 * 60 * 1000;

/** Form field for the name of a new wallet, or for a new display name. */
export class NewName {
  readonly #of: string | undefined;
  text = $state('');
  empty = $derived(this.text.trim() === '');

  /** @param of stored name of the wallet to rename; undefined for a new wallet */
  constructor(of?: string) {
    this.#of = of;
    this.text = of === undefined ? unusedName(m.wallet_default_name(), session.takenNames()) : displayNames.of(of);
  }

  /** Proposes a name that somebody else gave the wallet; does nothing if no valid name results. */
  propose(label: string): void {
    const name = nameFrom(label, NAME_MOST);
    if (name !== '') this.text = unusedName(name, session.takenNames());
  }

  get taken(): boolean {
    return isNameTaken(this.text, session.takenNames(this.#of));
  }

  get good(): boolean {
    return !this.empty && !this.taken;
  }
}

/** Form fields for a new password, typed twice. */
export class NewPassword {
  text = $state('');
  again = $state('');
  short = $derived(this.text.length < PASSWORD_LEAST);
  common = $derived(isCommonPassword(this.text));
  differs = $derived(this.text !== this.again);
  good = $derived(!this.short && !this.common && !this.differs);
}

/** Form fields for the restore point of a wallet (T23): a date, a block height, or the whole chain. */
export class RestoreStart {
  /** `start` scans the whole chain, which takes long, so it is never the default. */
  kind: 'start' | 'date' | 'height' = $state('date');
  date = $state('');
  height = $state('');
  readonly today = new Date().toISOString().slice(0, 10);
  heightGood = $derived(/^\d{1,9}$/.test(this.height.trim()));
  dateGood = $derived(/^\d{4}-\d{2}-\d{2}$/.test(this.date) && this.date >= GENESIS_DAY && this.date <= this.today);

  /** Day on which the scan starts, as milliseconds at local noon; undefined while the date is invalid. */
  get searchFrom(): number | undefined {
    return this.dateGood ? Math.max(Date.parse(GENESIS_DAY), Date.parse(`${this.date}T12:00:00`) - DAY_MARGIN) : undefined;
  }

  /** Takes it from a code; nothing happens where the code says none. */
  take(point: RestorePoint | undefined): void {
    if (point === undefined || point.kind === 'tip') return;
    this.kind = point.kind;
    if (point.kind === 'height') this.height = String(point.height);
    else this.date = point.date;
  }

  /** undefined while the input is invalid. */
  get point(): RestorePoint | undefined {
    if (this.kind === 'start') return { kind: 'height', height: 0 };
    if (this.kind === 'date') return this.dateGood ? { kind: 'date', date: this.date } : undefined;
    return this.heightGood ? { kind: 'height', height: Number(this.height.trim()) } : undefined;
  }
}

/** Form field for the primary address of a wallet restored from keys. */
export class PrimaryAddress {
  text = $state('');
  problem: string | undefined = $state();

  /** @param needed false if the field may be empty */
  constructor(readonly needed: boolean) {}

  get trimmed(): string {
    return normalizedAddress(this.text);
  }

  get #missing(): string | undefined {
    return this.needed ? m.watch_address_missing() : undefined;
  }

  /** Validates the address and sets `problem`. False if the text changed during the check. */
  async check(): Promise<boolean> {
    const asked = this.trimmed;
    const problem = asked === '' ? this.#missing : await primaryProblem(asked);
    if (asked !== this.trimmed) return false;
    this.problem = problem;
    return problem === undefined;
  }
}

async function primaryProblem(address: string): Promise<string | undefined> {
  const refused = requestText(address);
  if (refused !== undefined) return refused;
  try {
    const kind = await session.host.checkAddress(address, session.network);
    return kind === 'standard' ? undefined : m.watch_primary_only();
  } catch (error) {
    return errorText(error);
  }
}

/** Last step of creating or restoring a wallet: name, password, and the action itself. Created anew with each view. */
export class WalletCreation {
  readonly name = new NewName();
  readonly password = new NewPassword();
  readonly attempt = new Attempt();
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);

  /**
   * Creates and opens the wallet, if name and password are valid, then goes home unless the person has navigated elsewhere meanwhile.
   * @param place where the form was submitted, if something was awaited since
   */
  async run(work: (host: WalletHost, made: WalletForm) => Promise<void>, place = router.here): Promise<void> {
    this.tried = true;
    if (!this.name.good || !this.password.good) return;
    await this.attempt.run(() =>
      router.goHomeAfter(async () => {
        // The network comes from the site's configuration, which may still be loading.
        await session.started;
        const made = newWallet(this.name.text, this.password.text, session.network, session.site);
        await session.make(made.name, (host) => work(host, made));
      }, place),
    );
  }
}

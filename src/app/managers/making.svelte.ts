import type { RestorePoint, WalletForm, WalletHost } from '../../../workers/client.ts';
import { errorText, requestText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { router } from '../router.svelte.ts';
import { addressOf } from '../services/addresses.ts';
import { isNameTaken, newWallet, unusedName } from '../services/new-wallet.ts';
import { isCommonPassword } from '../services/password.ts';
import { GENESIS_DAY } from '../services/recovery.ts';
import { Attempt } from './attempt.svelte.ts';
import { displayNames } from './display-names.svelte.ts';
import { session } from './session.svelte.ts';

/** Fewest characters of a password. */
export const PASSWORD_LEAST = 8;
/** Most characters of a wallet's name. */
export const NAME_MOST = 60;
/** Milliseconds before a day from which the worker looks for it. */
export const DAY_MARGIN = 2 * 24 * 60 * 60 * 1000;

/** A name for a wallet that comes onto the backend, or for one that is there. */
export class NewName {
  readonly #of: string | undefined;
  text = $state('');
  empty = $derived(this.text.trim() === '');

  /** @param of the wallet that is named anew, by the name that it lies under */
  constructor(of?: string) {
    this.#of = of;
    this.text = of === undefined ? unusedName(m.wallet_default_name(), session.takenNames()) : displayNames.of(of);
  }

  /** Proposes a name; nothing happens for an empty one. */
  propose(name: string): void {
    if (name !== '') this.text = unusedName(name.slice(0, NAME_MOST), session.takenNames());
  }

  get taken(): boolean {
    return isNameTaken(this.text, session.takenNames(this.#of));
  }

  get good(): boolean {
    return !this.empty && !this.taken;
  }
}

/** A password that is being chosen, typed twice. */
export class NewPassword {
  text = $state('');
  again = $state('');
  short = $derived(this.text.length < PASSWORD_LEAST);
  common = $derived(isCommonPassword(this.text));
  differs = $derived(this.text !== this.again);
  good = $derived(!this.short && !this.common && !this.differs);
}

/** When a restored wallet was made (T23): a day, a block height, or not known. */
export class RestoreStart {
  /** The whole chain is looked through at the person's word alone: it takes long. */
  kind: 'start' | 'date' | 'height' = $state('date');
  date = $state('');
  height = $state('');
  readonly today = new Date().toISOString().slice(0, 10);
  heightGood = $derived(/^\d{1,9}$/.test(this.height.trim()));
  dateGood = $derived(/^\d{4}-\d{2}-\d{2}$/.test(this.date) && this.date >= GENESIS_DAY && this.date <= this.today);

  /** The day on which the search begins, in milliseconds at noon, so that it is that day everywhere; undefined until there is one. */
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

  /** undefined while what is typed makes no sense. */
  get point(): RestorePoint | undefined {
    if (this.kind === 'start') return { kind: 'height', height: 0 };
    if (this.kind === 'date') return this.dateGood ? { kind: 'date', date: this.date } : undefined;
    return this.heightGood ? { kind: 'height', height: Number(this.height.trim()) } : undefined;
  }
}

/** The primary address of a wallet that is being made of keys. */
export class PrimaryAddress {
  text = $state('');
  problem: string | undefined = $state();

  /** @param needed otherwise nothing may be there */
  constructor(readonly needed: boolean) {}

  get trimmed(): string {
    return addressOf(this.text);
  }

  get #missing(): string | undefined {
    return this.needed ? m.watch_address_missing() : undefined;
  }

  /** Whether it is one; says why not. The answer says nothing of an address that was typed meanwhile. */
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

/** Last step of every way to make a wallet: its name, its password, and the making. Made anew each time a view opens. */
export class Making {
  readonly name = new NewName();
  readonly password = new NewPassword();
  readonly attempt = new Attempt();
  /** The person has asked for it: from now on it is said what is missing. */
  tried = $state(false);

  /**
   * Makes it and goes inside, when name and password are there. Who went elsewhere meanwhile stays there.
   * @param place where it was asked for: noted before anything was waited for
   */
  async run(work: (host: WalletHost, made: WalletForm) => Promise<void>, place = router.here): Promise<void> {
    this.tried = true;
    if (!this.name.good || !this.password.good) return;
    await this.attempt.run(() =>
      router.goHomeAfter(async () => {
        // Its network is the site's, which may not have been said yet.
        await session.started;
        const made = newWallet(this.name.text, this.password.text, session.network, session.site);
        await session.make(made.name, (host) => work(host, made));
      }, place),
    );
  }
}

import type { SeedCheck } from '../../../workers/client.ts';
import { m } from '../language/messages.ts';
import { noticeErrors } from './attempt.svelte.ts';
import { session } from './session.svelte.ts';

const POLYSEED_WORDS = 16;
const SEEDS: readonly number[] = [13, POLYSEED_WORDS, 25];
const LONGEST = 25;
/** Word counts of MyMonero seeds, and of BIP39 seeds, which are not supported. */
const MYMONERO: readonly number[] = [12, 13];
const BIP39: readonly number[] = [12, 24];
/** Seeds whose checksum leaves few enough words to try. */
const FINDABLE: readonly number[] = [POLYSEED_WORDS, 25];

/** Form fields for seed words and the passphrase that they were hidden with. They are checked while they are typed. */
export class SeedWordsForm {
  words = $state('');
  /** The words were hidden with a passphrase, also known as the seed offset. A Polyseed says so itself. */
  hidden = $state(false);
  passphrase = $state('');
  checked: SeedCheck | undefined = $state.raw();
  /** The person confirms that the words are complete, when there is no checksum. */
  complete = $state(false);
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);

  readonly #count = $derived(this.checked?.words.length ?? 0);
  readonly unchecked = $derived(this.tried && this.checked?.checksum === 'none');
  readonly good = $derived(this.checked?.checksum === true || (this.checked?.checksum === 'none' && this.complete));
  readonly polyseed = $derived(this.checked?.checksum === true ? this.checked.polyseed : undefined);
  /** MyMonero seeds have no passphrase. */
  readonly myMonero = $derived(this.good && MYMONERO.includes(this.#count));
  readonly withPassphrase = $derived(this.polyseed ? this.polyseed.hidden : this.hidden && !this.myMonero);
  readonly passphraseMissing = $derived(this.tried && this.withPassphrase && this.passphrase === '');
  /** Number of words. */
  get count(): number {
    return this.#count;
  }

  /** So many words may need a passphrase, which they say only while all of them are right. */
  get mayNeedPassphrase(): boolean {
    return this.#count === POLYSEED_WORDS;
  }

  readonly error = $derived.by(() => {
    const { checked, tried } = this;
    const count = this.#count;
    if (!checked || count === 0) return tried ? m.err_seed_count() : undefined;
    // The last word may be incomplete.
    const finished = checked.unknown.filter((position) => tried || position < count - 1 || /\s$/.test(this.words));
    if (tried && BIP39.includes(count) && checked.checksum !== 'none') return m.err_seed_other({ count });
    if (finished.length > 0) return m.err_seed_word({ position: finished.map((position) => position + 1).join(', ') });
    // Sixteen words may become twenty-five.
    if (checked.checksum === false && (tried || count === LONGEST)) return m.err_seed_checksum();
    if (count > LONGEST || (tried && !SEEDS.includes(count) && !this.good)) return m.err_seed_count();
    return undefined;
  });

  /** One word is wrong, and can be found by trying. */
  readonly oneWrong = $derived.by(() => {
    const { checked } = this;
    if (!this.tried || this.hidden || !FINDABLE.includes(this.#count)) return false;
    return (
      checked !== undefined && (checked.unknown.length === 1 || (checked.unknown.length === 0 && checked.checksum === false))
    );
  });

  /** Checks the words as they are now; to be called when they change. */
  async check(): Promise<void> {
    const asked = this.words;
    const answer = await session.host.checkSeed(asked);
    if (asked === this.words) this.checked = answer;
  }

  /** Checks all fields, and shows their errors. Returns whether they are valid. */
  async read(): Promise<boolean> {
    // Words pasted just now may not have been checked yet.
    await noticeErrors(this.check());
    this.tried = true;
    return this.good && !this.passphraseMissing;
  }

  /** The passphrase, where there is one to go with the words; otherwise empty. */
  get usedPassphrase(): string {
    return this.withPassphrase ? this.passphrase : '';
  }
}

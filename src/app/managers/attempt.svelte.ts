import { errorCode } from '../error-codes.ts';
import { loadErrorText } from '../services/load-error-text.ts';
import { notices } from './notices.svelte.ts';

/** Something a person asks for and waits for: once at a time. Why it failed stays until the next try. */
export class Attempt {
  busy = $state(false);
  /** In words. */
  problem: string | undefined = $state();
  /** Its error's code. */
  code: string | undefined = $state();
  /** The problem is the password: it is said beside its field. */
  readonly wrongPassword = $derived(this.code === 'wrong-password');
  /** Counts what was forgotten: what comes of work that was asked for before is no longer told. */
  #turn = 0;

  /**
   * Does nothing while the last one goes on.
   * @param work is given a question, to be asked after what it waits for: whether the person still waits for this, and has not closed or changed
   * what it belongs to ({@link forget})
   */
  async run(work: (wanted: () => boolean) => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.forget();
    const turn = this.#turn;
    const wanted = (): boolean => turn === this.#turn;
    try {
      await work(wanted);
    } catch (error) {
      const words = await loadErrorText(error);
      if (!wanted()) return;
      this.problem = words;
      this.code = errorCode(error);
    } finally {
      this.busy = false;
    }
  }

  /** What was said belongs to nothing that is shown any more, nor will what is still awaited. */
  forget(): void {
    this.#turn += 1;
    this.problem = undefined;
    this.code = undefined;
  }
}

/** Waits for work that has no place of its own to say what went wrong: a notice says it. */
export async function orSay(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    notices.say(await loadErrorText(error), 'bad');
  }
}

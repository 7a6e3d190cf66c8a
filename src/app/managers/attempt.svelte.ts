import { errorCode } from '../error-codes.ts';
import { loadErrorText } from '../services/load-error-text.ts';
import { notices } from './notices.svelte.ts';

/** State of an action the person started: one at a time; its error stays until the next run. */
export class Attempt {
  busy = $state(false);
  /** Error text. */
  problem: string | undefined = $state();
  /** Error code. */
  code: string | undefined = $state();
  /** The error is a wrong password, to be shown at the password field. */
  readonly wrongPassword = $derived(this.code === 'wrong-password');
  /** Counts calls of {@link forget}: outcomes of earlier runs are not reported. */
  #turn = 0;

  /**
   * Runs the action, unless one is already running.
   * @param work gets a function to call after each await: false if the person closed or changed the form meanwhile ({@link forget})
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

  /** Clears the error, and that of a run still in progress: the form it belongs to was closed or changed. */
  forget(): void {
    this.#turn += 1;
    this.problem = undefined;
    this.code = undefined;
  }
}

/** Awaits work and shows its error as a notice, for actions without an error field of their own. */
export async function noticeErrors(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    notices.say(await loadErrorText(error), 'bad');
  }
}

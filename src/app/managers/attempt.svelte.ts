import { errorCode } from '../error-codes.ts';
import { wordsFor } from '../services/words.ts';
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

  /** Does nothing while the last one goes on. */
  async run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.forget();
    try {
      await work();
    } catch (error) {
      this.problem = await wordsFor(error);
      this.code = errorCode(error);
    } finally {
      this.busy = false;
    }
  }

  forget(): void {
    this.problem = undefined;
    this.code = undefined;
  }
}

/** Waits for work that has no place of its own to say what went wrong: a notice says it. */
export async function orSay(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    notices.say(await wordsFor(error), 'bad');
  }
}

import { Attempt } from './attempt.svelte.ts';

/** A form's question once its fields are right. The answer belongs to those fields: it goes when one of them changes. */
export class Inquiry<Answer> extends Attempt {
  /** From the first try on, fields say what is wrong with them. */
  tried = $state(false);
  answer: Answer | undefined = $state.raw();

  /** @param problems of the fields: with any of them nothing is asked */
  async ask(problems: readonly (string | undefined)[], work: () => Promise<Answer>): Promise<void> {
    this.tried = true;
    this.answer = undefined;
    if (problems.some((problem) => problem !== undefined)) return;
    await this.run(async (wanted) => {
      const answer = await work();
      if (wanted()) this.answer = answer;
    });
  }

  /** A problem of a field, once there was a try. */
  said(problem: string | undefined): string | undefined {
    return this.tried ? problem : undefined;
  }

  changed(): void {
    this.answer = undefined;
    this.forget();
  }
}

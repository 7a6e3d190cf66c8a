import { Attempt } from './attempt.svelte.ts';

/** A request made with a form's fields, sent only if they are valid. The answer is cleared when a field changes. */
export class FormRequest<Answer> extends Attempt {
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);
  answer: Answer | undefined = $state.raw();

  /** @param problems field errors; with any, the request is not sent */
  async ask(problems: readonly (string | undefined)[], work: () => Promise<Answer>): Promise<void> {
    this.tried = true;
    this.answer = undefined;
    if (problems.some((problem) => problem !== undefined)) return;
    await this.run(async (wanted) => {
      const answer = await work();
      if (wanted()) this.answer = answer;
    });
  }

  /** A field's error, once the form was submitted. */
  said(problem: string | undefined): string | undefined {
    return this.tried ? problem : undefined;
  }

  changed(): void {
    this.answer = undefined;
    this.forget();
  }
}

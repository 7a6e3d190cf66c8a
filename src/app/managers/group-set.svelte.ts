import type { GroupSetReview } from '../../wallet/index.ts';
import { mayHavePaid } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { Attempt } from './attempt.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** `unclear`: sending failed, but may have paid something. */
export type SetStep = 'open' | 'sent' | 'unclear';

/** One payment of a group, as one member sees it. Created with the view. */
export class GroupSetFlow {
  readonly attempt = new Attempt();
  step: SetStep = $state('open');
  review: GroupSetReview | undefined = $state.raw();
  file: Uint8Array | undefined = $state.raw();
  /** Why the payment is invalid or unreadable. */
  problem: string | undefined = $state();
  sent: readonly string[] = $state.raw([]);
  /** Counts loads: results of an earlier one are dropped. */
  #look = 0;
  readonly #api = wallet.api;

  constructor(readonly id: string) {}

  /** Loads the payment and validates it against the wallet's current state. */
  async look(): Promise<void> {
    this.#look += 1;
    const look = this.#look;
    try {
      const file = await this.#api.group.setBytes(this.id);
      if (look === this.#look) this.file = file;
      const review = await this.#api.group.review(this.id);
      if (look !== this.#look) return;
      this.review = review;
      this.problem = undefined;
    } catch (error) {
      if (look !== this.#look) return;
      this.review = undefined;
      this.problem = errorText(error);
    }
  }

  sign(): Promise<void> {
    return this.attempt.run(async () => {
      try {
        await this.#api.group.sign(this.id);
      } finally {
        await this.look();
      }
    });
  }

  async send(): Promise<void> {
    await this.attempt.run(async () => {
      try {
        this.sent = await this.#api.group.submit(this.id);
        this.step = 'sent';
      } catch (error) {
        if (mayHavePaid(error)) this.step = 'unclear';
        throw error;
      }
    });
  }

  giveUp(): Promise<void> {
    return this.attempt.run(() => this.#api.group.remove(this.id));
  }
}

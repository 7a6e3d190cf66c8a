import type { Priority } from '../../wallet/index.ts';
import { type ParsedAmount, readAmount } from '../services/amount.ts';

/** Whom a payment goes to, as it is being filled in. */
export class Recipient {
  readonly key = crypto.randomUUID();
  address = $state('');
  amount = $state('');
  addressProblem: string | undefined = $state();
  /** Description in a payment request: it becomes the payment's note. A stranger's words. */
  message = $state('');

  get parsed(): ParsedAmount {
    return readAmount(this.amount);
  }
}

/** A form of Send as it was filled in. */
export interface Draft {
  readonly recipients: readonly Pick<Recipient, 'address' | 'amount' | 'message'>[];
  readonly priority: Priority;
  readonly sweep: boolean;
  readonly older: boolean;
}

import { isCommonPassword } from '../services/password.ts';

/** Fewest characters of a password. */
export const PASSWORD_LEAST = 8;

/** Form fields for a new password, typed twice. */
export class NewPassword {
  text = $state('');
  again = $state('');
  short = $derived(this.text.length < PASSWORD_LEAST);
  common = $derived(isCommonPassword(this.text));
  differs = $derived(this.text !== this.again);
  good = $derived(!this.short && !this.common && !this.differs);
}

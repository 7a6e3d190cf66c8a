import { wipe } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import { constructTransaction } from './construct.ts';
import { SpendError } from './errors.ts';
import type { Signer, Signing, SigningOptions, UnsignedPayment } from './signer.ts';
import type { SignedTransaction } from './unsigned.ts';

/** Signs with keys in memory. It has its own copies and wipes them when closed. */
export class KeySigner implements Signer {
  readonly #spendKey: Uint8Array;
  readonly #viewKey: Uint8Array;
  readonly #random: Random;
  #closed = false;

  /** @param keys secret keys, 32 bytes each; copied */
  constructor(keys: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array }, random: Random) {
    this.#spendKey = keys.spendKey.slice();
    this.#viewKey = keys.viewKey.slice();
    this.#random = random;
  }

  async sign(payment: UnsignedPayment, { turn, signal }: SigningOptions): Promise<Signing> {
    const transactions: SignedTransaction[] = [];
    for (const [i, { unsigned }] of payment.transactions.entries()) {
      await turn(i + 1);
      signal?.throwIfAborted();
      if (this.#closed) throw new SpendError('view-only', 'expected a signer that still holds its keys');
      transactions.push(constructTransaction(unsigned, { spendKey: this.#spendKey, viewKey: this.#viewKey }, this.#random));
    }
    return { kind: 'signed', transactions };
  }

  /** Wipes the spend key until {@link recall}: nothing can be signed. */
  forget(): void {
    this.#closed = true;
    wipe(this.#spendKey);
  }

  /** Restores the spend key. @param spendKey copied */
  recall(spendKey: Uint8Array): void {
    this.#spendKey.set(spendKey);
    this.#closed = false;
  }

  /** Wipes the keys. Idempotent. */
  close(): void {
    this.forget();
    wipe(this.#viewKey);
  }
}

import { wipe } from '../../base/index.ts';
import { type SealingKey, sealingKeyOf } from '../../wallet2/index.ts';
import type { MultisigAccount } from './account.ts';

/** Cipher key of a group's messages. Derived once while a wallet is open: it takes as long as verifying a payment. */
export class GroupSealing {
  #key: SealingKey | undefined;

  /** The key, derived at the first call; later calls return the same one. */
  async of({ commonSecret }: Pick<MultisigAccount, 'commonSecret'>): Promise<SealingKey> {
    this.#key ??= await sealingKeyOf(commonSecret);
    return this.#key;
  }

  /** Overwrites the key, when the wallet closes. */
  wipe(): void {
    if (this.#key !== undefined) wipe(this.#key.key);
    this.#key = undefined;
  }
}

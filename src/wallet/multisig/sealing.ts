import { wipe } from '../../base/index.ts';
import { type SealingKey, sealingKeyOf } from '../../wallet2/index.ts';
import type { MultisigAccount } from './account.ts';

/** Cipher key of a group's messages. Made once for an open wallet: it costs as much as judging a payment. */
export class GroupSealing {
  #key: SealingKey | undefined;

  /** The key of a group, which it follows from slowly; later calls give the same without looking. */
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

import { type Random, scalarMul, scalarMulBase } from '../../src/crypto/index.ts';
import { mainRounds } from '../../src/wallet/multisig/account.ts';
import { blindedKey } from '../../src/wallet/multisig/aggregate.ts';
import { type BaseSecrets, firstMessage } from '../../src/wallet/multisig/kex.ts';
import { encodeKexMessage } from '../../src/wallet/multisig/kex-message.ts';
import { scalarFromBigint } from './scalars.ts';

// Messages of many signers, computed with all their secrets: a secret shared by some of them is computed once, not by each.

const EIGHT = scalarFromBigint(8n);

/** All choices of `size` out of the numbers below `count`. */
function* choices(count: number, size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) yield [];
  else for (let i = from; i <= count - size; i++) for (const rest of choices(count, size - 1, i + 1)) yield [i, ...rest];
}

export class GroupOfMany {
  readonly #secrets: readonly BaseSecrets[];
  readonly #threshold: number;
  readonly #random: Random;

  constructor(secrets: readonly BaseSecrets[], threshold: number, random: Random) {
    this.#secrets = secrets;
    this.#threshold = threshold;
    this.#random = random;
  }

  /** Messages of all signers of a round that makes keys, 1 … N − M + 1. */
  messages(round: number): string[] {
    if (round === 1) return this.#secrets.map((secrets) => firstMessage(secrets, this.#random));
    const keys: Uint8Array[][] = this.#secrets.map(() => []);
    const last = round === mainRounds(this.#secrets.length, this.#threshold);
    for (const members of choices(this.#secrets.length, round)) {
      const shared = this.#shared(members);
      const key = last ? scalarMulBase(blindedKey(shared)) : shared;
      for (const member of members) keys[member]!.push(key);
    }
    return this.#secrets.map(({ baseSecret }, i) =>
      encodeKexMessage({ round, keys: keys[i]!, commonSecret: undefined }, baseSecret, this.#random),
    );
  }

  /** Messages of the last round, once one signer has derived the keys. */
  lastMessages(keys: readonly Uint8Array[]): string[] {
    const round = mainRounds(this.#secrets.length, this.#threshold) + 1;
    return this.#secrets.map(({ baseSecret }) =>
      encodeKexMessage({ round, keys, commonSecret: undefined }, baseSecret, this.#random),
    );
  }

  /** 8^(n−1) · the product of their secrets · G. */
  #shared(members: readonly number[]): Uint8Array {
    const secrets = members.map((member) => this.#secrets[member]!.baseSecret);
    return scalarMulBase(secrets.reduce((product, secret) => scalarMul(scalarMul(product, secret), EIGHT)));
  }
}

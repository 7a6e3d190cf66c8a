import { bytesToHex } from '../../base/index.ts';
import type { MultisigTxSet } from '../../wallet2/index.ts';
import { binomial, type MultisigAccount } from './account.ts';
import { MultisigError } from './errors.ts';
import { includesKey } from './shared-inputs.ts';

/** Most bytes of a transaction of 16 outputs with its description, and of each input: several times their real size. */
const OF_TRANSACTION = 50_000;
const OF_INPUT = 5_000;
/** Bytes of an attempt besides its keys and points, which have 32 bytes each. */
const OF_ATTEMPT = 200;
const KEY = 32;

/**
 * Bounds the size of a set by what a payment of this group can need: an attempt takes as long to check as an input, a transaction longer, and
 * the whole set is stored in the journal and read again with every change of the wallet.
 * @param known outputs of this wallet: each can be spent once
 * @param length of the set, bytes
 * @throws MultisigError `bad-set`
 */
export function requireSetBounds(account: MultisigAccount, { transactions }: MultisigTxSet, known: number, length: number): void {
  const { signers, threshold } = account;
  const refused = () =>
    new MultisigError('bad-set', 'expected no more attempts, inputs and bytes than a payment of this group has', {
      reason: 'form',
    });
  const mostAttempts = binomial(signers.length - 1, threshold - 1);
  let [inputs, bytes] = [0, OF_TRANSACTION];
  for (const { attempts, transaction } of transactions) {
    if (attempts.length > mostAttempts) throw refused();
    inputs += transaction.inputs.length;
    bytes += OF_TRANSACTION + OF_INPUT * transaction.inputs.length;
    bytes += attempts.length * (OF_ATTEMPT + KEY * keysOfAttempt(account, transaction.inputs.length));
  }
  if (inputs > known || length > bytes) throw refused();
}

/** Excluded members, used nonces of the others, shares that have signed; for each input two sums of either kind, challenge and response. */
function keysOfAttempt({ signers: { length }, threshold }: MultisigAccount, inputs: number): number {
  const shares = binomial(length, threshold - 1);
  return length - threshold + 2 * inputs * (threshold - 1) + shares + 6 * inputs;
}

/** Requires that at least one member of the group has signed, nobody twice, and nobody else. @throws MultisigError `unknown-signer` */
export function requireMembers({ signers: members }: MultisigAccount, signers: MultisigTxSet['signers']): void {
  const distinct = new Set(signers.map(bytesToHex)).size;
  if (distinct === 0 || distinct !== signers.length || !signers.every((signer) => includesKey(members, signer)))
    throw new MultisigError('unknown-signer', 'expected a set that members of this group signed');
}

import { bytesToHex, compareBytes, hexToBytes } from '../../base/index.ts';
import { isProtocolError } from '../../protocol/errors.ts';
import { type KeysFile, type MultisigKeys, Wallet2Error } from '../../wallet2/index.ts';
import { type MultisigAccount, mainRounds, mainRoundsDone, sharesOfEach } from './account.ts';
import { requirePublic } from './aggregate.ts';
import { MultisigError } from './errors.ts';
import { requireAccount } from './kex.ts';

/**
 * The account in the reference's `.keys` file.
 * @throws Wallet2Error `keys-do-not-match` if its keys do not belong to one group
 */
export function accountFromKeysFile(keys: KeysFile, multisig: MultisigKeys): MultisigAccount {
  const { signers, threshold, roundsPassed, keyShares, derivations } = multisig;
  const account: MultisigAccount = {
    ...{ threshold, roundsComplete: roundsPassed, keyShares },
    signers: [...signers].sort(compareBytes),
    baseSecret: keys.spendKey ?? new Uint8Array(32),
    commonSecret: keys.viewKey,
    commonKey: keys.account.viewKey,
    groupKey: keys.account.spendKey,
    origins: new Map(derivations.map((key) => [bytesToHex(key), new Set()])),
  };
  try {
    requireAccount(account);
    requireShares(account);
  } catch (error) {
    if (!(error instanceof MultisigError) && !isProtocolError(error)) throw error;
    throw new Wallet2Error('keys-do-not-match', 'expected the keys of one signer of a group');
  }
  return account;
}

/** Requires the number of shares that the round has, each a scalar. @throws MultisigError `bad-account` */
function requireShares(account: MultisigAccount): void {
  const { signers, threshold, keyShares, roundsComplete } = account;
  for (const share of keyShares) requirePublic(share);
  const wanted = roundsComplete + 1 >= mainRounds(signers.length, threshold) ? sharesOfEach(signers.length, threshold) : 0;
  if (keyShares.length !== wanted) throw new MultisigError('bad-account', `expected ${wanted} shares of the key`);
}

/** Multisig fields of the reference's `.keys` file. */
export function multisigKeysOf(account: MultisigAccount, enabled: boolean): MultisigKeys {
  const { threshold, signers, roundsComplete, keyShares, origins } = account;
  const derivations = mainRoundsDone(account) ? [] : [...origins.keys()].map(hexToBytes);
  return { threshold, signers, roundsPassed: roundsComplete, derivations, keyShares, enabled };
}

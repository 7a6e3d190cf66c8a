import { onTestFinished } from 'vitest';
import { keysFromSeed, type Random, systemRandom } from '../../../src/crypto/index.ts';
import type { Wallet } from '../../../src/wallet/index.ts';
import { isReady, type MultisigAccount } from '../../../src/wallet/multisig/account.ts';
import {
  type BaseSecrets,
  baseSecretsOf,
  exchangeKeys,
  firstMessage,
  makeAccount,
  nextMessage,
} from '../../../src/wallet/multisig/kex.ts';
import { decodeKexMessage, type KexMessage } from '../../../src/wallet/multisig/kex-message.ts';

/** A wallet that is closed when the test is over. */
export function kept(wallet: Wallet): Wallet {
  onTestFinished(() => wallet.close());
  return wallet;
}

/** Secrets of a signer with a number of its own. */
export const secretsOf = (number: number): BaseSecrets =>
  baseSecretsOf(keysFromSeed(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? number + 1 : i === 1 ? 7 : 0))));

/** Messages of all but one, read. */
export const others = (messages: readonly string[], but: number): KexMessage[] =>
  messages.filter((_, i) => i !== but).map(decodeKexMessage);

/** The accounts of all signers after the first round. */
export function made(count: number, threshold: number, random: Random = systemRandom): MultisigAccount[] {
  const secrets = Array.from({ length: count }, (_, i) => secretsOf(i));
  const first = secrets.map((each) => firstMessage(each, random));
  return secrets.map((each, i) => makeAccount(each, threshold, others(first, i)));
}

/** The accounts of all signers after one more round. */
export function exchanged(accounts: readonly MultisigAccount[], random: Random = systemRandom): MultisigAccount[] {
  const messages = accounts.map((account) => nextMessage(account, random));
  return accounts.map((account, i) => exchangeKeys(account, others(messages, i)));
}

/** A group whose exchange is over. */
export function readyGroup(count: number, threshold: number, random: Random = systemRandom): MultisigAccount[] {
  let accounts = made(count, threshold, random);
  while (!accounts.every(isReady)) accounts = exchanged(accounts, random);
  return accounts;
}

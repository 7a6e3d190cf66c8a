/** A wallet of several signers: the group, its key exchange, and what its members pass on to each other. Other rooms come in here. */
export { isReady, type MultisigAccount, mainRounds, mainRoundsDone, setupRounds, sharesOfEach } from './account.ts';
export { MultisigError, type MultisigErrorCode } from './errors.ts';
export { baseSecretsOf, exchangeKeys, firstMessage, makeAccount, nextMessage, requireAccount } from './kex.ts';
export { decodeKexMessage, type KexMessage } from './kex-message.ts';

/** A wallet of several signers: the group, its key exchange, and what its members pass on to each other. Other rooms come in here. */
export { isReady, type MultisigAccount, mainRounds, mainRoundsDone, setupRounds, sharesOfEach } from './account.ts';

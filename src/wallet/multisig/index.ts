/** A wallet of several signers: the group, its key exchange, and what its members pass on to each other. Other rooms come in here. */
export { type CosignedSet, Cosigning, type GroupSetView } from './cosigning.ts';
export { GroupDesk } from './desk.ts';
export { MultisigError, type MultisigErrorCode } from './errors.ts';
export { accountFromKeysFile, multisigKeysOf } from './keys-file.ts';
export { forGroup, walletFromMultisigSeed, walletOfSigner } from './make-wallet.ts';
export { ENABLED, type GroupView, Multisig, type RoundResult } from './multisig.ts';
export { GroupSealing } from './sealing.ts';

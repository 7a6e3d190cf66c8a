/** Paying: plan, decoys, construction, checks, broadcast. Other rooms come in here. */
export type { SpendContext, SpendDaemon } from './context.ts';
export { SpendError, type SpendErrorCode } from './errors.ts';
export { estimateSizeAndWeight } from './estimate.ts';
export { outputsOfMovedRings, ringsGivenUp } from './kept-rings.ts';
export { spendContextOf, subaddressToSweep } from './of-wallet.ts';
export {
  type AssembledPlan,
  layOutSweep,
  layOutTransfer,
  type Prepared,
  prepareSweep,
  prepareTransfer,
} from './prepare.ts';
export { layOutUnmixable, prepareUnmixable } from './prepare-unmixable.ts';
export { defaultPriority } from './rate.ts';
export { KeySigner, viewOnlySigner } from './signer.ts';
export { rebroadcast, submitPrepared, unsentGivenUp } from './submit.ts';
export type { SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';

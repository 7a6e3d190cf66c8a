/** Proofs of payment, of spending and of reserves, and signed messages, as the reference wallet writes them. */
export type { ProofContext, ProofDaemon } from './context.ts';
export { ProofError, type ProofErrorCode } from './errors.ts';
export { signMessage, verifyMessage } from './message.ts';
export { checkReserve, proveReserve } from './reserve-proof.ts';
export { decodeReserveProof, encodeReserveProof } from './reserve-text.ts';
export { checkSpend, decodeSpendProof, proveSpend } from './spend-proof.ts';
export { checkTxKey, txKeysOf } from './tx-key.ts';
export {
  checkTx,
  decodeTxProof,
  encodeTxProof,
  type ProofAddress,
  proveTx,
} from './tx-proof.ts';

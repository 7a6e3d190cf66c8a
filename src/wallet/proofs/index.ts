/** Proofs of payment, of spending and of reserves, and signed messages, as the reference wallet writes them. */
export type { ProofContext, ProofDaemon } from './context.ts';
export { ProofError, type ProofErrorCode } from './errors.ts';
export { type MessageVerdict, type SignatureKind, signMessage, verifyMessage } from './message.ts';
export { type PaymentClaim, Proofs, type ReserveClaim, type SpendClaim } from './proofs.ts';
export { checkReserve, proveReserve, type ReserveAsked, type ReserveVerdict } from './reserve-proof.ts';
export { decodeReserveProof, encodeReserveProof } from './reserve-text.ts';
export { checkSpend, decodeSpendProof, proveSpend } from './spend-proof.ts';
export { checkTxKey, type Receipt, txKeysOf } from './tx-key.ts';
export {
  checkTx,
  decodeTxProof,
  encodeTxProof,
  proveTx,
  type TxProofVerdict,
} from './tx-proof.ts';

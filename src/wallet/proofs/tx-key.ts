import { hexToBytes, wipe } from '../../base/index.ts';
import { generateKeyDerivation, isCanonicalScalar } from '../../crypto/index.ts';
import type { AddressKeys, TxHash } from '../../protocol/index.ts';
import type { WalletState } from '../state/state.ts';
import { confirmationsOf, findTransaction } from './chain.ts';
import type { ProofContext } from './context.ts';
import { ProofError } from './errors.ts';
import { receivedBy } from './received-outputs.ts';

/** Amount that a transaction paid to an address, and its confirmations. */
export interface Receipt {
  /** Atomic units. */
  readonly received: bigint;
  readonly inPool: boolean;
  /** 0 in the pool. */
  readonly confirmations: number;
}

/** Hex, main first; undefined if this wallet does not have them (`get_tx_key_cached`, wallet2.cpp). */
export function txKeysOf(state: WalletState, txHash: TxHash): readonly string[] | undefined {
  const sent = state.sent.get(txHash)?.tx.txKeys;
  const keys =
    sent === undefined || sent.length === 0 ? (state.signedKeys.get(txHash) ?? state.recorded.get(txHash)?.txKeys) : sent;
  return keys === undefined || keys.length === 0 ? undefined : keys;
}

/**
 * `check_tx_key`, wallet2.cpp.
 * @param txKeys 32 bytes each, main first, then at most one for each output
 * @throws ProofError `bad-key`, `transaction-unavailable`, `bad-daemon-answer`, `wrong-count`
 */
export async function checkTxKey(
  { daemon }: Pick<ProofContext, 'daemon'>,
  txHash: TxHash,
  txKeys: readonly Uint8Array[],
  { spendKey, viewKey }: AddressKeys,
): Promise<Receipt> {
  const [main, ...additional] = txKeys.map((secret) => derive(viewKey, secret));
  const found = await findTransaction(daemon, txHash);
  if (additional.length > found.transaction.outputs.length)
    throw new ProofError('wrong-count', 'expected at most a key an output');
  const received = receivedBy(found.transaction, spendKey, { main, additional });
  return { received, inPool: found.inPool, confirmations: await confirmationsOf(daemon, found) };
}

function derive(viewKey: Uint8Array, secret: Uint8Array): Uint8Array {
  const derivation = isCanonicalScalar(secret) ? generateKeyDerivation(viewKey, secret) : undefined;
  if (derivation === undefined) throw new ProofError('bad-key', 'expected transaction keys below the group order');
  return derivation;
}

/** Runs work with the secret keys of a transaction as bytes, then wipes those. @throws ProofError `no-tx-key` */
export async function withTxKeys<T>(
  state: WalletState,
  txHash: TxHash,
  use: (keys: readonly Uint8Array[]) => Promise<T>,
): Promise<T> {
  const keys = txKeysOf(state, txHash)?.map(hexToBytes);
  if (keys === undefined) throw new ProofError('no-tx-key', 'expected a transaction that this wallet sent');
  try {
    return await use(keys);
  } finally {
    wipe(...keys);
  }
}

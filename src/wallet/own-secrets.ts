import { bytesToHex, equalBytes, hexToBytes, wipe } from '../base/index.ts';
import { secretKeyToPublicKey } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';

type Owner = Pick<WalletContext, 'keys' | 'state'>;

/**
 * Throws if one of these texts is a secret of a wallet as 64 hex digits, in either case: a key of its addresses, also one that this half of it
 * does not hold, or of a transaction that it made. Ids have as many digits, so one is easily pasted in place of an id.
 * @throws WalletError `own-secret`
 */
export function requireNoOwnSecret(owner: Owner, texts: readonly string[]): void {
  if (texts.some((text) => isOwnSecret(owner, text)))
    throw new WalletError('own-secret', 'expected an id, got a secret key of this wallet');
}

/** Makes a client refuse to ask for a transaction by a secret of the wallet. @returns the same client */
export function withholdOwnSecrets(daemon: DaemonClient, owner: Owner): DaemonClient {
  const { getTransactions } = daemon;
  daemon.getTransactions = async (...asked) => {
    requireNoOwnSecret(owner, asked[0]);
    return getTransactions(...asked);
  };
  return daemon;
}

function isOwnSecret({ keys, state }: Owner, text: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(text)) return false;
  const digits = hexToBytes(text);
  try {
    const point = secretKeyToPublicKey(digits);
    // Fifteen of sixteen ids are no scalars.
    if (point === undefined) return false;
    const { viewKey, spendKey } = keys.primary;
    const base = state.multisig?.baseSecret;
    if (equalBytes(point, viewKey) || equalBytes(point, spendKey)) return true;
    return (base !== undefined && equalBytes(digits, base)) || isTxKey(state, bytesToHex(digits));
  } finally {
    wipe(digits);
  }
}

function isTxKey({ sent, signedKeys, recorded }: Owner['state'], hex: string): boolean {
  for (const { tx } of sent.values()) if (tx.txKeys.includes(hex)) return true;
  for (const keys of signedKeys.values()) if (keys.includes(hex)) return true;
  for (const { txKeys } of recorded.values()) if (txKeys.includes(hex)) return true;
  return false;
}

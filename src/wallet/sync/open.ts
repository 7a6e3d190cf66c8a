import { bytesToHex, equalBytes, wipe } from '../../base/index.ts';
import {
  commit,
  commitmentMask,
  decodeAmount8,
  decodeEcdhLegacy,
  derivationToScalar,
  deriveSecretKey,
  generateKeyImage,
  isCanonicalScalar,
  scalarAdd,
  secretKeyToPublicKey,
  subaddressSecretKey,
} from '../../crypto/index.ts';
import {
  type AtomicAmount,
  type EcdhInfo,
  type KeyImage,
  RctType,
  type Transaction,
  toAtomicAmount,
} from '../../protocol/model.ts';
import { isPrimary, type WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';

/** An output's amount and the mask of its commitment. */
export interface OpenedAmount {
  readonly amount: AtomicAmount;
  /** 64 hex digits; 1 for clear amounts. */
  readonly mask: string;
  readonly rct: boolean;
}

const CLEAR_MASK = `01${'00'.repeat(31)}`;

/**
 * The amount of an output that is ours, if its commitment says the same (T8): undefined when it does not, when the
 * amount is 0, and when the transaction's form has no amount to find.
 * @param derivation 8·a·R, 32 bytes
 */
export function openAmount(tx: Transaction, outputIndex: number, derivation: Uint8Array): OpenedAmount | undefined {
  const output = tx.outputs[outputIndex];
  if (output === undefined) return undefined;
  const coinbase = tx.inputs[0]?.type === 'gen';
  if (tx.version === 1 || coinbase) {
    if (output.amount === 0n) return undefined;
    return { amount: toAtomicAmount(output.amount), mask: CLEAR_MASK, rct: tx.version === 2 };
  }
  const ecdh = tx.rct.ecdhInfo[outputIndex];
  const commitment = tx.rct.outPk[outputIndex];
  if (tx.rct.type === RctType.Null || ecdh === undefined || commitment === undefined || output.amount !== 0n) return undefined;
  const key = derivationToScalar(derivation, outputIndex);
  const opened = decode(ecdh, key);
  wipe(key);
  if (opened === undefined || opened.amount === 0n) return undefined;
  if (!isCanonicalScalar(opened.mask) || !equalBytes(commit(opened.amount, opened.mask), commitment)) return undefined;
  return { amount: toAtomicAmount(opened.amount), mask: bytesToHex(opened.mask), rct: true };
}

function decode(ecdh: EcdhInfo, key: Uint8Array): { mask: Uint8Array; amount: bigint } | undefined {
  if (ecdh.mask === undefined) return { amount: decodeAmount8(key, ecdh.amount), mask: commitmentMask(key) };
  if (ecdh.amount.length !== 32 || ecdh.mask.length !== 32) return undefined;
  return decodeEcdhLegacy(key, { mask: ecdh.mask, amount: ecdh.amount });
}

/**
 * The key image of an output of ours; undefined for view-only wallets and when the one-time secret key does not make
 * the output's key.
 * @param derivation 8·a·R, 32 bytes
 */
export function keyImageOf(
  keys: WalletKeys,
  outputKey: Uint8Array,
  derivation: Uint8Array,
  outputIndex: number,
  index: SubaddressIndex,
): KeyImage | undefined {
  if (keys.spendKey === undefined) return undefined;
  const secret = oneTimeSecret(keys.spendKey, keys.viewKey, derivation, outputIndex, index);
  const pub = secretKeyToPublicKey(secret);
  const image = pub !== undefined && equalBytes(pub, outputKey) ? generateKeyImage(outputKey, secret) : undefined;
  wipe(secret);
  return image === undefined ? undefined : (bytesToHex(image) as KeyImage);
}

/** Hs(D ‖ i) + b, and m of the subaddress (generate_key_image_helper_precomp). */
function oneTimeSecret(
  spendKey: Uint8Array,
  viewKey: Uint8Array,
  derivation: Uint8Array,
  outputIndex: number,
  index: SubaddressIndex,
): Uint8Array {
  const base = deriveSecretKey(derivation, outputIndex, spendKey);
  if (isPrimary(index)) return base;
  const offset = subaddressSecretKey(viewKey, index);
  const secret = scalarAdd(base, offset);
  wipe(base, offset);
  return secret;
}

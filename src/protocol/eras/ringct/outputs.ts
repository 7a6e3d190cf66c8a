import { bytesToHex, equalBytes, wipe } from '../../../base/index.ts';
import {
  commit,
  commitmentMask,
  decodeAmount8,
  decodeEcdhLegacy,
  derivationToScalar,
  deriveSecretKey,
  deriveSubaddressPublicKey,
  deriveViewTag,
  generateKeyDerivation,
  generateKeyImage,
  generateKeyImages,
  IDENTITY,
  isCanonicalScalar,
  scalarAdd,
  subaddressSecretKey,
} from '../../../crypto/index.ts';
import { additionalPublicKeys, encryptPaymentId, parseExtra, txPublicKeys } from '../../extra.ts';
import { type EcdhInfo, RctType, type Transaction, toAtomicAmount } from '../../model.ts';
import type { OpenedAmount, OutputScheme } from '../era.ts';
import { extraSize, hasClearAmounts, keysNeeded, makeOutputs, remakeOutputs, remakeShared } from './sender.ts';

const CLEAR_MASK = `01${'00'.repeat(31)}`;

/**
 * Outputs with one-time keys, versions 1 to 16. The shared secret is the derivation D = 8·a·R = 8·r·A; an output's key is Hs(D ‖ i)·G + B,
 * and Hs(D ‖ i) hides its amount and makes the mask.
 */
export const ONE_TIME_KEYS: OutputScheme = {
  publicKeys({ extra }) {
    const { fields } = parseExtra(extra);
    return { main: txPublicKeys(fields), additional: additionalPublicKeys(fields) };
  },

  exchange: generateKeyDerivation,

  sharedByReceiver: (publicKey, secretKey) => generateKeyDerivation(publicKey, secretKey) ?? IDENTITY.slice(),

  isTagged({ outputs }, index, derivation) {
    const { viewTag } = outputs[index]!;
    return viewTag === undefined || deriveViewTag(derivation, index) === viewTag;
  },

  receiver: ({ outputs }, index, derivation) => deriveSubaddressPublicKey(outputs[index]!.key, derivation, index),

  open(tx, index, derivation) {
    const output = tx.outputs[index];
    if (output === undefined) return undefined;
    if (hasClearAmounts(tx)) {
      if (output.amount === 0n) return undefined;
      return { amount: toAtomicAmount(output.amount), mask: CLEAR_MASK, rct: tx.version === 2 };
    }
    return output.amount === 0n ? openHidden(tx, index, derivation) : undefined;
  },

  cryptPaymentId: encryptPaymentId,

  /** Hs(D ‖ i) + b, plus m for a subaddress (generate_key_image_helper_precomp). */
  secretKey(derivation, index, { spendKey, viewKey }, subaddress) {
    const base = deriveSecretKey(derivation, index, spendKey);
    if (subaddress.major === 0 && subaddress.minor === 0) return base;
    const offset = subaddressSecretKey(viewKey, subaddress);
    const secret = scalarAdd(base, offset);
    wipe(base, offset);
    return secret;
  },

  keyImage: generateKeyImage,
  keyImages: generateKeyImages,

  make: makeOutputs,
  remake: remakeOutputs,
  keysNeeded,
  remakeShared,
  outputSize: 1 + 32 + 1,
  extraSize,
};

function openHidden(tx: Transaction, index: number, derivation: Uint8Array): OpenedAmount | undefined {
  if (tx.version === 1 || tx.rct.type === RctType.Null) return undefined;
  const ecdh = tx.rct.ecdhInfo[index];
  const commitment = tx.rct.outPk[index];
  if (ecdh === undefined || commitment === undefined) return undefined;
  const key = derivationToScalar(derivation, index);
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

import { bytesToHex, equalBytes, wipe } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import type { OutputScheme } from '../../protocol/eras/index.ts';
import type { KeyImage } from '../../protocol/model.ts';
import type { WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';

/**
 * The key image of an output of ours; undefined for view-only wallets and when the one-time secret key does not make
 * the output's key.
 * @param shared what we share with its sender, 32 bytes
 */
export function keyImageOf(
  scheme: OutputScheme,
  keys: WalletKeys,
  outputKey: Uint8Array,
  shared: Uint8Array,
  outputIndex: number,
  index: SubaddressIndex,
): KeyImage | undefined {
  const { spendKey, viewKey } = keys;
  if (spendKey === undefined) return undefined;
  const secret = scheme.secretKey(shared, outputIndex, { spendKey, viewKey }, index);
  const pub = secretKeyToPublicKey(secret);
  const image = pub !== undefined && equalBytes(pub, outputKey) ? scheme.keyImage(outputKey, secret) : undefined;
  wipe(secret);
  return image === undefined ? undefined : (bytesToHex(image) as KeyImage);
}

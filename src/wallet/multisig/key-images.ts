import { bytesToHex, hexToBytes, wipe } from '../../base/index.ts';
import { hashToEc, pointAdd, SCALAR_ZERO, scalarAdd, scalarMulPoint, scalarMulPoints } from '../../crypto/index.ts';
import { type KeyImage, RECORDED_OUTPUTS, toKeyImage } from '../../protocol/index.ts';
import type { SpentOutput } from '../spend/construct.ts';
import type { MultisigAccount } from './account.ts';

/** Sum of key shares, a scalar. The caller wipes it. */
export const sumOfShares = (shares: readonly Uint8Array[]): Uint8Array =>
  shares.reduce<Uint8Array>((sum, share) => scalarAdd(sum, share), SCALAR_ZERO);

/** Each of our key shares times Hp of an output's key, 32 bytes each: our contribution to its key image. */
export function partialKeyImages({ keyShares }: MultisigAccount, key: Uint8Array): Uint8Array[] {
  const base = hashToEc(key);
  return scalarMulPoints(
    keyShares,
    keyShares.map(() => base),
  );
}

/**
 * Our part of an output's secret key: the sum of the part from its transaction and subaddress, which every member knows, and
 * of all our key shares. The caller wipes it.
 */
export function partOfSecret({ keyShares, commonSecret }: MultisigAccount, output: SpentOutput): Uint8Array {
  const shared = RECORDED_OUTPUTS.sharedByReceiver(hexToBytes(output.txPublicKey), commonSecret);
  const sum = sumOfShares(keyShares);
  const keys = { spendKey: sum, viewKey: commonSecret };
  const secret = RECORDED_OUTPUTS.secretKey(shared, output.outputIndex, keys, output.subaddress);
  wipe(shared, sum);
  return secret;
}

/**
 * The key image of an output from our shares and the others' partial key images (`generate_multisig_composite_key_image`). Shares
 * that several signers hold count once. The result is correct if all shares of the group are included, which it does not show.
 * @param theirs partial key images of other signers, points of 32 bytes
 */
export function composedKeyImage(account: MultisigAccount, output: SpentOutput, theirs: readonly Uint8Array[]): KeyImage {
  const key = hexToBytes(output.key);
  const secret = partOfSecret(account, output);
  const used = new Set(partialKeyImages(account, key).map(bytesToHex));
  let image = scalarMulPoint(secret, hashToEc(key));
  wipe(secret);
  for (const part of theirs) {
    const name = bytesToHex(part);
    if (used.has(name)) continue;
    used.add(name);
    image = pointAdd(image, part);
  }
  return toKeyImage(image);
}

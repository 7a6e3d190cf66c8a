import { wipe } from '../../base/index.ts';
import { type KeyImage, type OutputScheme, toKeyImage } from '../../protocol/index.ts';
import type { WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';

/** What the key image of an output is made from. */
export interface KeyImageSource {
  readonly scheme: OutputScheme;
  readonly outputKey: Uint8Array;
  /** The secret shared with its sender, 32 bytes. */
  readonly shared: Uint8Array;
  readonly outputIndex: number;
  readonly index: SubaddressIndex;
}

/**
 * Key images of our outputs; undefined for view-only wallets and where the one-time secret key does not produce the output's key. A batch
 * takes half the time of single ones.
 */
export function keyImagesOf(keys: WalletKeys, outputs: readonly KeyImageSource[]): (KeyImage | undefined)[] {
  const { spendKey, viewKey } = keys;
  if (spendKey === undefined) return outputs.map(() => undefined);
  const images = new Map<KeyImageSource, KeyImage>();
  for (const scheme of new Set(outputs.map((output) => output.scheme))) {
    const own = outputs.filter((output) => output.scheme === scheme);
    const pairs = own.map(({ outputKey, shared, outputIndex, index }) => ({
      key: outputKey,
      secret: scheme.secretKey(shared, outputIndex, { spendKey, viewKey }, index),
    }));
    scheme.keyImages(pairs).forEach((image, i) => {
      if (image !== undefined) images.set(own[i]!, toKeyImage(image));
    });
    wipe(...pairs.map(({ secret }) => secret));
  }
  return outputs.map((output) => images.get(output));
}

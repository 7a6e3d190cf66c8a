import type { KeyImage, OutputKey } from '../../protocol/index.ts';
import type { OwnedOutput, Ring } from '../model.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';

/** All output indices that were ever requested for a ring's key image. Old journals store only the ring. */
export const askedIndices = (ring: Ring | undefined): readonly bigint[] => ring?.asked ?? ring?.members ?? [];

/** An output's one-time key in place of an unknown key image. It is as unique, and the output's ring is stored under it (T3). */
export const placeholderKeyImage = (key: OutputKey): KeyImage => key as string as KeyImage;

/** The stored ring of an output: by its key image, or by its one-time key from when that was unknown. */
export function keptRing(state: WalletState, { keyImage, key }: Pick<OwnedOutput, 'keyImage' | 'key'>): Ring | undefined {
  const ring = (keyImage === undefined ? undefined : state.rings.get(keyImage)) ?? state.rings.get(placeholderKeyImage(key));
  return ring !== undefined && isGivenUp(ring) ? undefined : ring;
}

/** An empty ring records that the person allows another one to be chosen. */
const isGivenUp = (ring: Ring): boolean => askedIndices(ring).length === 0;

/** Whether a ring does not contain its output, because a reorganisation has moved it. No node accepts such a ring. */
export function ringLacksOutput(ring: Ring | undefined, { globalIndex }: Pick<OwnedOutput, 'globalIndex'>): boolean {
  if (ring === undefined) return false;
  return !askedIndices(ring).includes(globalIndex) || (ring.members.length > 0 && !ring.members.includes(globalIndex));
}

/** Key images, or keys where those are unknown, of unspent outputs that have moved since their rings were chosen. */
export function outputsOfMovedRings(state: WalletState): KeyImage[] {
  return [...state.unspent]
    .map((key) => state.outputs.get(key)!.output)
    .filter((output) => ringLacksOutput(keptRing(state, output), output))
    .map(({ keyImage, key }) => keyImage ?? placeholderKeyImage(key));
}

/**
 * The event that gives up rings, as the person says, so that new ones are chosen (T3). Only for outputs that, by the wallet's own record of
 * the chain, have moved since their rings were chosen: a daemon's current answer is not enough.
 * @param names key images, or the outputs' own keys where those are unknown
 * @throws SpendError `kept-ring-usable` when one of them has no such ring, and then none is given up
 */
export function ringsGivenUp(state: WalletState, names: readonly string[]): WalletEvent {
  const rings = names.flatMap((name) => {
    const key = state.byKeyImage.get(name as KeyImage) ?? (name as OutputKey);
    const output = state.outputs.get(key)?.output;
    if (output === undefined || !ringLacksOutput(keptRing(state, output), output)) {
      throw new SpendError('kept-ring-usable', 'expected an output that has moved since its ring was chosen');
    }
    const images = [output.keyImage, placeholderKeyImage(output.key)].filter((image) => image !== undefined);
    return images.filter((image) => state.rings.has(image)).map((keyImage) => ({ keyImage, asked: [], members: [] }));
  });
  return { type: 'RingsChosen', rings };
}

const KEPT_RING_WANTED = {
  looks: 'expected a node to accept the ring kept for this output, by what this daemon says of the chain',
  moved: 'expected the output to spend where it was when its ring was chosen: the ring may be given up',
  gone: 'expected a chain as long as it was when the ring of this output was chosen: it grows again',
  member: 'expected every member of the ring kept for this output to be usable',
};

/**
 * T3: a ring is never replaced by itself. Another daemon, or the same one later, may contradict what one says of a ring; but that the
 * output has moved is in the wallet's own record of the chain, and the person may give the ring up.
 */
export function keptRingUnusable(reason: keyof typeof KEPT_RING_WANTED, outputs: readonly SpendableOutput[]): SpendError {
  const [{ globalIndex: index }] = outputs as readonly [SpendableOutput];
  const keyImages = outputs.map(({ keyImage }) => keyImage);
  return new SpendError('kept-ring-unusable', KEPT_RING_WANTED[reason], { reason, keyImages, index });
}

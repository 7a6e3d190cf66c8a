import type { KeyImage, OutputKey } from '../../protocol/index.ts';
import type { OwnedOutput, Ring } from '../model.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { SpendError } from './errors.ts';

/** All that was ever asked for on behalf of a ring's key image; in journals of old that is the ring. */
export const askedOf = (ring: Ring | undefined): readonly bigint[] => ring?.asked ?? ring?.members ?? [];

/** The ring that an output was given before: by its key image, or by its own key where that was not known yet. */
export function keptRing(state: WalletState, { keyImage, key }: Pick<OwnedOutput, 'keyImage' | 'key'>): Ring | undefined {
  const ring = (keyImage === undefined ? undefined : state.rings.get(keyImage)) ?? state.rings.get(key as string as KeyImage);
  return ring !== undefined && isGivenUp(ring) ? undefined : ring;
}

/** No index at all stands for the person's word that another ring may be chosen. */
const isGivenUp = (ring: Ring): boolean => askedOf(ring).length === 0;

/** Chosen while the output lay elsewhere: no node accepts such a ring, whatever else the chain will hold. */
export function lacksOutput(ring: Ring | undefined, { globalIndex }: Pick<OwnedOutput, 'globalIndex'>): boolean {
  if (ring === undefined) return false;
  return !askedOf(ring).includes(globalIndex) || (ring.members.length > 0 && !ring.members.includes(globalIndex));
}

/** Key images, or keys where those are unknown, of unspent outputs whose rings were chosen while they lay elsewhere. */
export function outputsOfMovedRings(state: WalletState): KeyImage[] {
  return [...state.unspent]
    .map((key) => state.outputs.get(key)!.output)
    .filter((output) => lacksOutput(keptRing(state, output), output))
    .map(({ keyImage, key }) => keyImage ?? (key as string as KeyImage));
}

/**
 * The person's word that rings are given up, so that new ones are chosen (T3). Only for outputs that are, by the wallet's own record of the
 * chain, not where they were when their rings were chosen: no daemon's answer of the moment makes a ring one of these.
 * @param names key images, or the outputs' own keys where those are unknown
 * @throws SpendError `kept-ring-usable` when one of them has no such ring: none is given up then
 */
export function ringsGivenUp(state: WalletState, names: readonly string[]): WalletEvent {
  const rings = names.flatMap((name) => {
    const key = state.byKeyImage.get(name as KeyImage) ?? (name as OutputKey);
    const output = state.outputs.get(key)?.output;
    if (output === undefined || !lacksOutput(keptRing(state, output), output)) {
      throw new SpendError('kept-ring-usable', 'expected an output that has moved since its ring was chosen');
    }
    const images = [output.keyImage, output.key as string as KeyImage].filter((image) => image !== undefined);
    return images.filter((image) => state.rings.has(image)).map((keyImage) => ({ keyImage, asked: [], members: [] }));
  });
  return { type: 'RingsChosen', rings };
}

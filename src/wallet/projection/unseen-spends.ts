import { type Height, type OutputKey, SPENDABLE_AGE } from '../../protocol/index.ts';
import type { UnseenSpends } from '../api.ts';
import type { KeyedImage, SubaddressIndex } from '../model.ts';
import { type RescanState, rescanFrom } from '../rescan.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import type { TxFacts } from '../state/tx-facts.ts';

/** Attribute of the journal: the lowest block to scan again before the spends of imported key images are known. */
const UNSCANNED = 'spends-unscanned-from';

/** Whether an amount received at an address of ours, at a height, may be the change of a payment that was not seen. */
export type PerhapsChange = (address: SubaddressIndex, height: Height) => boolean;

/** Outputs without key image, which a view-only wallet counts without seeing their spends. */
export class UnseenSpendsTracker {
  readonly #keys = new Set<OutputKey>();
  /** Height of the first such output in each account. */
  readonly #lowest = new Map<number, Height>();

  /** Takes in a mined transaction. */
  take({ outputs }: TxFacts, { description }: Pick<WalletState, 'description'>): void {
    // A full wallet sees every spend.
    if (description.kind === 'full') return;
    for (const { key, keyImage, subaddress, height } of outputs) {
      if (keyImage !== undefined) continue;
      this.#keys.add(key);
      this.#lowest.set(subaddress.major, Math.min(height, this.#lowest.get(subaddress.major) ?? height));
    }
  }

  /**
   * Outputs without key image, and from where to look for spends of those whose key images came after the chain behind them was scanned.
   * Undefined if every spend would be seen.
   */
  spends(state: WalletState): UnseenSpends | undefined {
    if (state.description.kind === 'full') return undefined;
    const scanFrom = unscannedFrom(state);
    return this.#keys.size === 0 && scanFrom === undefined ? undefined : { coins: this.#keys.size, scanFrom };
  }

  /** Change goes to the first address of the spending account; there must be a coin there that could be spent unseen. */
  change(state: WalletState): PerhapsChange {
    if (state.description.kind === 'full') return () => false;
    const anywhere = unscannedFrom(state) ?? Number.POSITIVE_INFINITY;
    const first = (major: number) => Math.min(anywhere, this.#lowest.get(major) ?? anywhere);
    return ({ major, minor }, height) => minor === 0 && first(major) + SPENDABLE_AGE <= height;
  }
}

/** The event that stores from which height spends are unknown after an import of key images. @param settled every output's spend is known */
export function unscannedNoted(state: WalletState, scanFrom: Height | undefined, settled: boolean): readonly WalletEvent[] {
  const before = settled ? undefined : unscannedFrom(state);
  return unscanned(state, scanFrom === undefined || before === undefined ? (scanFrom ?? before) : Math.min(scanFrom, before));
}

/** The events after a rescan from a height: spends above it are known. */
export function rescannedFrom(state: WalletState, height: Height): readonly WalletEvent[] {
  const open = unscannedFrom(state);
  return open !== undefined && height <= open ? unscanned(state, undefined) : [];
}

/**
 * Events that store key images of outputs whose spends nobody has looked for, together with the height from which the chain must be scanned
 * again: separately, a crash in between would hide spends for good. Append them while no scan is running.
 */
export function keyImagesImported(
  scanning: RescanState & { readonly state: WalletState },
  images: readonly KeyedImage[],
  heights: readonly Height[],
): readonly WalletEvent[] {
  if (images.length === 0) return [];
  const { state } = scanning;
  const height = rescanFrom(
    heights.reduce((lowest, each) => Math.min(lowest, each), state.height),
    scanning,
  );
  return [{ type: 'KeyImagesImported', images }, { type: 'RestoreHeightSet', height }, ...rescannedFrom(state, height)];
}

/** The lowest block that must be scanned again before the spends of imported key images are known. */
export function unscannedFrom({ attributes }: WalletState): Height | undefined {
  const text = attributes.get(UNSCANNED) ?? '';
  return text === '' ? undefined : Number(text);
}

function unscanned(state: WalletState, from: Height | undefined): readonly WalletEvent[] {
  return from === unscannedFrom(state)
    ? []
    : [{ type: 'AttributeSet', key: UNSCANNED, value: from === undefined ? '' : String(from) }];
}

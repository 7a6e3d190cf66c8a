import type { Height } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import type { UnseenSpends } from './api.ts';
import type { WalletEvent } from './events.ts';
import type { SubaddressIndex } from './model.ts';
import type { WalletState } from './state.ts';

/** Attribute of the journal: the lowest block that must be scanned again before the spends of imported key images are known. */
const UNSCANNED = 'spends-unscanned-from';

/**
 * What a view-only wallet counts and cannot vouch for: outputs without their key image, and those whose key image came when the chain
 * behind them was already scanned. Undefined when every spend would be seen.
 */
export function unseenSpends(state: WalletState): UnseenSpends | undefined {
  if (state.description.kind === 'full') return undefined;
  let coins = 0;
  for (const key of state.unspent) if (state.outputs.get(key)!.output.keyImage === undefined) coins += 1;
  const scanFrom = unscannedFrom(state);
  return coins === 0 && scanFrom === undefined ? undefined : { coins, scanFrom };
}

/** Whether what came to an address of ours, at a height, can be the change of a payment that was not seen. */
export type PerhapsChange = (address: SubaddressIndex, height: Height) => boolean;

/** Change goes to the first address of the account that spends; it needs a coin there that could be spent unseen. */
export function unseenChange(state: WalletState): PerhapsChange {
  if (state.description.kind === 'full') return () => false;
  const anywhere = unscannedFrom(state) ?? Number.POSITIVE_INFINITY;
  const lowest = new Map<number, Height>();
  for (const key of state.unspent) {
    const { keyImage, subaddress, height } = state.outputs.get(key)!.output;
    if (keyImage === undefined) lowest.set(subaddress.major, Math.min(height, lowest.get(subaddress.major) ?? anywhere));
  }
  return ({ major, minor }, height) => minor === 0 && (lowest.get(major) ?? anywhere) + SPENDABLE_AGE <= height;
}

/** Remembers what an import of key images left open. @param settled every output's spend is known */
export function rememberUnscanned(state: WalletState, scanFrom: Height | undefined, settled: boolean): readonly WalletEvent[] {
  const before = settled ? undefined : unscannedFrom(state);
  return unscanned(state, scanFrom === undefined || before === undefined ? (scanFrom ?? before) : Math.min(scanFrom, before));
}

/** What a scan from a height settles. */
export function scannedFrom(state: WalletState, height: Height): readonly WalletEvent[] {
  const open = unscannedFrom(state);
  return open !== undefined && height <= open ? unscanned(state, undefined) : [];
}

function unscannedFrom({ attributes }: WalletState): Height | undefined {
  const text = attributes.get(UNSCANNED) ?? '';
  return text === '' ? undefined : Number(text);
}

function unscanned(state: WalletState, from: Height | undefined): readonly WalletEvent[] {
  return from === unscannedFrom(state)
    ? []
    : [{ type: 'AttributeSet', key: UNSCANNED, value: from === undefined ? '' : String(from) }];
}

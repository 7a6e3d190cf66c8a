import { eraOfOutputs, type OutputScheme, type Transaction } from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';

/** An output that belongs to the wallet. */
export interface Match {
  readonly outputIndex: number;
  readonly subaddress: SubaddressIndex;
  /** The secret shared with the sender, 32 bytes: 8·a·R. */
  readonly derivation: Uint8Array;
  /** The transaction public key that matched, 32 bytes. */
  readonly publicKey: Uint8Array;
}

interface Source {
  readonly publicKey: Uint8Array;
  readonly derivation: Uint8Array;
}

/**
 * Finds the outputs of one transaction that are ours, as the reference does: every main public key with all outputs, and with the first one
 * the additional key at the output's own position (wallet2.cpp, cache_tx_data and is_out_to_acc_precomp). A public key that is not a point
 * counts as one with the neutral element as derivation.
 * @param find the subaddress of a public spend key
 */
export function matchOutputs(
  tx: Transaction,
  viewKey: Uint8Array,
  find: (spendKey: Uint8Array) => SubaddressIndex | undefined,
): Match[] {
  const { outputs: scheme } = eraOfOutputs(tx);
  const keys = scheme.publicKeys(tx);
  const source = (publicKey: Uint8Array): Source => ({
    publicKey,
    derivation: scheme.sharedByReceiver(publicKey, viewKey),
  });
  const main = keys.main.slice(0, mostKeys(tx)).map(source);
  if (main.length === 0) return [];
  const additional = keys.additional.slice(0, tx.outputs.length).map(source);
  const matches: Match[] = [];
  tx.outputs.forEach((_, outputIndex) => {
    const own = additional[outputIndex];
    const order = own === undefined ? main : [main[0]!, own, ...main.slice(1)];
    const match = firstMatch(scheme, tx, outputIndex, order, find);
    if (match !== undefined) matches.push(match);
  });
  return matches;
}

/**
 * Most main keys that are tried with all outputs, as in the scan kernel: keys times outputs must not exceed the transaction's bytes (T6).
 * No legitimate transaction comes near.
 */
function mostKeys({ extra, outputs }: Transaction): number {
  const checks = Math.max(2048, (extra.length + 32 * outputs.length) >> 2);
  return Math.max(1, Math.floor(checks / Math.max(1, outputs.length)));
}

function firstMatch(
  scheme: OutputScheme,
  tx: Transaction,
  outputIndex: number,
  sources: readonly Source[],
  find: (spendKey: Uint8Array) => SubaddressIndex | undefined,
): Match | undefined {
  for (const { publicKey, derivation } of sources) {
    if (!scheme.isTagged(tx, outputIndex, derivation)) continue;
    const spendKey = scheme.receiver(tx, outputIndex, derivation);
    const subaddress = spendKey === undefined ? undefined : find(spendKey);
    if (subaddress !== undefined) return { outputIndex, subaddress, derivation, publicKey };
  }
  return undefined;
}

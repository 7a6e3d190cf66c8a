import { bytesToHex, equalBytes, wipe } from '../../base/index.ts';
import { scalarMulPoint, secretKeyToPublicKey } from '../../crypto/index.ts';
import {
  absoluteOffsets,
  eraOfOutputs,
  feeOf,
  keyInputs,
  type Network,
  type OutputKey,
  readAddress,
  sameAddress,
  toAtomicAmount,
  toOutputKey,
  totalOf,
} from '../../protocol/index.ts';
import type { PendingTx, TxConstruction, TxDestination, TxSource } from '../../wallet2/index.ts';
import type { Destination } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { matchOutputs } from '../sync/match.ts';
import { addressOf } from './address-of.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';

/** What a set claims about one of its transactions. */
type Claimed = Pick<PendingTx, 'transaction' | 'construction'>;

/** The spent output among the members of its ring. */
export const realMember = ({ outputs, realOutput }: TxSource) => outputs[Number(realOutput)]!;

/** One-time public keys of the outputs that a transaction spends. */
export const realKeys = ({ sources }: TxConstruction): OutputKey[] =>
  sources.map((source) => toOutputKey(realMember(source).key));

/**
 * Compares the claims of a signed set with the transaction itself, as far as a view key can: its inputs, its fee, its unlock time, the
 * number of outputs, and the amount that leaves the wallet. Only the signer knows the recipients.
 * @throws OfflineSigningError `contradictory-set`, `not-ours`
 */
export function requireTrueClaims(ctx: OfflineContext, claimed: Claimed, index: number): void {
  const { transaction, construction } = claimed;
  const { sources, splitDestinations } = construction;
  requireKnownInputs(ctx.state, claimed, index);
  const taken = totalOf(sources);
  const paid = totalOf(splitDestinations.filter(({ spendKey }) => ctx.find(spendKey) === undefined));
  const fee = feeOf(transaction);
  const scheme = eraOfOutputs(transaction).outputs;
  const own = matchOutputs(transaction, ctx.keys.viewKey, ctx.find);
  const returned = totalOf(own.flatMap(({ outputIndex, derivation }) => scheme.open(transaction, outputIndex, derivation) ?? []));
  // Not earlier: outputs found with one public key share its derivation.
  wipe(...own.map(({ derivation }) => derivation));
  const sameOutputs = transaction.outputs.length === splitDestinations.length;
  const sameLock = transaction.unlockTime === construction.unlockTime;
  if (sameOutputs && sameLock && fee === taken - totalOf(splitDestinations) && taken - fee - returned === paid) return;
  throw new OfflineSigningError('contradictory-set', 'expected a transaction that pays what the set says', {
    transaction: index,
  });
}

/** Requires inputs to be those of the description, with the amounts and key images that this wallet knows. */
function requireKnownInputs(state: WalletState, { transaction, construction }: Claimed, index: number): void {
  const inputs = keyInputs(transaction);
  const keys = realKeys(construction);
  const sameRings = construction.sources.every(({ outputs }, i) => {
    const ring = outputs.map(({ globalIndex }) => globalIndex);
    return String(ring) === String(absoluteOffsets(inputs[i]?.keyOffsets ?? []));
  });
  const distinct = new Set(keys).size === keys.length;
  if (!sameRings || !distinct || inputs.length !== keys.length) {
    throw new OfflineSigningError('contradictory-set', 'expected the inputs that the set says', { transaction: index });
  }
  for (const [i, key] of keys.entries()) {
    const output = state.outputs.get(key)?.output;
    if (output?.amount !== construction.sources[i]!.amount) {
      throw new OfflineSigningError('not-ours', 'expected outputs that this wallet has seen', { position: i });
    }
    const proven = state.predicted.has(key) ? undefined : output.keyImage;
    if (proven !== undefined && proven !== bytesToHex(inputs[i]!.keyImage)) {
      throw new OfflineSigningError('contradictory-set', 'expected the key images of the outputs', { transaction: index });
    }
  }
}

/** Destinations of a transaction: addresses as entered if they match the keys, otherwise made from the keys. */
export function destinationsIn({ destinations }: Pick<TxConstruction, 'destinations'>, network: Network): readonly Destination[] {
  return destinations.map((destination) => ({
    address: writtenFor(destination, network) ? destination.original : addressOf(destination, network),
    amount: toAtomicAmount(destination.amount),
  }));
}

/** False for an OpenAlias name, or somebody else's address. */
function writtenFor({ original, ...keys }: TxDestination, network: Network): boolean {
  const read = readAddress(original, network);
  return read !== undefined && sameAddress(read, keys);
}

/** Whether transaction keys belong to the transaction: r·G, or r·D if a subaddress is paid. */
export function areKeysOf({ transaction, txKey, additionalTxKeys, construction }: PendingTx): boolean {
  const { main, additional } = eraOfOutputs(transaction).outputs.publicKeys(transaction);
  const opens = (secret: Uint8Array, found: Uint8Array | undefined): boolean => {
    const standard = secretKeyToPublicKey(secret);
    if (standard === undefined || found === undefined) return false;
    const subaddresses = construction.splitDestinations.filter(({ isSubaddress }) => isSubaddress);
    return (
      equalBytes(standard, found) || subaddresses.some(({ spendKey }) => equalBytes(scalarMulPoint(secret, spendKey), found))
    );
  };
  const sameCount = additionalTxKeys.length === additional.length;
  return sameCount && opens(txKey, main[0]) && additionalTxKeys.every((secret, i) => opens(secret, additional[i]));
}

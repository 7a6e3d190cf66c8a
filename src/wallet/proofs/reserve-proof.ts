import { bytesToHex, concatBytes, equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import {
  checkRingSignature,
  checkSignature,
  checkTxProof,
  generateRingSignature,
  generateSignature,
  generateTxProof,
  IDENTITY,
  isInMainSubgroup,
  isPoint,
  keccak256,
  scalarAdd,
  subaddressSecretKey,
} from '../../crypto/index.ts';
import { type AddressKeys, eraOfOutputs, type SecretKeys, type Transaction, totalOf } from '../../protocol/index.ts';
import { isPrimary } from '../keys.ts';
import type { OwnedOutput, SubaddressIndex } from '../model.ts';
import { outputSecretKey } from '../spend/construct.ts';
import { indexKey } from '../state/state.ts';
import { type FoundTransaction, findTransactions, proofKeysOf } from './chain.ts';
import type { ProofContext } from './context.ts';
import { messageBytes } from './encoding.ts';
import { ProofError } from './errors.ts';
import { derivationOf } from './received-outputs.ts';
import { decodeReserveProof, encodeReserveProof, keyImageOf, type ReserveEntry, txHashOf } from './reserve-text.ts';
import { sharedPoint } from './tx-proof.ts';

/** Reserve to prove: everything, or that an account has at least an amount, with the fewest outputs that show it. */
export type ReserveScope = 'all' | { readonly account: number; readonly atLeast: bigint };

/** Result of checking a proof of reserve. Amounts in atomic units. */
export interface ReserveVerdict {
  readonly good: boolean;
  readonly total: bigint;
  /** The part of the total that was spent since. */
  readonly spent: bigint;
}

type OwnOutput = OwnedOutput & { readonly keyImage: NonNullable<OwnedOutput['keyImage']> };

/**
 * As `get_reserve_proof` (wallet2.cpp): for each output the secret shared with its sender and a signature by its key, and a signature by
 * each subaddress that received one.
 */
export function proveReserve(ctx: Omit<ProofContext, 'daemon'>, scope: ReserveScope, message: string): string {
  const { spendKey, viewKey, primary } = ctx.keys;
  if (spendKey === undefined) throw new ProofError('view-only', 'expected a wallet that holds its spend key');
  const outputs = selectOutputs(ctx, scope);
  const hash = reserveHash(
    message,
    primary,
    outputs.map(({ keyImage }) => hexToBytes(keyImage)),
  );
  const keys = { spendKey, viewKey };
  const indices = new Map<string, SubaddressIndex>([['0/0', { major: 0, minor: 0 }]]);
  for (const { subaddress } of outputs) indices.set(indexKey(subaddress), subaddress);
  return encodeReserveProof({
    version: 2,
    entries: outputs.map((output) => proveOutput(ctx, keys, hash, output)),
    owners: [...indices.values()].map((index) => proveOwner(ctx, keys, hash, index)),
  });
}

/**
 * Unspent and unfrozen outputs according to the chain only, as the reference counts: pending spends are included. For an amount, the
 * largest ones as far as needed, or the smallest one that suffices.
 */
function selectOutputs({ state }: Pick<ProofContext, 'state'>, scope: ReserveScope): OwnOutput[] {
  const owned = [...state.unspent].flatMap((key) => {
    const { output } = state.outputs.get(key)!;
    return state.frozen.has(key) || output.keyImage === undefined || !isShowable(output) ? [] : [output as OwnOutput];
  });
  if (owned.length === 0) throw new ProofError('no-balance', 'expected a wallet that holds something');
  if (scope === 'all') return owned;
  const own = owned.filter(({ subaddress }) => subaddress.major === scope.account);
  if (totalOf(own) < scope.atLeast) {
    throw new ProofError('not-enough-balance', 'expected an account that holds as much as is to be proven');
  }
  if (scope.atLeast === 0n) throw new ProofError('zero-amount', 'expected an amount above zero');
  const largest = own.sort((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0));
  const enough = largest.findLastIndex(({ amount }) => amount >= scope.atLeast);
  if (enough >= 0) return [largest[enough]!];
  let shown = 0n;
  const count = largest.findIndex(({ amount }) => {
    shown += amount;
    return shown >= scope.atLeast;
  });
  return largest.slice(0, count + 1);
}

/** A coin whose transaction key is not a point has no shared secret that could be proven: it would invalidate the proof of all others. */
const isShowable = ({ txPublicKey }: OwnedOutput): boolean => isPoint(hexToBytes(txPublicKey));

/** Hash that all signatures of a reserve sign: message, primary address and key images, 32 bytes. */
function reserveHash(message: string, { spendKey, viewKey }: AddressKeys, keyImages: readonly Uint8Array[]): Uint8Array {
  return keccak256(concatBytes(messageBytes(message), spendKey, viewKey, ...keyImages));
}

function proveOutput(
  ctx: Pick<ProofContext, 'keys' | 'random'>,
  keys: SecretKeys,
  hash: Uint8Array,
  output: OwnOutput,
): ReserveEntry {
  const R = ctx.keys.primary.viewKey;
  const A = hexToBytes(output.txPublicKey);
  const shared = sharedPoint(keys.viewKey, A);
  const keyImage = hexToBytes(output.keyImage);
  const secret = outputSecretKey(output, keys);
  const [keyImageSignature] = generateRingSignature(hash, keyImage, [hexToBytes(output.key)], secret, 0, ctx.random);
  wipe(secret);
  return {
    txHash: hexToBytes(output.txHash),
    index: BigInt(output.outputIndex),
    shared,
    keyImage,
    sharedSignature: generateTxProof({ hash, R, A, B: undefined, D: shared }, keys.viewKey, ctx.random),
    keyImageSignature: keyImageSignature!,
  };
}

function proveOwner(
  ctx: Pick<ProofContext, 'keys' | 'random'>,
  { spendKey, viewKey }: SecretKeys,
  hash: Uint8Array,
  index: SubaddressIndex,
): readonly [Uint8Array, Uint8Array] {
  const share = isPrimary(index) ? new Uint8Array(32) : subaddressSecretKey(viewKey, index);
  const secret = scalarAdd(spendKey, share);
  const pub = ctx.keys.addressKeys(index).spendKey;
  const signature = generateSignature(hash, pub, secret, ctx.random);
  wipe(share, secret);
  return [pub, signature];
}

/**
 * As `check_reserve_proof` (wallet2.cpp). Every output counts once, with the amount of its commitment. The daemon is asked which of the
 * proof's key images are spent, and so learns that somebody looks at them (T24).
 */
export async function checkReserve(
  { daemon }: Pick<ProofContext, 'daemon'>,
  address: AddressKeys,
  message: string,
  proof: string,
): Promise<ReserveVerdict> {
  const { version, entries, owners } = decodeReserveProof(proof);
  const signers = new Map(owners.map(([pub, signature]) => [bytesToHex(pub), { pub, signature }]));
  checkEntries(entries);
  if (!signers.has(bytesToHex(address.spendKey))) {
    throw new ProofError('other-address', 'expected a proof by the owner of the address');
  }
  const hash = reserveHash(
    message,
    address,
    entries.map(({ keyImage }) => keyImage),
  );
  const found = await findTransactions(daemon, entries.map(txHashOf));
  const statuses = (await daemon.isKeyImageSpent(entries.map(keyImageOf))).acceptUnverified('spent-status');
  let total = 0n;
  let spent = 0n;
  for (const [i, entry] of entries.entries()) {
    const amount = checkOutput({ hash, version, address, signers }, entry, found.get(txHashOf(entry))!);
    if (amount === undefined) return { good: false, total, spent };
    total += amount;
    if (statuses[i] !== 'unspent') spent += amount;
  }
  const signed = [...signers.values()].every(({ pub, signature }) => checkSignature(hash, pub, signature));
  return { good: signed, total, spent };
}

/** Every output once, with a key image that a transaction could show: one with torsion would never be seen spent. */
function checkEntries(entries: readonly ReserveEntry[]): void {
  const [keyImages, outputs] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    const [keyImage, output] = [keyImageOf(entry), `${txHashOf(entry)} ${entry.index}`];
    if (keyImages.has(keyImage)) throw new ProofError('repeated-key-image', 'expected every key image once');
    if (outputs.has(output)) throw new ProofError('repeated-output', 'expected every output once');
    if (equalBytes(entry.keyImage, IDENTITY) || !isInMainSubgroup(entry.keyImage))
      throw new ProofError('bad-key-image', 'expected key images in the prime-order group');
    keyImages.add(keyImage);
    outputs.add(output);
  }
}

/** What a reserve proof's signatures are checked against. */
interface Signed {
  readonly hash: Uint8Array;
  readonly version: 1 | 2;
  readonly address: AddressKeys;
  /** Signers by public spend key, hex. */
  readonly signers: ReadonlyMap<string, unknown>;
}

/** The output's amount; undefined when a signature is invalid. */
function checkOutput(claim: Signed, entry: ReserveEntry, { transaction, inPool }: FoundTransaction): bigint | undefined {
  if (inPool) throw new ProofError('unconfirmed', 'expected outputs that are on the chain');
  const index = Number(entry.index);
  const output = transaction.outputs[index];
  if (output === undefined) throw new ProofError('bad-index', 'expected an output that the transaction has');
  if (!isShared(claim, entry, transaction)) return undefined;
  if (!checkRingSignature(claim.hash, entry.keyImage, [output.key], [entry.keyImageSignature])) return undefined;
  const derivation = derivationOf(entry.shared);
  const { outputs } = eraOfOutputs(transaction);
  const owner = outputs.receiver(transaction, index, derivation);
  if (owner === undefined || !claim.signers.has(bytesToHex(owner))) {
    throw new ProofError('foreign-output', 'expected outputs that the owner of the address received');
  }
  return outputs.open(transaction, index, derivation)?.amount ?? 0n;
}

/** Whether the shared point belongs to the transaction's key, or to the output's own. */
function isShared(claim: Signed, entry: ReserveEntry, transaction: Transaction): boolean {
  const { main, additional } = proofKeysOf(transaction);
  const own = additional.length === transaction.outputs.length ? additional[Number(entry.index)] : undefined;
  const { hash, version, address } = claim;
  return [main, own].some(
    (A) =>
      A !== undefined &&
      checkTxProof({ hash, R: address.viewKey, A, B: undefined, D: entry.shared }, entry.sharedSignature, version),
  );
}

import { bytesToHex, equalBytes } from '../../base/index.ts';
import {
  eraOf,
  feeOf,
  type KeyImage,
  type OutputScheme,
  parseTransaction,
  type Transaction,
  type TxHash,
  toAtomicAmount,
  toKeyImage,
  toOutputKey,
  toTxHash,
} from '../../protocol/index.ts';
import type { Items, ScannedBlock, ScannedOutput, ScanResult } from '../../scan/index.ts';
import type { WalletKeys } from '../keys.ts';
import { growAccounts, isWithin, type WatchedAccounts } from '../lookahead.ts';
import type { ChainSpend, OwnedOutput, SubaddressIndex } from '../model.ts';
import type { AccountEntry, WalletState } from '../state/state.ts';
import type { ImageFilter } from './image-filter.ts';
import { type KeyImageSource, keyImagesOf } from './key-image.ts';
import { paymentIdToUs } from './tx-extra.ts';

/** Effects of a reply's new blocks on the wallet. */
export interface BatchFacts {
  readonly outputs: readonly OwnedOutput[];
  readonly spends: readonly ChainSpend[];
  /** Subaddresses paid, ascending. */
  readonly used: readonly SubaddressIndex[];
  /** Accounts after this batch. */
  readonly accounts: readonly AccountEntry[];
}

/** The parts of a wallet that interpreting needs. */
export interface Interpreter {
  readonly keys: WalletKeys;
  readonly state: Pick<WalletState, 'accounts' | 'lookahead' | 'byKeyImage' | 'keyImages'>;
  readonly images: ImageFilter;
  /** The subaddress at a position of the scan's table. */
  indexAt(position: number): SubaddressIndex | undefined;
}

/** Outputs opened before yielding to other work: they take some milliseconds, and a reply may have thousands. */
const SLICE = 24;

/**
 * Turns a scan's findings from block `firstNew` of the reply on into facts: amounts opened (T8), key images made, spends found in chain
 * order, outputs beyond the reference's lookahead left out.
 * @param pause awaited after every few outputs; throwing stops the work
 */
export async function interpret(
  wallet: Interpreter,
  scanned: ScanResult,
  firstNew: number,
  pause: () => Promise<void>,
): Promise<BatchFacts> {
  const bytes = new Uint8Array(scanned.buffer);
  const { outputs: candidates } = scanned;
  const indices = indicesOf(wallet, candidates, firstNew);
  const { accounts, within } = settleLookahead(wallet.state, indices);
  const outputs: OwnedOutput[] = [];
  const transactionOf = lastParsed(bytes);
  for (let at = 0; at < candidates.length; at += SLICE) {
    if (at > 0) await pause();
    const found: FoundOutput[] = [];
    for (let i = at; i < Math.min(at + SLICE, candidates.length); i++) {
      const index = indices[i];
      if (index === undefined || !within.has(i)) continue;
      const opened = foundOutput(wallet.keys, scanned, transactionOf, candidates.at(i)!, index);
      if (opened !== undefined) found.push(opened);
    }
    const images = keyImagesOf(wallet.keys, found);
    for (const [i, { owned }] of found.entries()) {
      owned.keyImage = images[i] ?? wallet.state.keyImages.get(owned.key);
      outputs.push(owned);
    }
  }
  const used = [...new Set(outputs.map(({ subaddress }) => subaddress))].sort((a, b) => a.major - b.major || a.minor - b.minor);
  return { outputs, spends: findSpends(wallet, scanned, bytes, outputs, firstNew), used, accounts };
}

/** The subaddress of each output in the new blocks, one shared object for each subaddress. */
function indicesOf({ indexAt }: Interpreter, outputs: Items<ScannedOutput>, firstNew: number): (SubaddressIndex | undefined)[] {
  const known = new Map<number, SubaddressIndex | undefined>();
  return Array.from(outputs, ({ blockIndex, spendKeyIndex }) => {
    if (blockIndex < firstNew) return undefined;
    if (!known.has(spendKeyIndex)) known.set(spendKeyIndex, indexAt(spendKeyIndex));
    return known.get(spendKeyIndex);
  });
}

/** Grows the lookahead by outputs found within it, until nothing more enters it. */
function settleLookahead(
  start: WatchedAccounts,
  indices: readonly (SubaddressIndex | undefined)[],
): { accounts: readonly AccountEntry[]; within: ReadonlySet<number> } {
  const within = new Set<number>();
  if (indices.length === 0) return { accounts: start.accounts, within };
  const { lookahead } = start;
  const accounts = start.accounts.map((entry) => ({ labels: [...entry.labels] }));
  for (let before = -1; before !== within.size; ) {
    before = within.size;
    indices.forEach((index, i) => {
      if (index === undefined || within.has(i) || !isWithin({ accounts, lookahead }, index)) return;
      within.add(i);
      growAccounts(accounts, lookahead, index);
    });
  }
  return { accounts, within };
}

/** An output of ours, with what its key image is made from. */
interface FoundOutput extends KeyImageSource {
  readonly owned: OwnedOutput & { keyImage: KeyImage | undefined };
}

function foundOutput(
  { viewKey }: WalletKeys,
  scanned: ScanResult,
  transactionOf: (place: ScannedOutput) => Transaction,
  candidate: ScannedOutput,
  index: SubaddressIndex,
): FoundOutput | undefined {
  const { outputIndex, derivation: shared, keySource } = candidate;
  const block = scanned.blocks.at(candidate.blockIndex)!;
  const era = eraOf(block.majorVersion);
  const scheme = era.outputs;
  const tx = transactionOf(candidate);
  const outputKey = tx.outputs[outputIndex]?.key;
  const opened = scheme.open(tx, outputIndex, shared);
  if (outputKey === undefined || opened === undefined) return undefined;
  const owned: OwnedOutput = {
    key: toOutputKey(outputKey),
    txHash: toTxHash(candidate.txHash),
    outputIndex,
    globalIndex: candidate.globalIndex,
    height: block.height,
    blockId: block.id,
    timestamp: block.timestamp,
    amount: opened.amount,
    mask: opened.mask,
    rct: opened.rct,
    coinbase: candidate.ordinal === 0,
    fee: toAtomicAmount(feeOf(tx)),
    unlockTime: tx.unlockTime,
    subaddress: index,
    txPublicKey: matchingKey(scheme, viewKey, tx, candidate),
    keyImage: undefined,
    paymentId: paymentIdToUs(era, tx, viewKey, keySource < 0 ? shared : undefined),
  };
  return { owned, scheme, outputKey, shared, outputIndex, index };
}

/** The parsed transaction of an output. The last one is cached, because outputs of one transaction follow each other. */
function lastParsed(bytes: Uint8Array): (place: ScannedOutput) => Transaction {
  let last: { readonly offset: number; readonly tx: Transaction } | undefined;
  return ({ offset, length }) => {
    if (last?.offset === offset) return last.tx;
    const tx = parseTransaction(bytes.subarray(offset, offset + length), { pruned: true });
    last = { offset, tx };
    return tx;
  };
}

/** The transaction public key that gave the derivation, 64 hex digits. */
function matchingKey(
  scheme: OutputScheme,
  viewKey: Uint8Array,
  tx: Transaction,
  { keySource, derivation }: ScannedOutput,
): string {
  const { main, additional } = scheme.publicKeys(tx);
  const gives = (key: Uint8Array) => equalBytes(scheme.sharedByReceiver(key, viewKey), derivation);
  const fallback = keySource < 0 ? main[0] : additional[keySource];
  const found = keySource < 0 && main.length > 1 ? main.find(gives) : undefined;
  return bytesToHex(found ?? fallback ?? new Uint8Array(32));
}

function findSpends(
  wallet: Interpreter,
  scanned: ScanResult,
  bytes: Uint8Array,
  outputs: readonly OwnedOutput[],
  firstNew: number,
): ChainSpend[] {
  const fresh = new Set<KeyImage>();
  for (const { keyImage } of outputs) {
    if (keyImage === undefined) continue;
    fresh.add(keyImage);
    wallet.images.add(keyImage);
  }
  const spends: ChainSpend[] = [];
  for (let i = 0; i < scanned.keyImages.length / 32; i++) {
    if (!wallet.images.mayContain(scanned.keyImages, i * 32)) continue;
    const keyImage = toKeyImage(scanned.keyImages.subarray(i * 32, i * 32 + 32));
    const [blockIndex = 0, offset = 0, length = 0, ordinal = 0] = scanned.keyImageTx.subarray(i * 4, i * 4 + 4);
    if (blockIndex < firstNew || !(fresh.has(keyImage) || wallet.state.byKeyImage.has(keyImage))) continue;
    const tx = parseTransaction(bytes.subarray(offset, offset + length), { pruned: true });
    const block = scanned.blocks.at(blockIndex)!;
    spends.push(spendOf(tx, keyImage, block, txHashAt(bytes, block, ordinal)));
  }
  return spends;
}

function spendOf(tx: Transaction, keyImage: KeyImage, block: ScannedBlock, txHash: TxHash): ChainSpend {
  return {
    keyImage,
    txHash,
    height: block.height,
    timestamp: block.timestamp,
    fee: toAtomicAmount(feeOf(tx)),
    unlockTime: tx.unlockTime,
  };
}

/** The id at a position of the block's list; position 0 is the coinbase, which spends nothing. */
function txHashAt(bytes: Uint8Array, block: ScannedBlock, ordinal: number): TxHash {
  const at = block.txHashesOffset + (ordinal - 1) * 32;
  return toTxHash(bytes.subarray(at, at + 32));
}

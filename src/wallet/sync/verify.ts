import { bytesToHex, equalBytes, hexToBytes, valueAt } from '../../base/index.ts';
import { commit } from '../../crypto/index.ts';
import type { WholeBlock } from '../../daemon/index.ts';
import { WATCHED_BLOCKS } from '../../daemon/limits.ts';
import {
  type Block,
  type BlockHash,
  blockId,
  type Era,
  eraOf,
  feeOf,
  type Height,
  isProtocolError,
  type OutputKey,
  parseBlock,
  parseTransaction,
  type Transaction,
  toTxHash,
  transactionHash,
} from '../../protocol/index.ts';
import { WalletError } from '../errors.ts';
import type { OwnedOutput } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { idOf, parseEntry } from './transaction-entry.ts';
import { paymentIdToUs } from './tx-extra.ts';

/** Whole blocks fetched in one request. */
const BATCH = 10;

/** Result of verifying a whole block. */
type Verdict =
  /** It is the scanned block, with the listed transactions, and they contain the outputs. */
  | 'holds'
  /** The daemon has another block there by now, or not all of this one. */
  | 'not-seen'
  /** The block differs from what was scanned. */
  | 'lies';

/** A block to verify. */
interface Wanted {
  readonly height: Height;
  /** Its id when scanned. */
  readonly id: BlockHash;
  /** Our outputs in it. */
  readonly outputs: readonly OwnedOutput[];
}

/**
 * Before a payment to us counts as confirmed, its whole block is fetched and hashed (T5): pruned transactions are bound to their ids only
 * by the daemon's word. Coinbase outputs need no check, because their bytes are in the block's id.
 *
 * Only a trusted daemon may see which blocks paid us (T24): another one would learn whose address was just paid, and which ring member lies
 * in a requested block. It is asked for all of the newest blocks, whatever is in them; older payments stay unverified until a person asks
 * for one by name.
 */
export class Verifier {
  readonly #deps: SyncContext;
  /** Blocks that were requested from this daemon and that need not, or cannot, be requested again. */
  #requested: ReadonlySet<BlockHash> = new Set();
  /** Heights of blocks that a person asks for, from any daemon. */
  readonly #byName = new Set<Height>();

  constructor(deps: SyncContext) {
    this.#deps = deps;
  }

  /** Called when the daemon changes: the new one may have blocks that the last one lacked. */
  clear(): void {
    this.#requested = new Set();
    this.#byName.clear();
  }

  /** Has the next step verify this block, from any daemon. */
  ask(height: Height): void {
    this.#byName.add(height);
  }

  /** Whether that step is still to come. */
  isAskedFor(height: Height): boolean {
    return this.#byName.has(height);
  }

  /** Removes requested blocks, whatever the answer: a later daemon is not asked for them. */
  unask(height: Height): void {
    this.#byName.delete(height);
  }

  /**
   * Verifies the next few blocks, the newest first. A block that is unavailable stays unverified.
   * @returns whether there was anything to do
   * @throws WalletError `block-mismatch` when the whole block differs; the chain from there on is forgotten
   */
  async step(daemon: SyncDaemon, signal: AbortSignal): Promise<boolean> {
    const wanted = this.#wanted();
    if (wanted.length === 0) return false;
    const heights = wanted.map(({ height }) => height);
    const answer = await daemon.getBlocksByHeight(heights, { signal });
    const verified = await answer.check((blocks) => this.#verified(daemon, wanted, blocks, signal));
    if (verified.length > 0) await this.#deps.append([{ type: 'BlocksVerified', blocks: verified }], 'relaxed');
    for (const height of heights) this.#byName.delete(height);
    return true;
  }

  /** Blocks to verify, by ascending height. */
  #wanted(): Wanted[] {
    const { state, isTrusted } = this.#deps;
    const byName = this.#namedIn(state);
    if (byName.length > 0) return byName;
    const all = isTrusted() ? withPayments(state) : newest(state);
    this.#requested = new Set(all.map(({ id }) => id).filter((id) => this.#requested.has(id)));
    return all
      .filter(({ id }) => !this.#requested.has(id))
      .sort((a, b) => a.height - b.height)
      .slice(-BATCH);
  }

  #namedIn(state: WalletState): Wanted[] {
    if (this.#byName.size === 0) return [];
    return withPayments(state, state.outputs.keys()).filter(({ height }) => this.#byName.has(height));
  }

  /** Those that contain our payments as they were scanned. */
  async #verified(
    daemon: SyncDaemon,
    wanted: readonly Wanted[],
    blocks: readonly WholeBlock[],
    signal: AbortSignal,
  ): Promise<readonly { height: Height; id: BlockHash }[]> {
    if (blocks.length !== wanted.length) throw new WalletError('bad-daemon-answer', 'expected every block asked for', {});
    const verified: { height: Height; id: BlockHash }[] = [];
    for (const [i, one] of wanted.entries()) {
      const { height, id, outputs } = one;
      const verdict = await judge(daemon, this.#deps.keys.viewKey, blocks[i]!, one, signal).catch(unreadable);
      if (verdict === 'lies') return this.#refuse(height);
      this.#requested = new Set(this.#requested).add(id);
      if (verdict === 'holds' && outputs.length > 0) verified.push({ height, id });
    }
    return verified;
  }

  async #refuse(height: Height): Promise<never> {
    const { state, append } = this.#deps;
    const parent = state.blocks.find((stub) => stub.height === height - 1)?.id ?? ('' as BlockHash);
    if (height < state.height) await append([{ type: 'Rewound', height, parent }], 'strict');
    throw new WalletError('block-mismatch', 'expected the whole block to hold the payment that its pruned form showed', {
      height,
    });
  }
}

/** Blocks with outputs of ours that are not verified; by default only of outputs that still count. */
function withPayments(state: WalletState, keys: Iterable<OutputKey> = state.unspent): Wanted[] {
  const found = new Map<Height, Wanted & { readonly outputs: OwnedOutput[] }>();
  for (const key of keys) {
    const { output } = state.outputs.get(key)!;
    const { height, blockId: id, coinbase } = output;
    if (!coinbase && !state.verified.has(height))
      valueAt(found, height, () => ({ height, id, outputs: [] })).outputs.push(output);
  }
  return [...found.values()];
}

/** All of the newest blocks. */
function newest(state: WalletState): Wanted[] {
  const paying = new Map(withPayments(state).map((one) => [one.height, one]));
  return state.blocks
    .filter(({ height }) => height >= state.height - WATCHED_BLOCKS)
    .map(({ height, id }) => ({ height, id, outputs: paying.get(height)?.outputs ?? [] }));
}

async function judge(
  daemon: SyncDaemon,
  viewKey: Uint8Array,
  whole: WholeBlock,
  { id, outputs }: Wanted,
  signal: AbortSignal,
): Promise<Verdict> {
  const block = parseBlock(whole.block);
  // The chain may have changed since it was scanned: the next poll will show.
  if (bytesToHex(blockId(block)) !== id) return 'not-seen';
  const transactions = await transactionsOf(daemon, block, whole, signal);
  if (transactions === 'not-seen' || transactions === 'lies') return transactions;
  const holds = (output: OwnedOutput): boolean => {
    const tx = transactions.get(output.txHash);
    return tx !== undefined && holdsOutput(tx, output) && holdsWords(eraOf(block.majorVersion), tx, viewKey, output);
  };
  return outputs.every(holds) ? 'holds' : 'lies';
}

/** Transactions that cannot be parsed stay unverified: a stranger's transaction of an unknown format must not stop the sync. */
function unreadable(error: unknown): Verdict {
  if (isProtocolError(error)) return 'not-seen';
  throw error;
}

type Transactions = ReadonlyMap<string, Transaction>;

/** The block's transactions, each hashed and compared with the block's list. */
async function transactionsOf(
  daemon: SyncDaemon,
  { txHashes }: Block,
  { transactions }: WholeBlock,
  signal: AbortSignal,
): Promise<Transactions | 'not-seen' | 'lies'> {
  if (transactions.length < txHashes.length) return prunedTransactions(daemon, txHashes, signal);
  const found = new Map<string, Transaction>();
  for (const [i, bytes] of transactions.entries()) {
    const tx = parseTransaction(bytes);
    const hash = transactionHash(tx);
    if (txHashes[i] === undefined || !equalBytes(hash, txHashes[i])) return 'lies';
    found.set(bytesToHex(hash), tx);
  }
  return found;
}

/**
 * A pruned daemon no longer has old blocks whole. It still has the hashes of the pruned parts, which give the ids of the rest: all
 * transactions of the block are requested, so that it does not learn which one is ours (T24).
 */
async function prunedTransactions(
  daemon: SyncDaemon,
  txHashes: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Transactions | 'not-seen' | 'lies'> {
  const ids = txHashes.map(toTxHash);
  const answer = await daemon.getTransactions(ids, { prune: true, signal });
  return answer.check(({ transactions }) => {
    const found = new Map<string, Transaction>();
    for (const entry of transactions) {
      const tx = parseEntry(entry);
      const id = tx === undefined ? undefined : idOf(tx, entry);
      if (tx === undefined || id === undefined) return 'not-seen';
      if (id !== entry.hash) return 'lies';
      found.set(id, tx);
    }
    return found.size === ids.length ? found : 'not-seen';
  });
}

function holdsOutput(tx: Transaction, output: OwnedOutput): boolean {
  const found = tx.outputs[output.outputIndex];
  if (found === undefined || bytesToHex(found.key) !== output.key) return false;
  if (tx.unlockTime !== output.unlockTime) return false;
  if (tx.version === 1) return found.amount === output.amount;
  const commitment = tx.rct.outPk[output.outputIndex];
  return commitment !== undefined && equalBytes(commit(output.amount, hexToBytes(output.mask)), commitment);
}

/** Fields besides the output that say whose payment it is, or what it cost: no key or amount depends on them. */
const holdsWords = (era: Era, tx: Transaction, viewKey: Uint8Array, { paymentId, fee }: OwnedOutput): boolean =>
  paymentIdToUs(era, tx, viewKey) === paymentId && (fee === undefined || feeOf(tx) === fee);

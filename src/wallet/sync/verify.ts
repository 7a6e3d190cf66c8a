import { bytesToHex, equalBytes, hexToBytes, pushTo } from '../../base/index.ts';
import { commit } from '../../crypto/index.ts';
import type { WholeBlock } from '../../daemon/index.ts';
import {
  type Block,
  type BlockHash,
  blockId,
  type Era,
  eraOf,
  feeOf,
  type Height,
  parseBlock,
  parseTransaction,
  type Transaction,
  type TxHash,
  transactionHash,
} from '../../protocol/index.ts';
import { WalletError } from '../errors.ts';
import type { OwnedOutput } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { idOf, transactionIn } from './entry.ts';
import { paymentIdToUs } from './tx-extra.ts';

/** Blocks fetched whole in one request. */
const BATCH = 10;

/** Result of fetching a block whole. */
type Verdict =
  /** It is the block scanned, its transactions are those it names, and they hold the outputs. */
  | 'holds'
  /** The daemon has another block there by now, or not all of this one. */
  | 'not-seen'
  /** The block differs from what was scanned. */
  | 'lies';

/**
 * Before a payment to us is called confirmed, its whole block is fetched and hashed (T5): pruned transactions are bound to
 * their ids by the daemon's word only. Coinbase outputs need none of it, their bytes are in the block's id.
 */
export class Verifier {
  readonly #deps: SyncContext;
  /** Blocks of ours that this daemon could not show. */
  readonly #notSeen = new Set<BlockHash>();

  constructor(deps: SyncContext) {
    this.#deps = deps;
  }

  /** For a daemon that is another one: it may have what the one before had not. */
  clear(): void {
    this.#notSeen.clear();
  }

  /**
   * Verifies the next few blocks, the newest first. A block that cannot be seen now stays unverified.
   * @returns whether there was anything to do
   * @throws WalletError `block-mismatch` when the whole block is another; the chain from there on is forgotten
   */
  async step(daemon: SyncDaemon, signal: AbortSignal): Promise<boolean> {
    const wanted = unverified(this.#deps.state, this.#notSeen);
    const heights = [...wanted.keys()].sort((a, b) => b - a).slice(0, BATCH);
    if (heights.length === 0) return false;
    heights.reverse();
    const answer = await daemon.getBlocksByHeight(heights, { signal });
    const verified = await answer.check(async (blocks) => {
      if (blocks.length !== heights.length) throw new WalletError('bad-daemon-answer', 'expected every block asked for', {});
      const verified: { height: Height; id: BlockHash }[] = [];
      for (const [i, height] of heights.entries()) {
        const outputs = wanted.get(height)!;
        const id = outputs[0]!.blockId;
        const verdict = await judge(daemon, this.#deps.keys.viewKey, blocks[i]!, outputs, signal);
        if (verdict === 'lies') return this.#refuse(height);
        if (verdict === 'holds') verified.push({ height, id });
        else this.#notSeen.add(id);
      }
      return verified;
    });
    await this.#deps.append([{ type: 'BlocksVerified', blocks: verified }], 'relaxed');
    return true;
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

/** Outputs that still count and whose block was not seen whole, by height. */
function unverified(state: WalletState, notSeen: ReadonlySet<BlockHash>): Map<Height, OwnedOutput[]> {
  const found = new Map<Height, OwnedOutput[]>();
  for (const key of state.unspent) {
    const { output } = state.outputs.get(key)!;
    if (output.coinbase || state.verified.has(output.height) || notSeen.has(output.blockId)) continue;
    pushTo(found, output.height, output);
  }
  return found;
}

async function judge(
  daemon: SyncDaemon,
  viewKey: Uint8Array,
  whole: WholeBlock,
  outputs: readonly OwnedOutput[],
  signal: AbortSignal,
): Promise<Verdict> {
  const block = parseBlock(whole.block);
  const id = bytesToHex(blockId(block));
  // The chain may have changed over since it was scanned: the next look at it will tell.
  if (outputs.some(({ blockId: scanned }) => scanned !== id)) return 'not-seen';
  const transactions = await transactionsOf(daemon, block, whole, signal);
  if (transactions === 'not-seen' || transactions === 'lies') return transactions;
  const holds = (output: OwnedOutput): boolean => {
    const tx = transactions.get(output.txHash);
    return tx !== undefined && holdsOutput(tx, output) && holdsWords(eraOf(block.majorVersion), tx, viewKey, output);
  };
  return outputs.every(holds) ? 'holds' : 'lies';
}

type Transactions = ReadonlyMap<string, Transaction>;

/** The block's transactions, each hashed and held against the block's list. */
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
 * A pruned daemon leaves out of an old block what it no longer has whole. It still has the hashes of what it threw away, which
 * makes the ids of what is left: all of the block's transactions are asked for, so that it does not learn which one is ours (T24).
 */
async function prunedTransactions(
  daemon: SyncDaemon,
  txHashes: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Transactions | 'not-seen' | 'lies'> {
  const ids = txHashes.map((hash) => bytesToHex(hash) as TxHash);
  const answer = await daemon.getTransactions(ids, { prune: true, signal });
  return answer.check(({ transactions }) => {
    const found = new Map<string, Transaction>();
    for (const entry of transactions) {
      const tx = transactionIn(entry);
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

/** What stands beside the output and says whose payment it is, or what it cost: no key and no amount holds it. */
const holdsWords = (era: Era, tx: Transaction, viewKey: Uint8Array, { paymentId, fee }: OwnedOutput): boolean =>
  paymentIdToUs(era, tx, viewKey) === paymentId && (fee === undefined || feeOf(tx) === fee);

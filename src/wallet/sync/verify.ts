import { bytesToHex, commit, equalBytes, hexToBytes } from '../../crypto/index.ts';
import type { WholeBlock } from '../../daemon/index.ts';
import {
  type BlockHash,
  blockId,
  type Height,
  parseBlock,
  parseTransaction,
  type Transaction,
  transactionHash,
} from '../../protocol/index.ts';
import { WalletError } from '../errors.ts';
import type { OwnedOutput } from '../model.ts';
import type { WalletState } from '../state.ts';
import type { SyncDaemon, SyncDeps } from './deps.ts';

/** Blocks fetched whole in one request. */
const BATCH = 10;

/**
 * Before a payment to us is called confirmed, its whole block is fetched and hashed (T5): pruned transactions are bound to
 * their ids by the daemon's word only. Coinbase outputs need none of it, their bytes are in the block's id.
 */
export class Verifier {
  readonly #deps: SyncDeps;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  /**
   * Verifies the next few blocks, the newest first. @returns whether there was anything to do
   * @throws WalletError `block-mismatch` when the whole block is another; the chain from there on is forgotten
   */
  async step(daemon: SyncDaemon, signal: AbortSignal): Promise<boolean> {
    const wanted = unverified(this.#deps.state);
    const heights = [...wanted.keys()].sort((a, b) => b - a).slice(0, BATCH);
    if (heights.length === 0) return false;
    heights.reverse();
    const answer = await daemon.getBlocksByHeight(heights, { signal });
    const blocks = answer.check((value) => value);
    if (blocks.length !== heights.length) throw new WalletError('bad-daemon-answer', 'expected every block asked for', {});
    const verified: { height: Height; id: BlockHash }[] = [];
    for (const [i, height] of heights.entries()) {
      const id = checkWholeBlock(blocks[i]!, wanted.get(height)!);
      if (id === undefined) return this.#refuse(height);
      verified.push({ height, id });
    }
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
export function unverified(state: WalletState): Map<Height, OwnedOutput[]> {
  const found = new Map<Height, OwnedOutput[]>();
  for (const key of state.unspent) {
    const { output } = state.outputs.get(key)!;
    if (output.coinbase || state.verified.has(output.height)) continue;
    const group = found.get(output.height);
    if (group === undefined) found.set(output.height, [output]);
    else group.push(output);
  }
  return found;
}

/** @returns the block's id when it is the one scanned, its transactions hash to its list and hold the outputs; else undefined */
export function checkWholeBlock(whole: WholeBlock, outputs: readonly OwnedOutput[]): BlockHash | undefined {
  const block = parseBlock(whole.block);
  if (whole.transactions.length !== block.txHashes.length) return undefined;
  const transactions = new Map<string, Transaction>();
  for (const [i, bytes] of whole.transactions.entries()) {
    const tx = parseTransaction(bytes);
    const hash = transactionHash(tx);
    if (!equalBytes(hash, block.txHashes[i]!)) return undefined;
    transactions.set(bytesToHex(hash), tx);
  }
  const id = bytesToHex(blockId(block)) as BlockHash;
  const holds = outputs.every((output) => output.blockId === id && holdsOutput(transactions.get(output.txHash), output));
  return holds ? id : undefined;
}

function holdsOutput(tx: Transaction | undefined, output: OwnedOutput): boolean {
  const found = tx?.outputs[output.outputIndex];
  if (tx === undefined || found === undefined || bytesToHex(found.key) !== output.key) return false;
  if (tx.unlockTime !== output.unlockTime) return false;
  if (tx.version === 1) return found.amount === output.amount;
  const commitment = tx.rct.outPk[output.outputIndex];
  return commitment !== undefined && equalBytes(commit(output.amount, hexToBytes(output.mask)), commitment);
}

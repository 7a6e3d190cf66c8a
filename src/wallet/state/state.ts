import type { BlockHash, Height, KeyImage, OutputKey, TxHash } from '../../protocol/index.ts';
import type {
  BlockStub,
  ChainSpend,
  ImportedOutput,
  Lookahead,
  OwnedOutput,
  RecordedTransaction,
  Ring,
  SentTransaction,
  SubaddressIndex,
  WalletDescription,
} from '../model.ts';
import type { MultisigAccount } from '../multisig/account.ts';
import type { CosigningState } from '../multisig/cosigning-state.ts';
import type { PoolView } from '../pool.ts';
import type { MutableTransactionLog, TransactionLog } from './transaction-log.ts';
import type { MutableTxFacts, TxFacts } from './tx-facts.ts';

/** One of our output keys. The same key can appear on the chain more than once; only one copy can ever be spent (T7). */
export interface OutputEntry {
  /** The copy that counts: the largest amount; if it is spent, among those before the spend. */
  readonly output: OwnedOutput;
  /** All copies in chain order. */
  readonly copies: readonly OwnedOutput[];
  /** The mined transaction that spends it. */
  readonly spend: ChainSpend | undefined;
}

/** Progress of sending a transaction. `projection/pending.ts` adds what pool and chain show. */
export interface SentEntry {
  readonly tx: SentTransaction;
  /** `built` only while an older journal is read: see `unsentGivenUp`. */
  readonly phase: 'built' | 'sending' | 'accepted' | 'failed';
  /** Unix seconds of the last step. */
  readonly at: number;
  /** Why it failed. */
  readonly reason: string | undefined;
  /** Whether a daemon ever accepted it: one that was always refused does not count as sent. */
  readonly accepted: boolean;
}

/** Labels of an account: its own is that of minor 0. `labels.length` is the number of subaddresses made or seen used. */
export interface AccountEntry {
  readonly labels: readonly string[];
}

/**
 * Everything the wallet knows: the fold of its journal. Read freely; only {@link applyEvent} and {@link setPool} change it. `version`
 * increases with every change, so that values computed from a state can be cached until then.
 */
export interface WalletState {
  readonly version: number;
  readonly description: WalletDescription;
  /** Multisig account with this signer's secrets; undefined for a wallet of one owner. */
  readonly multisig: MultisigAccount | undefined;
  /** Exports that the group's signers exchanged. */
  readonly cosigning: CosigningState;
  /** Next block to scan: blocks below it are known. */
  readonly height: Height;
  /** Reward of the last scanned block; 0 when none was scanned. */
  readonly lastReward: bigint;
  /** Stored ids, ascending: dense below `height`, sparse further down. */
  readonly blocks: readonly BlockStub[];
  /** Outputs by one-time key, in the order of first appearance. */
  readonly outputs: ReadonlyMap<OutputKey, OutputEntry>;
  /** The outputs that the chain has not spent. */
  readonly unspent: ReadonlySet<OutputKey>;
  readonly byKeyImage: ReadonlyMap<KeyImage, OutputKey>;
  /** Key images imported from the cold half of a view-only wallet. Rewinds and rescans keep them. */
  readonly keyImages: ReadonlyMap<OutputKey, KeyImage>;
  /** Those of `keyImages` that were announced before the chain showed the output, and not exported since. */
  readonly predicted: ReadonlySet<OutputKey>;
  /** Spent on the chain according to a trusted daemon, in transactions we have not seen. */
  readonly unplacedSpends: ReadonlySet<KeyImage>;
  /** Outputs imported from the view-only half of a cold wallet, by position; undefined where only the chain can tell. */
  readonly imported: readonly (ImportedOutput | undefined)[];
  /** Secret keys of transactions signed for the other half to send, hex, main first. */
  readonly signedKeys: ReadonlyMap<TxHash, readonly string[]>;
  /** Transactions recorded by another program with the same keys. */
  readonly recorded: ReadonlyMap<TxHash, RecordedTransaction>;
  /** Chain facts by transaction, in chain order. */
  readonly transactions: ReadonlyMap<TxHash, TxFacts>;
  readonly transactionLog: TransactionLog;
  /** Heights of blocks with outputs of ours that were fetched whole and hashed (T5). */
  readonly verified: ReadonlyMap<Height, BlockHash>;
  readonly accounts: readonly AccountEntry[];
  /** How far beyond them it watches. */
  readonly lookahead: Lookahead;
  /** Subaddresses that received something, as `major/minor`. */
  readonly used: ReadonlySet<string>;
  readonly rings: ReadonlyMap<KeyImage, Ring>;
  readonly sent: ReadonlyMap<TxHash, SentEntry>;
  /** The transactions of `sent` that are not mined, whatever became of them. */
  readonly unmined: ReadonlySet<TxHash>;
  /** Sent transactions that a daemon ever refused and that the person has not given up. */
  readonly refused: ReadonlySet<TxHash>;
  /** Inputs of our transactions that have not failed: key image to the latest such transaction. */
  readonly committed: ReadonlyMap<KeyImage, TxHash>;
  readonly notes: ReadonlyMap<TxHash, string>;
  readonly frozen: ReadonlySet<OutputKey>;
  /** Names that the person gave to outputs. */
  readonly outputNames: ReadonlyMap<OutputKey, string>;
  readonly attributes: ReadonlyMap<string, string>;
  readonly contacts: ReadonlyMap<string, { readonly address: string; readonly description: string }>;
  /** What the daemon's pool shows now; not journalled. */
  readonly pool: PoolView;
}

/** A mutable collection of immutable items. */
type Open<T> =
  T extends ReadonlyMap<infer Key, infer Value>
    ? Map<Key, Value>
    : T extends ReadonlySet<infer Value>
      ? Set<Value>
      : T extends readonly (infer Value)[]
        ? Value[]
        : T;

/** Properties that are changed in place. */
interface Inside {
  transactions: Map<TxHash, MutableTxFacts>;
  transactionLog: MutableTransactionLog;
  accounts: { labels: string[] }[];
}

/** The state while events are applied. */
export type MutableState = Inside & { -readonly [Name in keyof Omit<WalletState, keyof Inside>]: Open<WalletState[Name]> };

/** The output of a key image; undefined if the wallet knows none. */
export function entryOfImage({ byKeyImage, outputs }: Pick<WalletState, 'byKeyImage' | 'outputs'>, image: KeyImage) {
  const key = byKeyImage.get(image);
  return key === undefined ? undefined : outputs.get(key);
}

/** A subaddress as a key of maps and sets: `major/minor`. */
export const indexKey = (index: SubaddressIndex): string => `${index.major}/${index.minor}`;

import type { AtomicAmount, BlockHash, Height, KeyImage, OutputKey, TxHash } from '../../protocol/index.ts';
import type {
  BlockStub,
  ChainSpend,
  ImportedOutput,
  KeyedImage,
  Lookahead,
  OwnedOutput,
  RecordedTransaction,
  Ring,
  SentTransaction,
  SubaddressIndex,
  WalletDescription,
} from '../model.ts';
import type { CosigningEvent } from '../multisig/cosigning-state.ts';
import type { StoredAccount } from '../multisig/stored-account.ts';

/**
 * The events of the journal. State is a fold of these; any prefix of a journal is a valid wallet (design decision 1). Facts from the chain:
 * Synced, Rewound, BlocksVerified, SpendsLearned. All others record what the user or the wallet did; a rescan, a reorganisation or a
 * migration never drops them (T16).
 */
export type WalletEvent =
  | { readonly type: 'Created'; readonly wallet: WalletDescription }
  /** A run of blocks `from` … `to` scanned, linked to the block before `from`. */
  | {
      readonly type: 'Synced';
      readonly from: Height;
      readonly to: Height;
      /** Ids stored for reorganisations: all of the newest, sparser before (like the reference's short history). */
      readonly blocks: readonly BlockStub[];
      readonly outputs: readonly OwnedOutput[];
      readonly spends: readonly ChainSpend[];
      /** Highest subaddress used in each account: grows the lookahead. */
      readonly used: readonly SubaddressIndex[];
      /** Reward of block `to`; absent in old journals. */
      readonly reward?: AtomicAmount;
    }
  /** Everything at and above `height` is forgotten; `parent` is the id of the block below it. */
  | { readonly type: 'Rewound'; readonly height: Height; readonly parent: BlockHash }
  /** Whole blocks that were fetched and hashed, and match what the pruned ones said (T5). */
  | { readonly type: 'BlocksVerified'; readonly blocks: readonly { readonly height: Height; readonly id: BlockHash }[] }
  | { readonly type: 'KeyImagesImported'; readonly images: readonly KeyedImage[] }
  /** Key images of outputs that transactions signed by the cold half will make: they apply once the chain shows the outputs. */
  | { readonly type: 'KeyImagesForetold'; readonly images: readonly KeyedImage[] }
  /** Spends of ours according to a trusted daemon; `unplaced` are spent on the chain by transactions we have not seen. */
  | { readonly type: 'SpendsLearned'; readonly spends: readonly ChainSpend[]; readonly unplaced: readonly KeyImage[] }
  /**
   * Outputs that the view-only half exported to a cold wallet, from a position on. Those before it are no longer requested, those after the
   * import are dropped.
   */
  | { readonly type: 'OutputsImported'; readonly offset: number; readonly outputs: readonly ImportedOutput[] }
  /** Signed for the other half to send: the secret keys are stored here, hex, main first. */
  | { readonly type: 'TransactionSigned'; readonly txHash: TxHash; readonly txKeys: readonly string[] }
  /**
   * The wallet is a signer of a group and has completed a round of the key exchange: these secrets replace those in the journal's header.
   * If the address changes, the chain is scanned again.
   */
  | { readonly type: 'MultisigRound'; readonly account: StoredAccount }
  | CosigningEvent
  /** A wallet made for mainnet before any daemon answered is on regtest, which has the same addresses. */
  | { readonly type: 'NetworkFound'; readonly network: 'regtest' }
  /** Records of another program's own transactions, imported with its wallet. */
  | { readonly type: 'TransactionsTold'; readonly transactions: readonly RecordedTransaction[] }
  /** Extends the lookahead to the wider of this and the current one: addresses stay watched. */
  | { readonly type: 'LookaheadSet'; readonly lookahead: Lookahead }
  | { readonly type: 'AccountAdded'; readonly label: string }
  /** Written by snapshots: all labels, by account and subaddress, and all subaddresses that ever received. */
  | { readonly type: 'AccountsSet'; readonly accounts: readonly (readonly string[])[]; readonly used: readonly SubaddressIndex[] }
  | { readonly type: 'SubaddressAdded'; readonly major: number; readonly label: string }
  | { readonly type: 'Labelled'; readonly index: SubaddressIndex; readonly label: string }
  | { readonly type: 'RingsChosen'; readonly rings: readonly Ring[] }
  | { readonly type: 'TransactionBuilt'; readonly tx: SentTransaction }
  /** Written before the bytes leave: a crash between this and the reply means "perhaps sent", resolved by the chain. */
  | { readonly type: 'TransactionSending'; readonly txHash: TxHash; readonly at: number }
  | { readonly type: 'TransactionAccepted'; readonly txHash: TxHash; readonly at: number }
  | { readonly type: 'TransactionFailed'; readonly txHash: TxHash; readonly reason: string; readonly at: number }
  /** The person gives up a refused transaction: other payments need not share an input with it. */
  | { readonly type: 'RefusalSettled'; readonly txHash: TxHash }
  | { readonly type: 'Noted'; readonly txHash: TxHash; readonly note: string }
  | { readonly type: 'Frozen'; readonly key: OutputKey }
  | { readonly type: 'Thawed'; readonly key: OutputKey }
  /** The person's name of an output; empty where it has none any more. */
  | { readonly type: 'OutputNamed'; readonly key: OutputKey; readonly name: string }
  | { readonly type: 'AttributeSet'; readonly key: string; readonly value: string }
  | {
      readonly type: 'ContactSet';
      readonly id: string;
      readonly contact: { readonly address: string; readonly description: string } | undefined;
    }
  /** Scanning starts again at `height`: facts from the chain at and above it are forgotten. */
  | { readonly type: 'RestoreHeightSet'; readonly height: Height };

/** The event of one type, or of several. */
export type EventOf<Type extends WalletEvent['type']> = Extract<WalletEvent, { readonly type: Type }>;

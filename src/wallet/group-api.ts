import type { SetReview } from './offline-api.ts';
import type { OnSpendProgress } from './requests.ts';

/** A person's decisions before a group is made. */
export interface GroupPlan {
  /** This person's name among the others. */
  readonly me: string;
  /** Names of the others: 1 to 15. */
  readonly others: readonly string[];
  /** How many of all must sign: 1 … number of members. */
  readonly threshold: number;
}

/** One member of a group, as this one knows it. */
export interface GroupMember {
  /** As this person calls it; empty where it has no name here. */
  readonly name: string;
  readonly self: boolean;
  /** Base public key, 64 hex digits; undefined until the first message of this member is here. */
  readonly signer: string | undefined;
  /** The message of the round under way is here; of ourselves always. */
  readonly answered: boolean;
  /** It has told what the next payment needs, of every coin that is not spent, and that was not taken out. */
  readonly current: boolean;
  /** Whether its message before a payment is kept here, to be judged with those of the others; {@link GroupApi.forget} removes it. */
  readonly told: boolean;
}

/** A payment that waits for signatures, or to be sent. Members are positions in {@link GroupStatus.members}. */
export interface GroupSet {
  readonly id: string;
  /** Unix seconds: when it first came here. */
  readonly at: number;
  /** To others, and the fee; atomic units. In the words of the one who proposed it. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Possible proposers by the set: one, or several where the set does not tell. */
  readonly proposers: readonly number[];
  /** Signers so far, by the set. */
  readonly signers: readonly number[];
  /** Enough have signed. */
  readonly complete: boolean;
  /** A coin of it is spent: it was sent by somebody, or overtaken by another payment. */
  readonly gone: boolean;
  /** Another payment that waits here takes the same coin: one of the two alone can be sent. */
  readonly clashes: boolean;
}

/** How far a wallet's group is. */
export interface GroupView {
  /** Signers that a spend needs, and signers in all. */
  readonly threshold: number;
  readonly total: number;
  /** Rounds done, and rounds in all: the first is the making, the last one tells each other of the keys. */
  readonly round: number;
  readonly rounds: number;
  /** The key exchange is over: the group may be paid, and spends. */
  readonly ready: boolean;
}

/** How a group stands, for the eyes of one member. */
export interface GroupStatus extends GroupView {
  /** Known before it is ready: not to be paid before. */
  readonly address: string | undefined;
  /** The person has compared the address with the others. */
  readonly compared: boolean;
  /** Ourselves first. */
  readonly members: readonly GroupMember[];
  /** Some coins' key images are not known: they may be spent already. */
  readonly importNeeded: boolean;
  /** The others lack what the next payment needs of this wallet. */
  readonly exportNeeded: boolean;
  readonly sets: readonly GroupSet[];
}

/** A message that was taken in, by its kind. */
export type TakenMessage =
  /** Of the round under way, by a member. */
  | { readonly kind: 'round'; readonly member: number }
  /** A member's message before a payment. `taken`: applied; otherwise it waits for more members' messages. */
  | { readonly kind: 'info'; readonly member: number; readonly coins: number; readonly taken: boolean }
  /** A payment; `signed`: more have signed what was here; `same`: nothing new; `parallel`: others have signed another copy of it. */
  | { readonly kind: 'set'; readonly id: string; readonly news: 'new' | 'signed' | 'same' | 'parallel' };

/** Why this member cannot sign a payment. */
export type SetObstacle =
  /** It has signed already. */
  | 'signed'
  /** Enough have signed. */
  | 'complete'
  /** It was proposed to others. */
  | 'not-asked'
  /** Our nonces for it were used, or date from before a backup was restored: this wallet must export anew, and the payment be proposed anew. */
  | 'nonces';

/** A payment, every word of it held against this wallet. */
export interface GroupSetReview extends SetReview {
  readonly obstacle: SetObstacle | undefined;
}

/**
 * Being one of several, for a page: the rounds of making a group, what members tell each other before a payment, and payments on their
 * way from one to the next. All of it is kept with the wallet. Messages are those of the reference wallet.
 */
export interface GroupApi {
  /** Our message of the current round, the same text each time. @throws MultisigError `not-multisig`, `view-only` */
  message(): Promise<string>;
  /** Our messages of earlier rounds, oldest first, for a member who lost one. */
  earlier(): Promise<readonly string[]>;
  /**
   * Takes a message of any kind: the file, its bytes in hex, text, or a reply of monero-wallet-rpc.
   * @param member whose it is, a position among the members; asked for in the first round alone, where nobody is known yet
   * @throws MultisigError; Wallet2Error, ProtocolError for what is damaged or of another group; nothing is changed then
   */
  take(message: Uint8Array, member?: number): Promise<readonly TakenMessage[]>;
  /**
   * Lets go of a member's message of the round under way, or of what it told before a payment: where that does not fit with what others tell,
   * one who lies would otherwise keep all from paying.
   */
  forget(member: number): Promise<void>;
  /** Does the round, with the messages that are here. @throws MultisigError; nothing is changed then */
  advance(): Promise<void>;
  /** The person's word that all members see the same address. */
  compared(): Promise<void>;
  rename(member: number, name: string): Promise<void>;
  /**
   * Our message before the next payment. The same bytes again, until a coin is missing from them or a payment was signed.
   * @param fresh makes a new message even when the last one is in order; the last one is void then
   */
  tell(fresh?: boolean): Promise<Uint8Array>;
  /** Takes in what is here of the others, which is enough where one signature is. @throws MultisigError `too-few-signers` */
  takeIn(): Promise<void>;
  /** Proposes what was prepared, which is let go of. Returns the id of the set. @throws MultisigError `info-missing`; SpendError */
  propose(preparedId: string, onProgress?: OnSpendProgress): Promise<string>;
  /** @throws WalletError `not-found`; MultisigError, OfflineSigningError, SpendError of a payment that is not what it says */
  review(id: string): Promise<GroupSetReview>;
  /** @throws as {@link review}, and MultisigError `nonces-unknown`, `already-signed`, `bad-shares` */
  sign(id: string): Promise<void>;
  /** For the next member. @throws WalletError `not-found` */
  file(id: string): Promise<Uint8Array>;
  /** Sends what enough have signed. Returns the hashes. @throws MultisigError, SpendError */
  submit(id: string, onProgress?: OnSpendProgress): Promise<readonly string[]>;
  /** Lets go of a payment. */
  giveUp(id: string): Promise<void>;
  /** The seed of this member, hex. @throws StorageError `wrong-password`; MultisigError `not-ready` */
  seed(password: string, passphrase: string): Promise<string>;
}

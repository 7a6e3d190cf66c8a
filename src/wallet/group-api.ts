import type { SetReview } from './offline-api.ts';

/** A person's decisions before a group is made. @internal */
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
  /** Whether its message before a payment is kept here, to be judged with those of the others; `MultisigGroup.forget` removes it. */
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
  /** A message of the current round, from a member. */
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

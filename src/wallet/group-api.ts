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
  /** Whether this member's message of the current round is here; true for ourselves. */
  readonly answered: boolean;
  /** Whether the member's last export covers every unspent coin, and was not removed. */
  readonly current: boolean;
  /** Whether an export of this member is stored here, to be imported with those of the others; `MultisigGroup.forget` removes it. */
  readonly hasExport: boolean;
}

/** A payment that waits for signatures, or to be sent. Members are indices into {@link GroupStatus.members}. */
export interface GroupSet {
  readonly id: string;
  /** When this wallet first had it, Unix seconds. */
  readonly at: number;
  /** Amount to others, and fee, in atomic units, as the proposer states them. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** The proposer according to the set; several where the set leaves it open. */
  readonly proposers: readonly number[];
  /** Signers so far, according to the set. */
  readonly signers: readonly number[];
  /** Enough have signed. */
  readonly complete: boolean;
  /** One of its coins is spent: somebody sent it, or another payment with the same coin. */
  readonly gone: boolean;
  /** Another payment that waits here spends the same coin: only one of the two can be sent. */
  readonly clashes: boolean;
}

/** Size and progress of a wallet's group. */
export interface GroupView {
  /** Signers that a spend needs, and signers in all. */
  readonly threshold: number;
  readonly total: number;
  /** Completed rounds, and all rounds: the first makes the group, the last confirms its keys. */
  readonly round: number;
  readonly rounds: number;
  /** The key exchange is complete: the group can receive and spend. */
  readonly ready: boolean;
}

/** State of a group as one member sees it. */
export interface GroupStatus extends GroupView {
  /** Known before the group is ready; do not pay it until then. */
  readonly address: string | undefined;
  /** The person has confirmed that all members see the same address. */
  readonly compared: boolean;
  /** Ourselves first. */
  readonly members: readonly GroupMember[];
  /** Some coins' key images are unknown: they may be spent already. */
  readonly importNeeded: boolean;
  /** The others need a new export of this wallet for the next payment. */
  readonly exportNeeded: boolean;
  readonly sets: readonly GroupSet[];
}

/** A message that was accepted, by its kind. */
export type TakenMessage =
  /** A message of the current round, from a member. */
  | { readonly kind: 'round'; readonly member: number }
  /** A member's export before a payment. `taken`: imported; otherwise it waits for exports of more members. */
  | { readonly kind: 'info'; readonly member: number; readonly coins: number; readonly taken: boolean }
  /** A payment; `signed`: it has more signatures than the stored one; `same`: nothing new; `parallel`: others have signed another copy of it. */
  | { readonly kind: 'set'; readonly id: string; readonly news: 'new' | 'signed' | 'same' | 'parallel' };

/** Why this member cannot sign a payment. */
export type SetObstacle =
  /** This member has signed it already. */
  | 'signed'
  /** Enough have signed. */
  | 'complete'
  /** It was proposed to others. */
  | 'not-asked'
  /** Our nonces for it were used, or date from before a backup was restored: export again, and have the payment proposed again. */
  | 'nonces';

/** A payment that was checked completely against this wallet. */
export interface GroupSetReview extends SetReview {
  readonly obstacle: SetObstacle | undefined;
}

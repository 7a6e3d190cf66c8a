import { bytesToHex } from '../../base/index.ts';
import type { TakenMessage } from '../group-api.ts';
import { isReady, type MultisigAccount } from './account.ts';
import { MultisigError, type MultisigErrorCode } from './errors.ts';
import type { RoundMessage } from './group-message.ts';
import { currentRound } from './group-status.ts';
import { decodeKexMessage } from './kex-message.ts';
import type { StoredMember, StoredPlan } from './stored-plan.ts';

/** Errors of a message that the wallet can do without: its own, or one that it has already. */
const NEEDLESS: readonly MultisigErrorCode[] = ['own-message', 'repeated'];

/** What a round's messages are checked against. */
interface Rounds {
  /** Undefined before the first round is done. */
  readonly account: MultisigAccount | undefined;
  /** This member's base public key, 64 hex digits. */
  readonly self: string;
}

/**
 * Files the messages of one text with the members who sent them. A text of several messages may hold this member's own one and some that are
 * filed already: these are passed over, unless there is nothing else in it.
 * @param member whose the first message is, from 1, where it comes from a key not seen before; without it the first free place is taken
 * @throws MultisigError `already-complete`, `own-message`, `wrong-round`, `repeated`, `contradiction`, `unknown-signer`, `too-many-signers`
 */
export function takeRoundMessages(
  plan: StoredPlan,
  mail: readonly RoundMessage[],
  rounds: Rounds,
  member: number | undefined,
): { readonly plan: StoredPlan; readonly taken: readonly TakenMessage[] } {
  const taken: TakenMessage[] = [];
  let filed = plan;
  let needless: unknown;
  for (const [i, one] of mail.entries()) {
    try {
      const sender = placeOf(filed, one, rounds, i === 0 ? member : undefined);
      filed = withMessage(filed, one, sender);
      taken.push({ kind: 'round', member: sender + 1 });
    } catch (error) {
      if (!(error instanceof MultisigError) || !NEEDLESS.includes(error.code)) throw error;
      needless = error;
    }
  }
  if (taken.length === 0) throw needless;
  return { plan: filed, taken };
}

/** Position of the sender among the other members, once the message is known to be one of the round under way. */
function placeOf(
  plan: StoredPlan,
  { text, message }: RoundMessage,
  { account, self }: Rounds,
  member: number | undefined,
): number {
  if (account !== undefined && isReady(account))
    throw new MultisigError('already-complete', 'expected no more rounds: the group is made');
  const signer = bytesToHex(message.signer);
  if (signer === self) throw new MultisigError('own-message', 'expected a message of another member');
  const expected = currentRound(account);
  const at = plan.others.findIndex((other) => other.signer === signer);
  const before = plan.others[at];
  const name = before?.name ?? '';
  if (message.round !== expected)
    throw new MultisigError('wrong-round', `expected messages of round ${expected}`, { expected, round: message.round, name });
  if (before?.round === expected) {
    if (sameContent(before.text, text)) throw new MultisigError('repeated', 'expected a message that is not here', { name });
    throw new MultisigError('contradiction', 'expected one message of each member in a round', { of: 'signer', name });
  }
  if (at >= 0) return at;
  if (account !== undefined) throw new MultisigError('unknown-signer', 'expected a message of a member');
  return freePlace(plan, member);
}

function freePlace({ others }: StoredPlan, member: number | undefined): number {
  const wanted = (member ?? 0) - 1;
  const place = others[wanted]?.signer === '' ? wanted : others.findIndex(({ signer }) => signer === '');
  if (place < 0) throw new MultisigError('too-many-signers', 'expected no more members than were said');
  return place;
}

function withMessage(plan: StoredPlan, { text, message }: RoundMessage, place: number): StoredPlan {
  const { round } = message;
  const filed = (other: StoredMember): StoredMember => ({ ...other, signer: bytesToHex(message.signer), round, text });
  return { ...plan, others: plan.others.map((other, i) => (i === place ? filed(other) : other)) };
}

/** Whether two messages say the same: one made anew has another signature. */
function sameContent(a: string, b: string): boolean {
  const contentOf = (text: string): string => {
    const { keys, commonSecret } = decodeKexMessage(text);
    return [...keys, commonSecret ?? new Uint8Array()].map(bytesToHex).join();
  };
  return contentOf(a) === contentOf(b);
}

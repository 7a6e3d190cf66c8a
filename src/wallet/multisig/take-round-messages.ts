import { bytesToHex } from '../../base/index.ts';
import type { TakenMessage } from '../group-api.ts';
import { isReady, type MultisigAccount } from './account.ts';
import { MultisigError, type MultisigErrorCode } from './errors.ts';
import type { RoundMessage } from './group-message.ts';
import { currentRound } from './group-status.ts';
import { decodeKexMessage } from './kex-message.ts';
import type { StoredMember, StoredPlan } from './stored-plan.ts';

/** Errors of messages that can be ignored: the wallet's own, and those it has already. */
const NEEDLESS: readonly MultisigErrorCode[] = ['own-message', 'repeated'];

/** What the messages of a round are checked against. */
interface Rounds {
  /** Undefined before the first round is done. */
  readonly account: MultisigAccount | undefined;
  /** This member's base public key, 64 hex digits. */
  readonly self: string;
}

/**
 * Files the messages of one text under the members who sent them. Our own message and those filed before are ignored, unless the text has
 * no others.
 * @param member sender of the first message, from 1, if its key is new; by default the first member without a key
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

/** Position of the sender among the other members, after checking that the message belongs to the current round. */
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

/** Whether two messages have the same content: one that was made again has another signature. */
function sameContent(a: string, b: string): boolean {
  const contentOf = (text: string): string => {
    const { keys, commonSecret } = decodeKexMessage(text);
    return [...keys, commonSecret ?? new Uint8Array()].map(bytesToHex).join();
  };
  return contentOf(a) === contentOf(b);
}

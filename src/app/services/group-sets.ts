import type { GroupMember, GroupSet, GroupStatus } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { memberNames } from './group.ts';

/** Title of a payment: who proposed it. */
export const setTitle = ({ members }: GroupStatus, { proposers }: GroupSet): string => {
  if (proposers.length === 0) return m.group_set_title();
  const mine = proposers.length === 1 && members[proposers[0] ?? 0]?.self;
  return mine ? m.group_set_mine() : m.group_set_by({ names: memberNames(members, proposers) });
};

/** State of a payment, as text. */
export function setState({ threshold }: GroupStatus, { gone, complete, signers }: GroupSet): string {
  if (gone) return m.group_set_gone();
  return complete ? m.group_set_ready() : m.group_set_wants({ count: threshold - signers.length });
}

/** Indices of the other members who can go on with a payment: sign it or, once enough have signed, send it. */
export const nextMembers = ({ members }: GroupStatus, { complete, signers }: GroupSet): readonly number[] =>
  members.flatMap(({ self }, at) => (self || (!complete && signers.includes(at)) ? [] : [at]));

/** Indices of members whose multisig info is out of date. */
export const outdatedMembers = ({ members }: GroupStatus): readonly number[] =>
  members.flatMap(({ self, current }: GroupMember, i) => (self || current ? [] : [i]));

/** Whether enough members are up to date to propose a payment. */
export const canPropose = (group: GroupStatus): boolean =>
  group.ready && !group.importNeeded && group.total - 1 - outdatedMembers(group).length >= group.threshold - 1;

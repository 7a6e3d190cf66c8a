import type { GroupMember, GroupSet, GroupStatus } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { namesOf } from './group.ts';

/** Whose payment it is. */
export const setTitle = ({ members }: GroupStatus, { proposers }: GroupSet): string => {
  if (proposers.length === 0) return m.group_set_title();
  const mine = proposers.length === 1 && members[proposers[0] ?? 0]?.self;
  return mine ? m.group_set_mine() : m.group_set_by({ names: namesOf(members, proposers) });
};

/** How far it is. */
export function setState({ threshold }: GroupStatus, { gone, complete, signers }: GroupSet): string {
  if (gone) return m.group_set_gone();
  return complete ? m.group_set_ready() : m.group_set_wants({ count: threshold - signers.length });
}

/** Those who have not signed. */
export const unsigned = ({ members }: GroupStatus, { signers }: GroupSet): readonly number[] =>
  members.flatMap((_, at) => (signers.includes(at) ? [] : [at]));

/** Members that have not told what the next payment needs. */
export const outdated = ({ members }: GroupStatus): readonly number[] =>
  members.flatMap(({ self, current }: GroupMember, i) => (self || current ? [] : [i]));

/** Whether enough others are up to date for a payment to be proposed. */
export const canPropose = (group: GroupStatus): boolean =>
  group.ready && !group.importNeeded && group.total - 1 - outdated(group).length >= group.threshold - 1;

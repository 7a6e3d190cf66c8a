import type { GroupMember } from '../../wallet/index.ts';
import { writeList } from '../language/formats.ts';
import { m } from '../language/messages.ts';

/** Name of a member; its number where it has none. Counted from 0, ourselves first. */
export function memberName(members: readonly GroupMember[], at: number): string {
  const member = members[at];
  const name = member?.name ?? '';
  if (member?.self) return name === '' ? m.group_you() : m.group_you_named({ name });
  return name === '' ? m.group_member({ number: at + 1 }) : name;
}

/** Several of them, in words. */
export const namesOf = (members: readonly GroupMember[], which: readonly number[]): string =>
  writeList(which.map((at) => memberName(members, at)));

/** A name that can be part of a file's. */
export const plainName = (name: string): string => name.replaceAll(/[^\p{L}\p{N} _-]/gu, '_').trim() || 'member';

/** A rule of M of N in words. */
export function ruleText(threshold: number, total: number): string {
  if (threshold === total) return m.group_rule_all({ total });
  if (threshold === 1) return m.group_rule_one();
  return m.group_rule({ threshold, total, spare: total - threshold });
}

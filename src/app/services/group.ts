import type { GroupMember } from '../../wallet/index.ts';
import { writeList } from '../language/formats.ts';
import { m } from '../language/messages.ts';

/** Name of a member, or its number. @param at index, from 0 (ourselves) */
export function memberName(members: readonly GroupMember[], at: number): string {
  const member = members[at];
  const name = member?.name ?? '';
  if (member?.self) return name === '' ? m.group_you() : m.group_you_named({ name });
  return name === '' ? m.group_member({ number: at + 1 }) : name;
}

/** Names of several members as a list. */
export const memberNames = (members: readonly GroupMember[], which: readonly number[]): string =>
  writeList(which.map((at) => memberName(members, at)));

/** A name with only characters that are safe in a file name. */
export const fileSafeName = (name: string): string => name.replaceAll(/[^\p{L}\p{N} _-]/gu, '_').trim() || 'member';

/** The M-of-N threshold, as text. */
export function thresholdText(threshold: number, total: number): string {
  if (threshold === total) return m.group_rule_all();
  if (threshold === 1) return m.group_rule_one();
  return m.group_rule({ threshold, total, spare: total - threshold });
}

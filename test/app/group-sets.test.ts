import { expect, it } from 'vitest';
import { nextMembers } from '../../src/app/services/group-sets.ts';
import type { GroupSet, GroupStatus } from '../../src/wallet/index.ts';

const group = { members: [{ self: true }, { self: false }, { self: false }] } as unknown as GroupStatus;
const set = (signers: readonly number[], complete = false): GroupSet => ({ signers, complete }) as unknown as GroupSet;

it('a payment is given to others who can sign it, never to oneself; once complete, to any other, who can send it', () => {
  expect(nextMembers(group, set([0]))).toEqual([1, 2]);
  expect(nextMembers(group, set([1])), 'this wallet cannot sign').toEqual([2]);
  expect(nextMembers(group, set([0, 1, 2], true))).toEqual([1, 2]);
});

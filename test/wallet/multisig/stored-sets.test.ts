import { expect, it } from 'vitest';
import { type StoredSet, signedFurther } from '../../../src/wallet/multisig/stored-sets.ts';

const set = (at: number, proposers: readonly string[], signers = proposers): StoredSet => ({
  ...{ id: 'ab', bytes: new Uint8Array(), at, coins: [], amount: 1n, fee: 1n },
  ...{ proposers, signers },
});

it('who signs a payment last is not taken for its proposer, though the complete set names all its signers', () => {
  const before = set(5, ['ada']);
  expect(signedFurther(set(9, ['ada', 'ben']), before)).toMatchObject({ at: 5, proposers: ['ada'], signers: ['ada', 'ben'] });
  expect(signedFurther(set(9, ['ben']), before).proposers, 'no other is known').toEqual(['ben']);
});

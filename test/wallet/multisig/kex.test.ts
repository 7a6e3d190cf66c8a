import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import {
  isReady,
  type MultisigAccount,
  mainRounds,
  mainRoundsDone,
  setupRounds,
  sharesOfEach,
} from '../../../src/wallet/multisig/account.ts';
import { exchangeKeys, makeAccount } from '../../../src/wallet/multisig/kex.ts';
import { decodeKexMessages } from '../../../src/wallet/multisig/kex-message.ts';
import { GroupOfMany } from '../../support/group-of-many.ts';
import { GROUP_ORDER, scalarFromBigint, scalarToBigint } from '../../support/scalars.ts';
import { exchanged, made, readyGroup, secretsOf } from './support.ts';

const LONG = process.env.LONG === '1';
const GROUPS = [2, 3, 4, 5].flatMap((count) => Array.from({ length: count }, (_, i) => [i + 1, count] as const));

beforeAll(async () => loadCrypto());

/** The sum of all shares that these signers hold, each once. */
function sumOfShares(accounts: readonly MultisigAccount[]): Uint8Array {
  const shares = new Set(accounts.flatMap(({ keyShares }) => keyShares.map(bytesToHex)));
  const sum = [...shares].reduce((total, share) => total + scalarToBigint(hexToBytes(share)), 0n);
  return scalarFromBigint(sum % GROUP_ORDER);
}

function subsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((first, i) => subsets(list.slice(i + 1), size - 1).map((rest) => [first, ...rest]));
}

describe('key exchange of every group up to five', () => {
  it.each(GROUPS)('%i of %i: one key, which every quorum has the shares of, and no fewer', (threshold, count) => {
    let accounts = made(count, threshold);
    for (let round = 1; round < setupRounds(count, threshold); round++) {
      expect(accounts.every((account) => account.roundsComplete === round && !isReady(account))).toBe(true);
      accounts = exchanged(accounts);
    }
    expect(accounts.every((account) => isReady(account) && mainRoundsDone(account))).toBe(true);
    const [first] = accounts;
    for (const { groupKey, commonSecret, keyShares } of accounts) {
      expect(groupKey).toEqual(first!.groupKey);
      expect(commonSecret).toEqual(first!.commonSecret);
      expect(keyShares).toHaveLength(sharesOfEach(count, threshold));
    }
    for (const quorum of subsets(accounts, threshold)) expect(scalarMulBase(sumOfShares(quorum))).toEqual(first!.groupKey);
    for (const few of subsets(accounts, threshold - 1)) expect(scalarMulBase(sumOfShares(few))).not.toEqual(first!.groupKey);
  });

  /** One signer among others whose words are worked out by one who knows all secrets. */
  it.each(LONG ? [13, 8, 3] : [13])(
    '%i of 16: one signer comes to its shares of the key',
    { timeout: 1_200_000 },
    (threshold) => {
      const secrets = Array.from({ length: 16 }, (_, i) => secretsOf(i));
      const group = new GroupOfMany(secrets, threshold, systemRandom);
      const heard = (round: number) => decodeKexMessages(group.messages(round).slice(1));
      let account = makeAccount(secrets[0]!, threshold, heard(1));
      for (let round = 2; round <= mainRounds(16, threshold); round++) account = exchangeKeys(account, heard(round));
      expect(account.keyShares).toHaveLength(sharesOfEach(16, threshold));
      const last = group.lastMessages([account.groupKey, account.commonKey]).slice(1);
      expect(isReady(exchangeKeys(account, decodeKexMessages(last)))).toBe(true);
    },
  );

  it('16 signers, of whom 15 or all are needed', () => {
    for (const threshold of [15, 16]) {
      const [first, ...rest] = readyGroup(16, threshold);
      expect(rest.every(({ groupKey }) => bytesToHex(groupKey) === bytesToHex(first!.groupKey))).toBe(true);
    }
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes } from '../../../src/base/index.ts';
import {
  hashToScalar,
  loadCrypto,
  pointAdd,
  pointSub,
  type Random,
  scalarInvert,
  scalarMul,
  scalarMulBase,
  scalarMulPoint,
  systemRandom,
} from '../../../src/crypto/index.ts';
import { decodeBase58, encodeBase58 } from '../../../src/protocol/base58.ts';
import { isReady, type MultisigAccount } from '../../../src/wallet/multisig/account.ts';
import { aggregate } from '../../../src/wallet/multisig/aggregate.ts';
import { MultisigError } from '../../../src/wallet/multisig/errors.ts';
import { exchangeKeys, firstMessage, makeAccount, nextMessage } from '../../../src/wallet/multisig/kex.ts';
import { decodeKexMessage, encodeKexMessage, type KexMessage } from '../../../src/wallet/multisig/kex-message.ts';
import { accountFromKeysFile, multisigKeysOf } from '../../../src/wallet/multisig/keys-file.ts';
import { accountFromSeed, multisigSeed } from '../../../src/wallet/multisig/seed.ts';
import type { KeysFile, MultisigKeys } from '../../../src/wallet2/index.ts';
import { GROUP_ORDER, scalarFromBigint } from '../../support/scalars.ts';
import { exchanged, made, others, readyGroup, secretsOf } from './support.ts';

beforeAll(async () => loadCrypto());

const WORD = 13;
/** A point of order two. */
const TORSION = hexToBytes(`ec${'ff'.repeat(30)}7f`);

/** A message with some bytes of its content replaced. */
function altered(message: string, at: number, bytes: Uint8Array): string {
  const content = decodeBase58(message.slice(WORD));
  content.set(bytes, at < 0 ? content.length + at : at);
  return message.slice(0, WORD) + encodeBase58(content);
}

/** A message with a bit of its signature turned over. */
function misSigned(message: string): string {
  const last = decodeBase58(message.slice(WORD)).at(-1)!;
  return altered(message, -1, Uint8Array.of(last ^ 1));
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof MultisigError) return error.code;
    throw error;
  }
  return 'nothing';
}

/** What a signer says in its round, signed, with other keys. */
const saying = ({ baseSecret }: Pick<MultisigAccount, 'baseSecret'>, round: number, keys: readonly Uint8Array[]): string =>
  encodeKexMessage({ round, keys, commonSecret: undefined }, baseSecret, systemRandom);

describe('a message', () => {
  const message = () => firstMessage(secretsOf(0), systemRandom);

  it('T25 signers: is refused when its signature, its signer or its content is another', () => {
    const other = decodeKexMessage(firstMessage(secretsOf(1), systemRandom));
    expect(decodeKexMessage(message()).round).toBe(1);
    for (const changed of [
      misSigned(message()),
      altered(message(), 32, other.signer),
      altered(message(), 0, secretsOf(1).baseCommonSecret),
    ])
      expect(codeOf(() => decodeKexMessage(changed))).toBe('bad-signature');
  });

  it('T25 signers: of a key that its signer has no secret of is refused', () => {
    // The key that takes away another signer's, were keys summed as they are: nobody can sign by it.
    const victim = decodeKexMessage(message()).signer;
    const rogue = pointSub(scalarMulBase(scalarFromBigint(5n)), victim);
    expect(codeOf(() => decodeKexMessage(altered(message(), 32, rogue)))).toBe('bad-signature');
  });

  it('T25 signers: with keys outside of the prime subgroup, or neutral ones, is refused', () => {
    const [account] = made(3, 2) as [MultisigAccount];
    const [good] = [...account.origins.keys()].map(hexToBytes) as [Uint8Array];
    for (const key of [TORSION, pointAdd(good, TORSION), new Uint8Array(32).fill(0xff)]) {
      expect(codeOf(() => decodeKexMessage(saying(account, 2, [good, key])))).toBe('bad-key');
    }
    for (const key of [new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))])
      expect(codeOf(() => decodeKexMessage(saying(account, 2, [good, key])))).toBe('bad-key');
    expect(codeOf(() => decodeKexMessage(altered(message(), 32, TORSION)))).toBe('bad-key');
  });

  it('of another version, or none, is named', () => {
    expect(codeOf(() => decodeKexMessage('MultisigV1abcdefghijk'))).toBe('old-version');
    expect(codeOf(() => decodeKexMessage('MultisigxV1abcdefghij'))).toBe('old-version');
    expect(codeOf(() => decodeKexMessage(message().replace('V2R1', 'V3R1')))).toBe('unknown-version');
    for (const bad of ['', 'x', 'MultisigxV2R1', message().slice(0, -1), `${message()}11111111111`, `${message()}0`])
      expect(codeOf(() => decodeKexMessage(bad))).toBe('bad-message');
    expect(codeOf(() => decodeKexMessage('MultisigxV2R1'.padEnd(2_000_000, '1')))).toBe('bad-message');
  });

  it('a part of the common secret that is zero or no scalar is refused', () => {
    for (const part of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
      const { baseSecret } = secretsOf(0);
      const text = encodeKexMessage({ round: 1, keys: [], commonSecret: part }, baseSecret, systemRandom);
      expect(codeOf(() => decodeKexMessage(text))).toBe('bad-message');
    }
  });
});

describe('T25 signers: keys that depend on others', () => {
  it('cannot cancel others: each has a coefficient', () => {
    const honest = scalarFromBigint(1234567n);
    const wanted = scalarMulBase(scalarFromBigint(5n));
    const rogue = pointSub(wanted, scalarMulBase(honest));
    const { groupKey, keyShares } = aggregate([rogue], [honest]);
    expect(groupKey).not.toEqual(wanted);
    // One and the same coefficient for both would leave the other key cancelled.
    const coefficient = scalarMul(keyShares[0]!, scalarInvert(honest));
    expect(groupKey).not.toEqual(scalarMulPoint(coefficient, wanted));
    // Whatever the order in which they come, the key is the same, and shares make it.
    const [a, b] = [3n, 8n].map(scalarFromBigint) as [Uint8Array, Uint8Array];
    const [byA, byB] = [aggregate([scalarMulBase(b)], [a]), aggregate([scalarMulBase(a)], [b])];
    expect(byA.groupKey).toEqual(byB.groupKey);
    const sum = concatBytes(byA.keyShares[0]!, byB.keyShares[0]!);
    expect(sum).toHaveLength(64);
  });

  it('must all differ', () => {
    const key = scalarMulBase(scalarFromBigint(7n));
    expect(codeOf(() => aggregate([key, key], []))).toBe('contradiction');
    expect(codeOf(() => aggregate([key], [scalarFromBigint(7n)]))).toBe('contradiction');
  });
});

describe('T25 signers: messages of another place', () => {
  /** What the first of three says to messages, with its account as it was whatever it says. */
  function answer(account: MultisigAccount, messages: readonly string[], incomplete = false): string {
    const before = structuredClone(account);
    const code = codeOf(() => exchangeKeys(account, messages.map(decodeKexMessage), incomplete));
    expect(account).toEqual(before);
    return code;
  }

  it('of another group, another round, repeated, missing, or too many', () => {
    const accounts = made(3, 2);
    const [a, b, c] = accounts.map((account) => nextMessage(account, systemRandom)) as [string, string, string];
    const strangers = [7, 8, 9].map(secretsOf);
    const first = strangers.map((secrets) => firstMessage(secrets, systemRandom));
    const foreign = strangers.map((secrets, i) => makeAccount(secrets, 2, others(first, i)));
    const [x, y] = foreign.map((account) => nextMessage(account, systemRandom)) as [string, string];
    const self = accounts[0]!;
    expect(answer(self, [x, y])).toBe('contradiction');
    expect(answer(self, [b, x])).toBe('contradiction');
    expect(answer(self, first)).toBe('wrong-round');
    expect(answer(self, [b, first[0]!])).toBe('mixed-rounds');
    expect(answer(self, [b, b])).toBe('signers-missing');
    expect(answer(self, [b])).toBe('signers-missing');
    expect(answer(self, [a, b])).toBe('signers-missing');
    expect(answer(self, [])).toBe('signers-missing');
    expect(answer(self, [b, c, x])).toBe('contradiction');
    const [next, ...rest] = exchanged(accounts);
    expect(answer(next!, [b, c])).toBe('wrong-round');
    const last = rest.map((account) => nextMessage(account, systemRandom));
    expect(answer(next!, [last[0]!, last[0]!])).toBe('signers-missing');
    const stranger = saying(foreign[0]!, 3, [next!.groupKey, next!.commonKey]);
    expect(answer(next!, [...last, stranger])).toBe('unknown-signer');
    const done = exchangeKeys(next!, last.map(decodeKexMessage));
    expect(isReady(done)).toBe(true);
    expect(answer(done, last)).toBe('already-complete');
  });

  it('messages of all, including our own, are accepted in any order', () => {
    const accounts = made(3, 2);
    const messages = accounts.map((account) => nextMessage(account, systemRandom)).map(decodeKexMessage);
    const [a, b, c] = messages as [KexMessage, KexMessage, KexMessage];
    expect(exchangeKeys(accounts[0]!, [c, a, b, b])).toEqual(exchangeKeys(accounts[0]!, [b, c]));
  });

  it('a first message of no signer, of two, or of too many, and a threshold that is none', () => {
    const first = Array.from({ length: 17 }, (_, i) => decodeKexMessage(firstMessage(secretsOf(i), systemRandom)));
    const make = (messages: readonly KexMessage[], threshold: number) =>
      codeOf(() => makeAccount(secretsOf(0), threshold, messages));
    expect(make(first.slice(1, 3), 0)).toBe('bad-threshold');
    expect(make(first.slice(1, 3), 4)).toBe('bad-threshold');
    expect(make(first.slice(1, 3), 1.5)).toBe('bad-threshold');
    expect(make([], 1)).toBe('bad-signer-count');
    expect(make(first.slice(1), 2)).toBe('bad-signer-count');
    expect(make([first[1]!, first[1]!], 2)).toBe('duplicate-signer');
    const [account] = made(3, 2) as [MultisigAccount];
    expect(make([decodeKexMessage(nextMessage(account, systemRandom)), first[2]!], 2)).toBe('wrong-round');
  });

  it('where one signer is enough, a stranger is not accepted in the last round but one', () => {
    const [self, ...rest] = exchanged(made(3, 1));
    const messages = rest.map((account) => nextMessage(account, systemRandom));
    const stranger = saying({ baseSecret: secretsOf(9).baseSecret }, 3, [self!.groupKey].slice(1));
    expect(answer(self!, [...messages, stranger])).toBe('unknown-signer');
  });
});

describe('T25 signers: one who lies', () => {
  it('in a round that makes keys contradicts the others', () => {
    const accounts = made(4, 2);
    const [, b, c, d] = accounts.map((account) => nextMessage(account, systemRandom)) as [string, string, string, string];
    const liar = accounts[3]!;
    const keys = [...liar.origins.keys()].map(hexToBytes);
    const other = scalarMulBase(hashToScalar(Uint8Array.of(1)));
    for (const said of [[...keys.slice(1), other], keys.slice(1), [...keys, other], []])
      expect(codeOf(() => exchangeKeys(accounts[0]!, [b, c, saying(liar, 2, said)].map(decodeKexMessage)))).toBe('contradiction');
    // Two of them agree on a key more.
    const agreed = accounts
      .slice(2)
      .map((account) => saying(account, 2, [...[...account.origins.keys()].map(hexToBytes), other]));
    expect(codeOf(() => exchangeKeys(accounts[0]!, [b, ...agreed].map(decodeKexMessage)))).toBe('contradiction');
    expect(codeOf(() => exchangeKeys(accounts[0]!, [b, c, d].map(decodeKexMessage)))).toBe('nothing');
  });

  it('in the last but one produces keys that the last round rejects', () => {
    // All alone with a key share, where two of two are needed: it tells each another key.
    const [a, b] = [secretsOf(0), secretsOf(1)];
    const [fromA, fromB] = [a, b].map((secrets) => decodeKexMessage(firstMessage(secrets, systemRandom))) as [
      KexMessage,
      KexMessage,
    ];
    const twice = { ...b, baseCommonSecret: secretsOf(2).baseCommonSecret };
    const toA = decodeKexMessage(firstMessage(twice, systemRandom));
    const [accountA, accountB] = [makeAccount(a, 2, [toA]), makeAccount(b, 2, [fromA])];
    expect(fromB.signer).toEqual(toA.signer);
    expect(accountA.commonKey).not.toEqual(accountB.commonKey);
    const last = decodeKexMessage(nextMessage(accountB, systemRandom));
    expect(codeOf(() => exchangeKeys(accountA, [last]))).toBe('not-verified');
  });

  it('in the last round is named, also when the round is forced', () => {
    const accounts = exchanged(made(3, 2));
    const [self, b, c] = accounts as [MultisigAccount, MultisigAccount, MultisigAccount];
    const honest = nextMessage(b, systemRandom);
    const other = scalarMulBase(scalarFromBigint(GROUP_ORDER - 2n));
    for (const said of [
      [other, c.commonKey],
      [c.groupKey, other],
      [c.groupKey],
      [other, scalarMulBase(scalarFromBigint(9n))],
      [c.groupKey, c.commonKey, other],
    ]) {
      const lie = saying(c, 3, said);
      expect(codeOf(() => exchangeKeys(self, [honest, lie].map(decodeKexMessage)))).toBe('not-verified');
      if (said.length !== 1) expect(codeOf(() => exchangeKeys(self, [lie].map(decodeKexMessage), true))).toBe('not-verified');
    }
  });

  it('goes on without some signers by force alone', () => {
    const accounts = made(3, 2);
    const message = decodeKexMessage(nextMessage(accounts[1]!, systemRandom));
    expect(codeOf(() => exchangeKeys(accounts[0]!, [message]))).toBe('signers-missing');
    const forced = exchangeKeys(accounts[0]!, [message], true);
    expect(forced.groupKey).toEqual(exchanged(accounts)[0]!.groupKey);
  });
});

describe('a .keys file of a group', () => {
  it('of keys that do not belong together is refused', () => {
    const [account, other] = readyGroup(3, 2) as [MultisigAccount, MultisigAccount];
    const { baseSecret: spendKey, commonSecret: viewKey, groupKey, commonKey, keyShares, signers } = account;
    const keys = { spendKey, viewKey, account: { spendKey: groupKey, viewKey: commonKey } } as KeysFile;
    const multisig = multisigKeysOf(account, true);
    expect(accountFromKeysFile(keys, multisig).groupKey).toEqual(groupKey);
    const changes: Record<string, [Partial<KeysFile>, Partial<MultisigKeys>]> = {
      'a share too few': [{}, { keyShares: keyShares.slice(1) }],
      'a share that is no scalar': [{}, { keyShares: [new Uint8Array(32).fill(0xff), ...keyShares.slice(1)] }],
      'a threshold that is none': [{}, { threshold: 0 }],
      'a signer twice': [{}, { signers: [signers[0]!, signers[0]!, ...signers.slice(2)] }],
      'a secret of nobody': [{ spendKey: secretsOf(9).baseSecret }, {}],
      'another view key': [{ viewKey: other.baseSecret }, {}],
    };
    for (const [what, [ofFile, ofGroup]] of Object.entries(changes))
      expect(() => accountFromKeysFile({ ...keys, ...ofFile }, { ...multisig, ...ofGroup }), what).toThrow(
        expect.objectContaining({ name: 'Wallet2Error', code: 'keys-do-not-match' }),
      );
  });
});

describe('a seed', () => {
  it('of keys that do not belong together is refused', async () => {
    const [account] = readyGroup(3, 2) as [MultisigAccount];
    const seed = await multisigSeed(account, '', systemRandom);
    const bytes = hexToBytes(seed);
    expect((await accountFromSeed(seed)).groupKey).toEqual(account.groupKey);
    const changes: readonly (readonly [number, Uint8Array])[] = [
      [0, Uint8Array.of(0)],
      [0, Uint8Array.of(4)],
      [4, Uint8Array.of(17)],
      [4, Uint8Array.of(4)],
      [8, secretsOf(5).baseSecret],
      [72, secretsOf(5).baseSecret],
      [136, new Uint8Array(32).fill(0xff)],
      [bytes.length - 32, TORSION],
    ];
    for (const [at, change] of changes) {
      const wrong = bytes.slice();
      wrong.set(change, at);
      await expect(accountFromSeed(bytesToHex(wrong)), `${at}`).rejects.toMatchObject({ code: 'bad-seed' });
    }
    for (const text of ['', 'zz', 'abc', seed.slice(2), `${seed}00`])
      await expect(accountFromSeed(text)).rejects.toMatchObject({ code: 'bad-seed' });
  });

  it('T19 nonces: messages signed twice have nonces of their own, and none without randomness', () => {
    const [a, b] = [0, 0].map(() => decodeBase58(firstMessage(secretsOf(0), systemRandom).slice(WORD)));
    expect(a!.slice(64, 96)).not.toEqual(b!.slice(64, 96));
    const none: Random = { bytes: (length) => new Uint8Array(length) };
    expect(() => firstMessage(secretsOf(0), none)).toThrow();
  });
});

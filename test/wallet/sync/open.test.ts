import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, systemClock } from '../../../src/base/index.ts';
import {
  commit,
  commitmentMask,
  derivationToScalar,
  derivePublicKey,
  encodeAmount8,
  generateKeyDerivation,
  generateKeyImage,
  loadCrypto,
  randomScalar,
  scalarMulBase,
  scalarMulPoint,
  systemRandom,
} from '../../../src/crypto/index.ts';
import { eraOf, NEWEST_VERSION } from '../../../src/protocol/eras/index.ts';
import { buildExtra, serializeExtra } from '../../../src/protocol/extra.ts';
import { RctType, type TransactionV2 } from '../../../src/protocol/model.ts';
import { WalletKeys } from '../../../src/wallet/keys.ts';
import { DEFAULT_LOOKAHEAD } from '../../../src/wallet/lookahead.ts';
import type { SubaddressIndex } from '../../../src/wallet/model.ts';
import { SubaddressTable } from '../../../src/wallet/subaddresses.ts';
import { keyImagesOf } from '../../../src/wallet/sync/key-image.ts';
import { matchOutputs } from '../../../src/wallet/sync/match.ts';
import { seenTransaction } from '../../../src/wallet/sync/pool-view.ts';
import { keysOf, newRegtestWallet } from '../support.ts';

const scheme = eraOf(NEWEST_VERSION).outputs;

let keys: WalletKeys;
let table: SubaddressTable;

beforeAll(async () => {
  await loadCrypto();
  keys = keysOf(await newRegtestWallet());
  table = new SubaddressTable(keys);
  await table.grow({ accounts: [{ labels: [''] }], lookahead: DEFAULT_LOOKAHEAD }, () => Promise.resolve());
});

interface Payment {
  readonly to: SubaddressIndex;
  readonly amount: bigint;
  /** What the commitment says, when that is a lie. */
  readonly committed?: bigint;
}

/** A transaction of the newest kind with one output a payment, by a sender who uses additional keys. */
function transactionOf(payments: readonly Payment[]): TransactionV2 {
  const made = payments.map(({ to, amount, committed }, i) => {
    const { spendKey, viewKey } = keys.addressKeys(to);
    const r = randomScalar(systemRandom);
    const publicKey = scalarMulPoint(r, spendKey);
    const derivation = generateKeyDerivation(viewKey, r)!;
    const secret = derivationToScalar(derivation, i);
    return {
      publicKey,
      output: { amount: 0n, key: derivePublicKey(derivation, i, spendKey)!, viewTag: undefined },
      ecdh: { mask: undefined, amount: encodeAmount8(secret, amount) },
      commitment: commit(committed ?? amount, commitmentMask(secret)),
    };
  });
  const pubKey = scalarMulBase(randomScalar(systemRandom));
  return {
    version: 2,
    unlockTime: 0n,
    inputs: [],
    outputs: made.map(({ output }) => output),
    extra: buildExtra({ pubKey, additionalPubKeys: made.map(({ publicKey }) => publicKey) }),
    rct: {
      type: RctType.BulletproofPlus,
      fee: 1n,
      pseudoOuts: [],
      ecdhInfo: made.map(({ ecdh }) => ecdh),
      outPk: made.map(({ commitment }) => commitment),
    },
    prunable: undefined,
  };
}

const find = (key: Uint8Array) => table.find(key);
const publicKeyOf = (i: number) => scalarMulBase(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? i + 1 : 0)));

describe('outputs of ours', () => {
  it('are found by additional keys, opened, and have the key image of their one-time secret', () => {
    const payments = [
      { to: { major: 0, minor: 7 }, amount: 5n },
      { to: { major: 3, minor: 0 }, amount: 2n ** 64n - 1n },
      { to: { major: 49, minor: 199 }, amount: 1n },
    ];
    const tx = transactionOf(payments);
    const matches = matchOutputs(tx, keys.viewKey, find);
    expect(matches.map(({ subaddress }) => subaddress)).toEqual(payments.map(({ to }) => to));
    for (const [i, { derivation, subaddress }] of matches.entries()) {
      expect(scheme.open(tx, i, derivation)?.amount).toBe(payments[i]!.amount);
      const own = { scheme, outputKey: tx.outputs[i]!.key, shared: derivation, outputIndex: i, index: subaddress };
      // For another's key the secret does not fit, and there is no image; that of its neighbours is the same as alone.
      const again = { ...own };
      const images = keyImagesOf(keys, [own, { ...own, outputIndex: i + 1 }, again]);
      expect(images).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), undefined, images[0]]);
      expect(keyImagesOf(keys, [own])).toEqual([images[0]]);
    }
  });

  it('T8 an amount that does not open its commitment is dropped, and so are nothing and missing parts', () => {
    const tx = transactionOf([
      { to: { major: 0, minor: 5 }, amount: 5n, committed: 6n },
      { to: { major: 0, minor: 1 }, amount: 0n },
      { to: { major: 0, minor: 2 }, amount: 9n },
    ]);
    const matches = matchOutputs(tx, keys.viewKey, find);
    expect(matches).toHaveLength(3);
    const amounts = matches.map(({ outputIndex, derivation }) => scheme.open(tx, outputIndex, derivation)?.amount);
    expect(amounts).toEqual([undefined, undefined, 9n]);
    const cut = { ...tx, rct: { ...tx.rct, outPk: tx.rct.outPk.slice(0, 2) } };
    expect(scheme.open(cut, 2, matches[2]!.derivation)).toBeUndefined();
    expect(scheme.open({ ...tx, rct: { ...tx.rct, type: RctType.Null } }, 2, matches[2]!.derivation)).toBeUndefined();
  });

  it('T8 of the pool, where no proof of amounts is seen, are read only where they are worth what there can be', () => {
    const reader = { keys, table, clock: systemClock };
    const to = { major: 0, minor: 1 };
    const most = transactionOf([{ to, amount: 2n ** 64n - 1n }]);
    expect(seenTransaction(reader, most, false).outputs).toHaveLength(1);
    const more = transactionOf([
      { to, amount: 2n ** 64n - 1n },
      { to, amount: 1n },
    ]);
    expect(() => seenTransaction(reader, more, false)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  });

  it('T10 too few additional keys, and keys that are no points, hide nothing else', () => {
    const tx = transactionOf([
      { to: { major: 0, minor: 1 }, amount: 5n },
      { to: { major: 0, minor: 2 }, amount: 6n },
    ]);
    const noPoint = new Uint8Array(32).fill(0xff);
    const [first] = matchOutputs(tx, keys.viewKey, find);
    const few = { ...tx, extra: buildExtra({ pubKey: noPoint, additionalPubKeys: [first!.publicKey] }) };
    expect(matchOutputs(few, keys.viewKey, find).map(({ outputIndex }) => outputIndex)).toEqual([0]);
    const none = { ...tx, extra: new Uint8Array() };
    expect(matchOutputs(none, keys.viewKey, find)).toEqual([]);
  });

  it('T6 keys times outputs cannot outgrow the bytes', () => {
    const tx = transactionOf([{ to: { major: 0, minor: 1 }, amount: 5n }]);
    const { publicKey } = matchOutputs(tx, keys.viewKey, find)[0]!;
    const others = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'pubKey', key: publicKeyOf(i) }) as const);
    const buried = (count: number) => serializeExtra([...others(count), { type: 'pubKey', key: publicKey }]);
    expect(matchOutputs({ ...tx, extra: buried(100) }, keys.viewKey, find)).toHaveLength(1);
    const many = Array.from({ length: 500 }, () => tx.outputs[0]!);
    expect(matchOutputs({ ...tx, outputs: many, extra: buried(100) }, keys.viewKey, find)).toEqual([]);
  });

  it('a view-only wallet has no key images', async () => {
    const { primary, viewKey } = keys;
    const watcher = WalletKeys.of(
      { spendKey: undefined, viewKey, seedLanguage: 'English' },
      { network: 'regtest', primaryAddress: keys.address({ major: 0, minor: 0 }) },
    );
    expect(bytesToHex(watcher.primary.spendKey)).toBe(bytesToHex(primary.spendKey));
    const index = { major: 0, minor: 0 };
    const own = { scheme, outputKey: primary.spendKey, shared: new Uint8Array(32), outputIndex: 0, index };
    expect(keyImagesOf(watcher, [own])).toEqual([undefined]);
    expect(generateKeyImage(primary.spendKey, keys.spendKey!)).toHaveLength(32);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { concatBytes, equalBytes, hexToBytes } from '../../src/base/index.ts';
import { cnSlowHash, loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { ByteWriter, isProtocolError, ProtocolError, type TxPrefix } from '../../src/protocol/index.ts';
import { writePrefix } from '../../src/protocol/transaction/prefix.ts';
import { accountFromKeysFile, multisigKeysOf } from '../../src/wallet/multisig/keys-file.ts';
import { readAll } from '../../src/wallet2/archive.ts';
import {
  chacha20Xor,
  decodeCache,
  decodeKeyImagesExport,
  decodeKeys,
  decodeMultisigExport,
  decodeMultisigTxSet,
  decodeOutputsExport,
  decodeSignedTxSet,
  decodeTxMetadata,
  decodeUnsignedTxSet,
  decryptWithSecret,
  encodeKeyImagesExport,
  encodeMultisigExport,
  encodeMultisigTxSet,
  encodeOutputsExport,
  encodeSignedTxSet,
  encodeTxMetadata,
  encodeUnsignedTxSet,
  openKeysFile,
  sealKeysFile,
  Wallet2Error,
} from '../../src/wallet2/index.ts';
import { cacheKey, passwordKey, sealedFile } from '../../src/wallet2/password.ts';
import { type FuzzTarget, fuzz, mutate } from '../protocol/support/fuzz.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { accountOf, FIXTURE } from '../wallet/multisig/spending-support.ts';
import { readyGroup, made as signers } from '../wallet/multisig/support.ts';
import { cachesPassword, storedWallets } from './caches.ts';
import { older, reference } from './fixture.ts';
import { madeCache } from './made-cache.ts';

/** The short form runs with the other tests, the long form as `npm run fuzz`. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);
const SEED = 20_260_202;
/** Milliseconds for the long form; a keys file costs two memory-hard hashes. */
const PATIENCE = Math.max(60_000, RUNS * 30);

interface Codec<T> {
  readonly name: string;
  readonly corpus: () => Promise<readonly Uint8Array[]>;
  readonly decode: (bytes: Uint8Array) => T;
  readonly encode: (value: T) => Uint8Array;
}

const inside = (file: Uint8Array, magic: string, { viewKey } = reference) =>
  decryptWithSecret(file.subarray(magic.length + 1), viewKey);

/** What signers of a group pass on to each other, in clear. */
const clearOf = (message: string, magic: string) =>
  inside(hexToBytes(message), magic, { ...reference, viewKey: accountOf(FIXTURE.seeds[0]!).commonSecret });

/** Caches in clear: those of both releases, and two with one of everything in them. */
async function cachesInClear(): Promise<Uint8Array[]> {
  const key = cacheKey(await passwordKey(cachesPassword, 1));
  const account = { spendKey: new Uint8Array(32), viewKey: new Uint8Array(32) };
  return [...storedWallets.map(({ cache }) => inClear(cache, key)), madeCache(account), madeCache(account, 0, true)];
}

/** Keys in clear but for the secret ones. */
async function keysInClear(): Promise<Uint8Array[]> {
  const key = await passwordKey(cachesPassword, 1);
  return storedWallets.map(({ keys }) => inClear(keys, key));
}

/** Keys in clear of signers, after each kind of round, and what opens the secret ones among them. */
async function signersInClear(): Promise<Uint8Array[]> {
  const key = await passwordKey('', 1);
  const accounts = [signers(2, 1), signers(3, 2), readyGroup(3, 2), readyGroup(2, 1)].map(([account]) => account!);
  const files = accounts.map((account) =>
    sealKeysFile(
      {
        ...{ spendKey: account.baseSecret, viewKey: account.commonSecret, multisig: multisigKeysOf(account, true) },
        account: { spendKey: account.groupKey, viewKey: account.commonKey },
        ...{ seedLanguage: 'English', restoreHeight: 7, network: 'mainnet' as const, createdAt: 0, lookahead: undefined },
        defaultPriority: 0,
      },
      '',
      systemRandom,
    ),
  );
  lockOfSigners = await cnSlowHash(concatBytes(key, Uint8Array.of(0x6b)));
  return (await Promise.all(files)).map((file) => inClear(file, key));
}

let lockOfSigners: Uint8Array;

/** A signer as its file says it is. */
function signerIn(plain: Uint8Array): void {
  const { keys, metadata: said } = decodeKeys(plain);
  if (said.multisig === undefined) return;
  const secrets = [keys.spendKey, keys.viewKey, ...keys.keyShares];
  const lock = chacha20Xor({ key: lockOfSigners, nonce: keys.nonce }, new Uint8Array(32 * secrets.length));
  for (const [at, secret] of secrets.entries()) secret.set(secret.map((byte, i) => byte ^ lock[32 * at + i]!));
  accountFromKeysFile({ ...keys, ...said }, said.multisig);
}

function inClear(file: Uint8Array, key: Uint8Array): Uint8Array {
  const { nonce, data } = readAll(sealedFile, file, 'the file');
  return chacha20Xor({ key, nonce }, data);
}

/** A decoder of what nothing of ours writes. */
const reader = (name: string, corpus: () => Promise<Uint8Array[]>, decode: (bytes: Uint8Array) => unknown) => ({
  name,
  make: async (): Promise<FuzzTarget> => ({ name, corpus: await corpus(), decode: (bytes) => typed(() => decode(bytes)) }),
});

/** An output in the form of older versions: the whole prefix of its transaction, and what no cold wallet needs. */
function olderOutput(): Uint8Array {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const prefix: TxPrefix = {
    version: 2,
    unlockTime: 0n,
    inputs: [{ type: 'gen', height: 5 }],
    outputs: [{ amount: 7n, key, viewTag: 3 }],
    extra: concatBytes(Uint8Array.of(1), key),
  };
  const writer = new ByteWriter().varint(2).varint(0).varint(1).u64(5n);
  writePrefix(writer, prefix);
  writer.key(key).u64(0n).u64(9n).u8(0).u8(0).u64(0n).key(key).key(key).u64(7n).u8(1).u8(1).u8(0).u64(0n).u32(0).u32(1).u8(0);
  return writer.varint(0).varint(0).varint(1).varint(2).varint(3).key(key).finish();
}

/** The form that says what was read: today's has a total. */
const compatOf = ({ total }: { readonly total?: number | undefined }) => (total === undefined ? '0.18.0' : undefined);

const account = () => concatBytes(new Uint8Array(32), new Uint8Array(32));

function codec<T>(made: Codec<T>): { readonly name: string; readonly make: () => Promise<FuzzTarget> } {
  const make = async (): Promise<FuzzTarget> => ({
    name: made.name,
    corpus: await made.corpus(),
    decode: (bytes) => {
      const written = made.encode(typed(() => made.decode(bytes)));
      if (!equalBytes(made.encode(made.decode(written)), written)) throw new Error('read differently the second time');
    },
  });
  return { name: made.name, make };
}

/** This room's two kinds of typed error count as one. */
function typed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Wallet2Error ? new ProtocolError('bad-structure', error.message) : error;
  }
}

const targets = [
  reader('wallet cache', cachesInClear, decodeCache),
  reader('keys file', keysInClear, decodeKeys),
  reader('keys file of a signer', signersInClear, signerIn),
  codec({
    name: 'unsigned set',
    corpus: async () => [
      await inside(reference.unsigned, 'Monero unsigned tx set'),
      concatBytes(Uint8Array.of(0, 0), olderOutput()),
      await inside(older.unsigned, 'Monero unsigned tx set', older),
    ],
    decode: decodeUnsignedTxSet,
    encode: (set) => encodeUnsignedTxSet(set, compatOf(set)),
  }),
  codec({
    name: 'signed set',
    corpus: async () => [await inside(reference.signed, 'Monero signed tx set')],
    decode: decodeSignedTxSet,
    encode: encodeSignedTxSet,
  }),
  codec({
    name: 'multisig set',
    corpus: async () => [
      await clearOf(FIXTURE.proposal, 'Monero multisig unsigned tx set'),
      await clearOf(FIXTURE.signed, 'Monero multisig unsigned tx set'),
    ],
    decode: decodeMultisigTxSet,
    encode: encodeMultisigTxSet,
  }),
  codec({
    name: 'multisig export',
    corpus: () => Promise.all(FIXTURE.exports.map((message) => clearOf(message, 'Monero multisig export'))),
    decode: decodeMultisigExport,
    encode: encodeMultisigExport,
  }),
  codec({
    name: 'transaction metadata',
    corpus: async () => [reference.metadata],
    decode: decodeTxMetadata,
    encode: encodeTxMetadata,
  }),
  codec({
    name: 'outputs export',
    corpus: async () => [
      await inside(reference.outputs, 'Monero output export'),
      concatBytes(account(), olderOutput()),
      await inside(older.outputs, 'Monero output export', older),
    ],
    decode: decodeOutputsExport,
    encode: (outputs) => encodeOutputsExport(outputs, compatOf(outputs)),
  }),
  codec({
    name: 'key images export',
    corpus: async () => [
      encodeKeyImagesExport({
        account: { spendKey: reference.viewKey, viewKey: reference.spendKey },
        offset: 3,
        keyImages: reference.keyImages,
      }),
    ],
    decode: decodeKeyImagesExport,
    encode: encodeKeyImagesExport,
  }),
];

beforeAll(() => loadCrypto());

describe('T6 files of the reference wallet in any state of damage', () => {
  it.each(targets)(
    '$name: a value or a typed error',
    async ({ make }) => {
      const target = await make();
      for (const sample of target.corpus) target.decode(sample);
      const report = fuzz(target, RUNS, SEED);
      expect(report.runs).toBe(RUNS);
      expect(report.accepted).toBeGreaterThan(0);
      expect(report.accepted).toBeLessThan(RUNS);
    },
    PATIENCE,
  );

  it('outputs of the older form say the same in the newer one', () => {
    const { offset, outputs } = decodeOutputsExport(concatBytes(account(), olderOutput()));
    expect(offset).toBe(0);
    expect(outputs).toMatchObject([{ outputIndex: 0n, globalIndex: 9n, amount: 7n, flags: 4 | 8, additionalPublicKeys: [] }]);
  });

  it(
    'keys files: a value or a typed error, whatever is inside',
    async () => {
      const { full, password } = reference.keysFiles;
      const sampler = new TestSampler(SEED);
      const key = await cnSlowHash(new TextEncoder().encode(password));
      const nonce = full.subarray(0, 8);
      const json = chacha20Xor({ key, nonce }, full.subarray(10));
      let accepted = 0;
      for (let run = 0; run < Math.max(12, RUNS / 200); run++) {
        const changed = mutate(json, [json], sampler);
        const data = chacha20Xor({ key, nonce }, changed);
        const file = new ByteWriter().bytes(nonce).varint(data.length).bytes(data).finish();
        try {
          await openKeysFile(file, password);
          accepted++;
        } catch (error) {
          if (!isProtocolError(error) && !(error instanceof Wallet2Error)) throw error;
        }
      }
      expect(accepted).toBeGreaterThan(0);
    },
    PATIENCE,
  );
});

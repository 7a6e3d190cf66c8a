import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, loadCrypto, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import { latin1ToBytes } from '../../../src/protocol/bytes.ts';
import {
  asArray,
  asObject,
  asText,
  asU64,
  type JsonValue,
  parseTransaction,
  transactionHash,
} from '../../../src/protocol/index.ts';
import {
  encryptWithSecret,
  openOutputsExport,
  openSignedTxSet,
  openUnsignedTxSet,
  sealOutputsExport,
  sealUnsignedTxSet,
  type TxConstruction,
} from '../../../src/protocol/wallet2/index.ts';
import {
  describeUnsigned,
  exportKeyImages,
  exportKeyImagesFile,
  exportOutputs,
  importKeyImages,
  importOutputs,
  openKeyImages,
  signUnsigned,
  walletFromKeysFile,
} from '../../../src/wallet/exchange/index.ts';
import { snapshot } from '../../../src/wallet/snapshot.ts';
import { foldEvents } from '../../../src/wallet/state.ts';
import { matchOutputs } from '../../../src/wallet/sync/match.ts';
import { openAmount } from '../../../src/wallet/sync/open.ts';
import { reference } from '../../protocol/wallet2/fixture.ts';
import { newerOutputs, newerUnsignedSet } from '../../protocol/wallet2/newer.ts';
import { plain } from '../support.ts';
import { type Half, halfOf } from './support.ts';

let cold: Half;
const { viewKey } = reference;

beforeAll(async () => {
  await loadCrypto();
  cold = await halfOf('full');
  expect(await importOutputs(cold, reference.outputs)).toBe(2);
});

/** The fixture's set with its transaction changed, sealed as its maker could. */
async function altered(change: (transaction: TxConstruction) => Partial<TxConstruction>): Promise<Uint8Array> {
  const set = await openUnsignedTxSet(reference.unsigned, viewKey);
  const transactions = set.transactions.map((transaction) => ({ ...transaction, ...change(transaction) }));
  return sealUnsignedTxSet({ ...set, transactions }, viewKey, systemRandom);
}

const stranger = () => {
  const key = scalarMulBase(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : 0)));
  return { spendKey: key, viewKey: key };
};

const first = <T>(items: readonly T[], change: (item: T) => T): T[] => items.map((item, i) => (i === 0 ? change(item) : item));

describe('a cold wallet that never saw the chain', () => {
  it('tells the key images that the reference tells', async () => {
    const { offset, keyImages } = await exportKeyImages(cold);
    expect(offset).toBe(0);
    expect(keyImages.map(({ keyImage }) => bytesToHex(keyImage))).toEqual(
      reference.keyImages.map(({ keyImage }) => bytesToHex(keyImage)),
    );
  });

  it('describes a set as the reference does', async () => {
    const { transactions, summary } = await describeUnsigned(cold, reference.unsigned);
    expect(snake(transactions[0]!)).toEqual(digits(asArray(reference.described.desc)[0]!));
    expect(snake(summary)).toEqual(digits(reference.described.summary!));
  });

  it('signs it: the same payment under another hash, transaction keys kept', async () => {
    const { file, transactions } = await signUnsigned(cold, reference.unsigned);
    const set = await openSignedTxSet(file, viewKey);
    const theirs = await openSignedTxSet(reference.signed, viewKey);
    const [ours, expected] = [set.transactions[0]!, theirs.transactions[0]!];
    expect(ours.keyImages).toBe(expected.keyImages);
    expect(ours.fee).toBe(expected.fee);
    expect(ours.destinations).toEqual(expected.destinations);
    expect(ours.txKey).toEqual(expected.txKey);
    expect(ours.construction.sources).toEqual(expected.construction.sources);
    expect(set.keyImages).toEqual(theirs.keyImages);
    expect(set.ownOutputs.length).toBe(1);
    const [signed] = transactions;
    expect(bytesToHex(transactionHash(parseTransaction(Uint8Array.from(Buffer.from(signed!.blob, 'hex')))))).toBe(signed!.txHash);
    expect(cold.state.signedKeys.get(signed!.txHash)).toEqual(signed!.txKeys);
  });

  it('T16 keeps all of it in a snapshot', async () => {
    expect(plain(foldEvents(snapshot(cold.state)))).toEqual(plain(cold.state));
    expect(cold.state.imported.length).toBe(2);
  });
});

describe('an honest set that looks unusual is signed', () => {
  const opened = async (file: Uint8Array) => {
    const { transactions } = await signUnsigned(cold, file);
    const tx = parseTransaction(hexToBytes(transactions[0]!.blob));
    return matchOutputs(tx, viewKey, cold.find).map(
      ({ outputIndex, derivation }) => openAmount(tx, outputIndex, derivation)?.amount,
    );
  };

  it('a payment to the wallet’s own primary address, where its change goes too', async () => {
    const moved = 10n ** 11n;
    const file = await altered(({ change, splitDestinations }) => {
      const paid = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      const more = { ...change, amount: change.amount + paid.amount - moved };
      const own = { ...change, original: reference.address, amount: moved };
      return { change: more, splitDestinations: [own, more], destinations: [own], extra: new Uint8Array() };
    });
    const { summary } = await describeUnsigned(cold, file);
    expect(summary.recipients).toEqual([{ address: reference.address, amount: moved }]);
    expect((await opened(file)).toSorted()).toEqual([moved, summary.changeAmount].toSorted());
  });

  it('nothing that comes back, and a dummy of nothing at an address of nobody', async () => {
    const dummy = { ...stranger(), original: '', amount: 0n, isSubaddress: false, isIntegrated: false };
    const file = await altered(({ change, splitDestinations }) => {
      const paid = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      const all = { ...paid, amount: paid.amount + change.amount };
      return { change: dummy, splitDestinations: [all, dummy], destinations: [all] };
    });
    expect((await describeUnsigned(cold, file)).transactions).toMatchObject([{ dummyOutputs: 1, changeAmount: 0n }]);
    expect(await opened(file)).toEqual([]);
  });
});

describe('a set that lies to the cold wallet is refused before anything is signed', () => {
  const refuses = async (code: string, change: (transaction: TxConstruction) => Partial<TxConstruction>) => {
    const before = cold.events.length;
    await expect(signUnsigned(cold, await altered(change))).rejects.toMatchObject({ code });
    expect(cold.events.length).toBe(before);
  };

  it('T1 an output said to be worth less than it is, so that the rest becomes fee', () =>
    refuses('contradictory-set', ({ sources }) => ({
      sources: first(sources, (source) => ({ ...source, amount: source.amount - 10n ** 12n })),
    })));

  it('more paid than there is', () =>
    refuses('contradictory-set', ({ splitDestinations }) => ({
      splitDestinations: first(splitDestinations, (paid) => ({ ...paid, amount: paid.amount + 10n ** 13n })),
    })));

  it('change to somebody else', () =>
    refuses('foreign-change', ({ change, splitDestinations }) => ({
      change: { ...change, ...stranger() },
      splitDestinations: splitDestinations.map((paid) => (paid.amount === change.amount ? { ...paid, ...stranger() } : paid)),
    })));

  it('T1 change of nothing at the payee’s address: what is paid there would be made with our view key, for nobody to find', () =>
    refuses('foreign-change', ({ change, splitDestinations }) => {
      const payee = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      return { change: { ...payee, amount: 0n } };
    }));

  it('change that is not among the outputs', () =>
    refuses('contradictory-set', ({ change }) => ({ change: { ...change, amount: change.amount + 10n ** 13n } })));

  it('an output that is not ours', () =>
    refuses('not-ours', ({ sources }) => ({
      sources: first(sources, (source) => ({ ...source, realOutput: (source.realOutput + 1n) % 16n })),
    })));

  it('one output spent twice', () => refuses('contradictory-set', ({ sources }) => ({ sources: [...sources, sources[0]!] })));

  it('a ring out of order', () =>
    refuses('contradictory-set', ({ sources }) => ({
      sources: first(sources, (source) => ({
        ...source,
        outputs: source.outputs.toReversed(),
        realOutput: 15n - source.realOutput,
      })),
    })));

  it('a smaller ring', () =>
    refuses('unsupported-form', ({ sources }) => ({
      sources: first(sources, (source) => ({
        ...source,
        outputs: source.outputs.filter((_, i) => i === Number(source.realOutput)),
        realOutput: 0n,
      })),
    })));

  it('older proofs, or fields in extra that it would not write', async () => {
    await refuses('unsupported-form', () => ({ rctConfig: { rangeProofType: 3, bpVersion: 3 } }));
    await refuses('unsupported-form', () => ({ flags: 1 }));
    await refuses('unsupported-form', () => ({ extra: Uint8Array.of(0xde, 1, 7) }));
    await refuses('empty-set', () => ({ sources: [] }));
  });
});

describe('between the halves', () => {
  it('files of another wallet, gaps and foreign outputs are refused', async () => {
    const { account, outputs } = await openOutputsExport(reference.outputs, viewKey);
    const seal = (made: Partial<Awaited<ReturnType<typeof openOutputsExport>>>) =>
      sealOutputsExport({ account, offset: 0, outputs, ...made }, viewKey, systemRandom);
    const swapped = { spendKey: account.viewKey, viewKey: account.spendKey };
    await expect(importOutputs(cold, await seal({ account: swapped }))).rejects.toMatchObject({ code: 'other-account' });
    await expect(importOutputs(cold, await seal({ offset: 3 }))).rejects.toMatchObject({ code: 'missing-outputs' });
    const moved = outputs.map((output) => ({ ...output, outputIndex: output.outputIndex + 1n }));
    await expect(importOutputs(cold, await seal({ outputs: moved }))).rejects.toMatchObject({ code: 'not-ours' });
    const far = outputs.map((output) => ({ ...output, outputIndex: 65_536n }));
    await expect(importOutputs(cold, await seal({ outputs: far }))).rejects.toMatchObject({ code: 'not-ours' });
    const view = await halfOf('view');
    await expect(importOutputs(view, reference.outputs)).rejects.toMatchObject({ code: 'view-only' });
    await expect(signUnsigned(view, reference.unsigned)).rejects.toMatchObject({ code: 'view-only' });
  });

  it('files of releases from 0.18.1.1 on are read, and outputs told in parts stay known', async () => {
    const { account, outputs } = await openOutputsExport(reference.outputs, viewKey);
    const seal = async (magic: string, plain: Uint8Array) =>
      concatBytes(latin1ToBytes(magic), await encryptWithSecret(plain, viewKey, systemRandom));
    const part = (offset: number, end: number, total: number) =>
      seal('Monero output export\x04', newerOutputs({ account, offset, outputs: outputs.slice(offset, end) }, total));
    const half = await halfOf('full');
    expect(await importOutputs(half, await part(0, 1, 2))).toBe(1);
    expect(await importOutputs(half, await part(1, 2, 2))).toBe(2);
    expect(await importOutputs(half, await part(0, 1, 2))).toBe(2);
    expect(half.state.imported.map((output) => output?.keyImage)).toEqual(cold.state.imported.map((output) => output?.keyImage));
    const set = newerUnsignedSet(await openUnsignedTxSet(reference.unsigned, viewKey));
    const file = await seal('Monero unsigned tx set\x05', set);
    expect(await describeUnsigned(half, file)).toEqual(await describeUnsigned(cold, reference.unsigned));
    expect((await signUnsigned(half, file)).transactions.length).toBe(1);
    expect(half.state.imported.length).toBe(2);
    expect(await importOutputs(half, await part(0, 1, 1))).toBe(1);
  });

  it('outputs exported again say the same', async () => {
    const file = await exportOutputs(cold, true);
    const [ours, theirs] = [await openOutputsExport(file, viewKey), await openOutputsExport(reference.outputs, viewKey)];
    expect(ours.outputs.map(({ flags: _, additionalPublicKeys: __, txPublicKey: ___, ...rest }) => rest)).toEqual(
      theirs.outputs.map(({ flags: _, additionalPublicKeys: __, txPublicKey: ___, ...rest }) => rest),
    );
    const other = await halfOf('full');
    expect(await importOutputs(other, file)).toBe(2);
    expect(other.state.imported.map((output) => output?.keyImage)).toEqual(cold.state.imported.map((output) => output?.keyImage));
  });

  it('the file of key images names its wallet', async () => {
    const file = await exportKeyImagesFile(cold, true);
    const view = await halfOf('view');
    const run = await openKeyImages(view, file);
    await expect(importKeyImages(view, run, undefined)).rejects.toMatchObject({ code: 'too-many-key-images' });
    const other = await halfOf('view', reference.viewKey, reference.viewKey);
    await expect(openKeyImages(other, file)).rejects.toMatchObject({ code: 'other-account' });
  });

  it('a keys file becomes a wallet', async () => {
    const { full, password, address } = reference.keysFiles;
    const { secrets, first } = await walletFromKeysFile(full, password, 'regtest', 5);
    expect(secrets.seedLanguage).toBe('German');
    expect(first[0]).toMatchObject({ type: 'Created', wallet: { kind: 'full', primaryAddress: address, createdAt: 5 } });
    await expect(walletFromKeysFile(full, password, 'stagenet', 5)).rejects.toMatchObject({ code: 'wrong-network' });
  });
});

/** Our names as the reference's; amounts as bigint on both sides. */
function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? BigInt(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), snake(inner)]),
  );
}

function digits(value: JsonValue): unknown {
  if (typeof value === 'string') return asText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return asU64(value);
  if (Array.isArray(value)) return value.map(digits);
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, inner]) => [name, digits(inner)]));
}

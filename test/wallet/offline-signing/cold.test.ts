import { beforeAll, describe, expect, it } from 'vitest';
import { asArray, asObject, asText, asU64, bytesToHex, hexToBytes, type JsonValue } from '../../../src/base/index.ts';
import {
  commit,
  derivePublicKey,
  generateKeyDerivation,
  loadCrypto,
  scalarMulBase,
  systemRandom,
} from '../../../src/crypto/index.ts';
import { eraOfOutputs, parseTransaction, transactionHash } from '../../../src/protocol/index.ts';
import { MAX_WATCHED_ADDRESSES } from '../../../src/wallet/lookahead.ts';
import { describeUnsigned } from '../../../src/wallet/offline-signing/describe.ts';
import { importCache } from '../../../src/wallet/offline-signing/import-cache.ts';
import {
  exportKeyImages,
  exportKeyImagesFile,
  importKeyImages,
  openKeyImages,
} from '../../../src/wallet/offline-signing/key-images.ts';
import { type ExportOptions, exportOutputs, importOutputs } from '../../../src/wallet/offline-signing/outputs.ts';
import { walletFromKeysFile } from '../../../src/wallet/offline-signing/reference-files.ts';
import { signUnsigned } from '../../../src/wallet/offline-signing/sets.ts';
import { projectionOf } from '../../../src/wallet/projection/index.ts';
import { snapshot } from '../../../src/wallet/state/snapshot.ts';
import { matchOutputs } from '../../../src/wallet/sync/match.ts';
import {
  type ExportedTransfer,
  type KeysFile,
  type OutputsExport,
  outputsFile,
  signedSetFile,
  type TxConstruction,
  unsignedSetFile,
} from '../../../src/wallet2/index.ts';
import { foldEvents } from '../../support/fold.ts';
import { amountOf, older, reference } from '../../wallet2/fixture.ts';
import { ownedOutput, seededRandom } from '../spend/fixtures.ts';
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
  const set = await unsignedSetFile.open(reference.unsigned, viewKey);
  const transactions = set.transactions.map((transaction) => ({ ...transaction, ...change(transaction) }));
  return unsignedSetFile.seal({ ...set, transactions }, viewKey, systemRandom);
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

  it('counts the outputs that it was told of, and calls none of them unlocked', () => {
    const told = cold.state.imported.reduce((sum, output) => sum + (output?.amount ?? 0n), 0n);
    const balances = projectionOf(cold.state).balances(1_700_000_000, () => undefined);
    expect(told).toBeGreaterThan(0n);
    expect(balances.all()).toMatchObject({ mined: told, unlocked: 0n, unspentOutputs: 2, blocksToUnlock: 9 });
  });

  it('T7 counts an output that a file tells of twice once, at its larger amount', async () => {
    const half = await halfOf('full');
    const { outputs, ...rest } = await outputsFile.open(reference.outputs, viewKey);
    const [once] = outputs;
    const twice = [once!, { ...once!, amount: once!.amount + 5n }, once!];
    expect(await importOutputs(half, await outputsFile.seal({ ...rest, outputs: twice, total: 3 }, viewKey, systemRandom))).toBe(
      3,
    );
    const balances = projectionOf(half.state).balances(1_700_000_000, () => undefined);
    expect(balances.all()).toMatchObject({ mined: once!.amount + 5n, unspentOutputs: 1 });
  });

  it('describes a set as the reference does', async () => {
    const { transactions, summary } = await describeUnsigned(cold, reference.unsigned);
    expect(snake(transactions[0]!)).toEqual(digits(asArray(reference.described.desc)[0]!));
    expect(snake(summary)).toEqual(digits(reference.described.summary!));
  });

  it('signs it: the same payment under another hash, transaction keys kept', async () => {
    const { file, transactions } = await signUnsigned(cold, reference.unsigned);
    const set = await signedSetFile.open(file, viewKey);
    const theirs = await signedSetFile.open(reference.signed, viewKey);
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
      ({ outputIndex, derivation }) => eraOfOutputs(tx).outputs.open(tx, outputIndex, derivation)?.amount,
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

describe('outputs to subaddresses that this wallet does not look out for', () => {
  const far = { major: 60, minor: 700 };
  const keys = { spendKey: reference.spendKey, viewKey };
  const paid = (name: string) => ownedOutput(keys, 3n * 10n ** 12n, seededRandom(name), far);
  const toldAs = async ({ owner }: Pick<ExportedTransfer, 'owner'>, { key, txPublicKey, outputIndex, amount } = paid('far')) => {
    const { account } = await outputsFile.open(reference.outputs, viewKey);
    const keyed = { key: hexToBytes(key), txPublicKey: hexToBytes(txPublicKey), outputIndex: BigInt(outputIndex) };
    const told: ExportedTransfer = { ...keyed, globalIndex: 5n, flags: 4, amount, additionalPublicKeys: [], owner };
    return { account, offset: 0, outputs: [told] };
  };

  it('are taken where the file says whose they are and our keys agree', async () => {
    const seal = async (owner: ExportedTransfer['owner'], compat?: '0.18.0') =>
      outputsFile.seal(await toldAs({ owner }), viewKey, systemRandom, compat);
    const half = await halfOf('full');
    await expect(importOutputs(half, await seal(far, '0.18.0'))).rejects.toMatchObject({ code: 'not-ours' });
    await expect(importOutputs(half, await seal({ major: 60, minor: 701 }))).rejects.toMatchObject({ code: 'not-ours' });
    expect(await importOutputs(half, await seal(far))).toBe(1);
    expect(half.state.imported).toMatchObject([{ subaddress: far, keyImage: paid('far').keyImage }]);
    expect((await exportKeyImages(half, true)).keyImages.length).toBe(1);
  });

  it('T6 are taken however many there are, and do not have this wallet look out for more than it can ever after', async () => {
    const half = await halfOf('full');
    const { account } = await outputsFile.open(reference.outputs, viewKey);
    // Each is as far from the last as is looked ahead: so many addresses more are looked out for with every one of them.
    const step = half.state.lookahead.major - 1;
    const outputs: ExportedTransfer[] = [];
    for (let i = 1; i <= 250; i++) {
      const owner = { major: i * step, minor: half.state.lookahead.minor - 1 };
      const { key, txPublicKey, outputIndex } = ownedOutput(keys, 1n, seededRandom(`far ${i}`), owner);
      const keyed = { key: hexToBytes(key), txPublicKey: hexToBytes(txPublicKey), outputIndex: BigInt(outputIndex) };
      outputs.push({ ...keyed, globalIndex: 5n, flags: 4, amount: 1n, additionalPublicKeys: [], owner });
    }
    const file = await outputsFile.seal({ account, offset: 0, outputs, total: outputs.length }, viewKey, systemRandom);
    expect(await importOutputs(half, file)).toBe(outputs.length);
    const { accounts, lookahead } = half.state;
    const watched = accounts.reduce((sum, { labels }) => sum + labels.length - 1 + lookahead.minor, 0);
    expect(watched).toBeGreaterThan(1_000_000);
    expect(watched).toBeLessThanOrEqual(MAX_WATCHED_ADDRESSES);
    expect(foldEvents(snapshot(half.state)).accounts.length).toBe(accounts.length);
    expect((await exportKeyImages(half, true)).keyImages.length).toBe(outputs.length);
  });

  it('are spent, and change returns to their account', async () => {
    const half = await halfOf('full');
    const output = paid('spent');
    const set = await unsignedSetFile.open(reference.unsigned, viewKey);
    const { change, ...asked } = set.transactions[0]!;
    const { spendKey, viewKey: view } = half.keys.addressKeys({ major: 60, minor: 0 });
    const source = { ...asked.sources[0]!, amount: output.amount, mask: hexToBytes(output.mask) };
    const member = { key: hexToBytes(output.key), commitment: commit(output.amount, source.mask) };
    const outputs = source.outputs.map((one, i) => (i === Number(source.realOutput) ? { ...one, ...member } : one));
    const keyed = { txPublicKey: hexToBytes(output.txPublicKey), outputIndex: BigInt(output.outputIndex) };
    const returned = { ...change, spendKey, viewKey: view, isSubaddress: true, amount: 10n ** 12n };
    const payee = asked.splitDestinations.find(({ amount }) => amount !== change.amount)!;
    const splitDestinations = [{ ...payee, amount: 10n ** 12n }, returned];
    const told = { ...(await toldAs({ owner: far }, output)), total: 1 };
    const sources = [{ ...source, ...keyed, outputs }];
    const transactions = [{ ...asked, sources, change: returned, splitDestinations, account: 60 }];
    const file = await unsignedSetFile.seal({ transactions, ...told }, viewKey, systemRandom);
    const signed = await signedSetFile.open((await signUnsigned(half, file)).file, viewKey);
    expect(signed.keyImages.map(bytesToHex)).toEqual([output.keyImage]);
    expect(signed.ownOutputs.length).toBe(1);
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

  it('T1 change to an address of ours that no wallet looks out for, which a file says is paid', async () => {
    const half = await halfOf('full');
    const far = { major: 0xffff_fff0, minor: 0xffff_fff1 };
    const keys = { spendKey: reference.spendKey, viewKey };
    const told = ownedOutput(keys, 1n, seededRandom('far'), far);
    const set = await unsignedSetFile.open(reference.unsigned, viewKey);
    const { change, splitDestinations } = set.transactions[0]!;
    const keyed = { key: hexToBytes(told.key), txPublicKey: hexToBytes(told.txPublicKey), outputIndex: BigInt(told.outputIndex) };
    const output = { ...keyed, globalIndex: 5n, flags: 4, amount: 1n, additionalPublicKeys: [], owner: far };
    for (const index of [far, { ...far, minor: 0 }]) {
      const { spendKey, viewKey: view } = half.keys.addressKeys(index);
      const returned = { ...change, spendKey, viewKey: view, isSubaddress: true };
      const split = splitDestinations.map((paid) => (paid.amount === change.amount ? returned : paid));
      const transactions = [{ ...set.transactions[0]!, change: returned, splitDestinations: split }];
      const outputs = [...set.outputs, output];
      const file = await unsignedSetFile.seal({ ...set, transactions, outputs, total: outputs.length }, viewKey, systemRandom);
      await expect(signUnsigned(half, file)).rejects.toMatchObject({ code: 'foreign-change' });
    }
  });

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

  it('T3 version 1, of what a ring can hide', async () => {
    const alone = ({ sources }: TxConstruction) =>
      sources.map((source) => ({ ...source, outputs: [source.outputs[Number(source.realOutput)]!], realOutput: 0n }));
    await refuses('unsupported-form', (asked) => ({ flags: 2, sources: alone(asked) }));
    const clear = (sources: TxConstruction['sources']) => sources.map((source) => ({ ...source, rct: false }));
    await refuses('unsupported-form', ({ sources }) => ({ flags: 2, sources: clear(sources) }));
    await refuses('unsupported-form', (asked) => ({ flags: 2, sources: clear(alone(asked)) }));
    await refuses('unsupported-form', (asked) => ({ flags: 2, sources: clear(alone(asked)), splitDestinations: [] }));
  });
});

describe('between the halves', () => {
  it('files of another wallet, gaps and foreign outputs are refused', async () => {
    const { account, outputs } = await outputsFile.open(reference.outputs, viewKey);
    const seal = (made: Partial<OutputsExport>) =>
      outputsFile.seal({ account, offset: 0, outputs, ...made }, viewKey, systemRandom);
    const swapped = { spendKey: account.viewKey, viewKey: account.spendKey };
    await expect(importOutputs(cold, await seal({ account: swapped }))).rejects.toMatchObject({ code: 'other-account' });
    await expect(importOutputs(cold, await seal({ offset: 3 }))).rejects.toMatchObject({ code: 'missing-outputs' });
    const moved = outputs.map((output) => ({ ...output, outputIndex: output.outputIndex + 1n }));
    await expect(importOutputs(cold, await seal({ outputs: moved }))).rejects.toMatchObject({ code: 'not-ours' });
    // It opens at that place, where no transaction has an output.
    const far = first(outputs, (output) => {
      const derivation = generateKeyDerivation(output.txPublicKey, viewKey)!;
      return { ...output, outputIndex: 65_536n, key: derivePublicKey(derivation, 65_536, account.spendKey)! };
    });
    await expect(importOutputs(cold, await seal({ outputs: far }))).rejects.toMatchObject({ code: 'not-ours' });
    const view = await halfOf('view');
    await expect(importOutputs(view, reference.outputs)).rejects.toMatchObject({ code: 'view-only' });
    expect(await importOutputs(view, await seal({ outputs: [] }))).toBe(0);
    await expect(signUnsigned(view, reference.unsigned)).rejects.toMatchObject({ code: 'view-only' });
  });

  it('outputs told in parts stay known, as far as the file says there are any', async () => {
    const { account, outputs } = await outputsFile.open(reference.outputs, viewKey);
    const part = (offset: number, end: number, total: number) =>
      outputsFile.seal({ account, offset, outputs: outputs.slice(offset, end), total }, viewKey, systemRandom);
    const half = await halfOf('full');
    expect(await importOutputs(half, await part(0, 1, 2))).toBe(1);
    expect(await importOutputs(half, await part(1, 2, 2))).toBe(2);
    // Of every part the key images are wanted.
    expect(await exportKeyImages(half)).toMatchObject({ offset: 0, keyImages: { length: 2 } });
    expect(await importOutputs(half, await part(0, 1, 2))).toBe(2);
    expect(half.state.imported.map((output) => output?.keyImage)).toEqual(cold.state.imported.map((output) => output?.keyImage));
    expect(await importOutputs(half, await part(2, 2, 2))).toBe(0);
    expect(half.state.imported.length).toBe(2);
    await expect(importOutputs(half, await part(0, 2, 1))).rejects.toMatchObject({ code: 'outputs-beyond-total' });
    expect(await importOutputs(half, await part(0, 1, 1))).toBe(1);
    expect(half.state.imported.length).toBe(1);
  });

  it('files of 0.18.0 are read: outputs, and a set that is described and signed', async () => {
    const half = await halfOf('full', older.spendKey, older.viewKey);
    expect(await importOutputs(half, older.outputs)).toBe(2);
    const images = older.keyImages.map(({ keyImage }) => bytesToHex(keyImage));
    expect(half.state.imported.map((output) => output?.keyImage)).toEqual(images);
    expect((await describeUnsigned(half, older.unsigned)).summary.fee).toBe(amountOf(asObject(older.described.summary), 'fee'));
    expect((await signUnsigned(half, older.unsigned)).transactions.length).toBe(1);
    expect(half.state.imported.length).toBe(2);
  });

  it('a part of the outputs is exported as asked for, or refused', async () => {
    const told = async (options: ExportOptions) => {
      const { offset, outputs, total } = await outputsFile.open(await exportOutputs(cold, options), viewKey);
      return [offset, outputs.length, total];
    };
    expect(await told({ all: true })).toEqual([0, 2, 2]);
    expect(await told({ all: true, count: 1 })).toEqual([0, 1, 2]);
    expect(await told({ all: true, start: 1, count: 5 })).toEqual([1, 1, 2]);
    expect(await told({ all: true, start: 7 })).toEqual([7, 0, 2]);
    expect(await told({ all: true, compat: '0.18.0' })).toEqual([0, 2, undefined]);
    await expect(exportOutputs(cold, { count: 0 })).rejects.toMatchObject({ code: 'nothing-requested' });
    await expect(exportOutputs(cold, { start: 1 })).rejects.toMatchObject({ code: 'start-without-all' });
  });

  it('outputs exported again say the same', async () => {
    const file = await exportOutputs(cold, { all: true });
    const [ours, theirs] = [await outputsFile.open(file, viewKey), await outputsFile.open(reference.outputs, viewKey)];
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

  it.each([
    [1, 2 ** 32],
    [2 ** 32, 1],
    [2 ** 32, 2 ** 32],
    [3, 4_000],
  ])(
    'T6 a keys file that looks ahead to %i accounts and %i addresses has a wallet look no further than it can',
    async (major, minor) => {
      const none = { bytes: undefined, password: '', kdfRounds: 1 };
      const keys = { lookahead: { major, minor } } as KeysFile;
      const [created] = snapshot(cold.state);
      const { lookahead, accounts } = foldEvents([created!, ...(await importCache(keys, none, 'regtest', systemRandom))]);
      expect((accounts.length + lookahead.major) * lookahead.minor).toBeLessThanOrEqual(MAX_WATCHED_ADDRESSES);
      if (minor === 4_000) expect(lookahead).toEqual({ major: 50, minor });
    },
  );

  it('a keys file becomes a wallet', async () => {
    const { full, password, address } = reference.keysFiles;
    const { secrets, first } = await walletFromKeysFile({ keys: full }, password, 'regtest', 5, systemRandom);
    expect(secrets.seedLanguage).toBe('German');
    expect(first[0]).toMatchObject({ type: 'Created', wallet: { kind: 'full', primaryAddress: address, createdAt: 5 } });
    await expect(walletFromKeysFile({ keys: full }, password, 'stagenet', 5, systemRandom)).rejects.toMatchObject({
      code: 'wrong-network',
    });
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
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return asU64(value);
  if (Array.isArray(value)) return value.map(digits);
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, inner]) => [name, digits(inner)]));
}

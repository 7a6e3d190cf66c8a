import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../src/base/index.ts';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { Untrusted } from '../../../src/daemon/index.ts';
import { type KeyImage, type OutputKey, toAtomicAmount } from '../../../src/protocol/model.ts';
import type { OwnedOutput } from '../../../src/wallet/model.ts';
import type { TrustedDaemon } from '../../../src/wallet/offline-signing/context.ts';
import { importKeyImages } from '../../../src/wallet/offline-signing/key-images.ts';
import { outputsToExport } from '../../../src/wallet/offline-signing/outputs.ts';
import { importSignedImages } from '../../../src/wallet/offline-signing/submit.ts';
import { holdOf, projectionOf, rescannedFrom } from '../../../src/wallet/projection/index.ts';
import { snapshot } from '../../../src/wallet/state/snapshot.ts';
import { outputsFile, signedSetFile, TRANSFER_FLAGS } from '../../../src/wallet2/index.ts';
import { foldEvents } from '../../support/fold.ts';
import { reference } from '../../wallet2/fixture.ts';
import { block, hash, output, plain, spend, synced } from '../support.ts';
import { type Half, halfOf } from './support.ts';

let view: Half;
let owned: OwnedOutput[];
const images = reference.keyImages.map(({ keyImage }) => bytesToHex(keyImage) as KeyImage);
const run = { offset: 0, keyImages: reference.keyImages };

beforeAll(async () => {
  await loadCrypto();
  const { outputs } = await outputsFile.open(reference.outputs, reference.viewKey);
  owned = outputs.map((told, i) => ({
    ...output({ seed: i, height: 100 + i, tx: `tx ${i}` }),
    key: bytesToHex(told.key) as OutputKey,
    amount: toAtomicAmount(told.amount),
    txPublicKey: bytesToHex(told.txPublicKey),
    outputIndex: Number(told.outputIndex),
    keyImage: undefined,
  }));
});

beforeEach(async () => {
  view = await halfOf('view');
  await view.append([synced(0, 150, owned, [])], 'relaxed');
});

const folded = () => plain(foldEvents(snapshot(view.state)));
const hold = (i: number) => holdOf(view.state, view.state.outputs.get(owned[i]!.key)!, 1_000);

/** A daemon that says this of the key images, and knows no transaction. */
function daemonOf(statuses: readonly ('unspent' | 'spent' | 'pool')[]): TrustedDaemon {
  return {
    isKeyImageSpent: async () => new Untrusted(statuses),
    getTransactions: async () => new Untrusted({ transactions: [], missed: [] }),
  } as unknown as TrustedDaemon;
}

describe('key images come to a view-only wallet', () => {
  it('without a trusted daemon nothing is asked, and a scan is proposed', async () => {
    const imported = await importKeyImages(view, run, undefined);
    expect(imported).toEqual({ height: 101, spent: 0n, unspent: owned[0]!.amount + owned[1]!.amount, scanFrom: 100 });
    expect([...view.state.outputs.values()].map((entry) => entry.output.keyImage)).toEqual(images);
    expect([hold(0), hold(1)]).toEqual([undefined, undefined]);
    expect(folded()).toEqual(plain(view.state));
    expect((await importKeyImages(view, run, undefined)).scanFrom).toBeUndefined();
  });

  it('says what it cannot see: key images that are missing, then spends that no scan has met since they came', async () => {
    expect(projectionOf(view.state).unseenSpends()).toEqual({ coins: 2, scanFrom: undefined });
    await importKeyImages(view, { ...run, keyImages: run.keyImages.slice(0, 1) }, undefined);
    expect(projectionOf(view.state).unseenSpends()).toEqual({ coins: 1, scanFrom: 100 });
    await importKeyImages(view, { offset: 1, keyImages: run.keyImages.slice(1) }, undefined);
    expect(projectionOf(view.state).unseenSpends()).toEqual({ coins: 0, scanFrom: 100 });
    expect(projectionOf(foldEvents(snapshot(view.state))).unseenSpends()).toEqual({ coins: 0, scanFrom: 100 });
    expect([rescannedFrom(view.state, 101), rescannedFrom(view.state, 100)].map((events) => events.length)).toEqual([0, 1]);
    await view.append(rescannedFrom(view.state, 100), 'strict');
    expect(projectionOf(view.state).unseenSpends()).toBeUndefined();
  });

  it('a trusted daemon’s word on all of them leaves nothing unseen', async () => {
    await importKeyImages(view, run, undefined);
    await importKeyImages(view, run, daemonOf(['unspent', 'unspent']));
    expect(projectionOf(view.state).unseenSpends()).toBeUndefined();
  });

  it('what comes to the account’s first address after a coin could be spent unseen may be change, and nothing else', async () => {
    const came = (height: number, where: Partial<OwnedOutput> = {}): OwnedOutput =>
      ({ ...output({ seed: height, height, tx: `at ${height}` }), keyImage: undefined, ...where }) as OwnedOutput;
    const elsewhere = { subaddress: { major: 0, minor: 3 } };
    await view.append(
      [
        synced(
          151,
          200,
          [came(160), came(161, elsewhere), came(162, { coinbase: true }), came(163, { subaddress: { major: 1, minor: 0 } })],
          [],
        ),
      ],
      'relaxed',
    );
    const marked = () =>
      projectionOf(view.state)
        .history(0)
        .filter(({ perhapsChange }) => perhapsChange)
        .map(({ height }) => height);
    expect(owned.map(({ subaddress }) => subaddress.major)).toEqual([0, 0]);
    expect(marked()).toEqual([160]);
    const images = view.state.unspent;
    await view.append(
      [{ type: 'KeyImagesImported', images: [...images].map((key) => ({ key, keyImage: hash(`image ${key}`) as KeyImage })) }],
      'strict',
    );
    expect(marked()).toEqual([]);
  });

  it('a trusted daemon tells what is spent; a scan places it later', async () => {
    const imported = await importKeyImages(view, run, daemonOf(['spent', 'pool']));
    expect(imported).toMatchObject({ spent: owned[0]!.amount + owned[1]!.amount, unspent: 0n, scanFrom: 100 });
    expect([hold(0), hold(1)]).toEqual(['spent', undefined]);
    expect(view.state.unspent.has(owned[0]!.key)).toBe(false);
    expect(folded()).toEqual(plain(view.state));
    await view.append([synced(151, 160, [], [spend(images[0]!, 'sweep', 155)])], 'relaxed');
    expect(view.state.unplacedSpends.size).toBe(0);
    expect(view.state.outputs.get(owned[0]!.key)?.spend?.height).toBe(155);
  });

  it('an answer of another length is no answer', async () => {
    await expect(importKeyImages(view, run, daemonOf(['spent']))).rejects.toMatchObject({ code: 'bad-daemon-answer' });
  });

  it('only with the signature of the output’s owner, all or none', async () => {
    const [one, two] = reference.keyImages as [(typeof reference.keyImages)[0], (typeof reference.keyImages)[0]];
    const take = (offset: number, keyImages: typeof reference.keyImages) =>
      importKeyImages(view, { offset, keyImages }, daemonOf(['spent', 'spent']));
    await expect(take(0, [two, one])).rejects.toMatchObject({ code: 'bad-signature' });
    await expect(take(1, [two, one])).rejects.toMatchObject({ code: 'too-many-key-images' });
    await expect(take(3, [])).rejects.toMatchObject({ code: 'missing-outputs' });
    const notInSubgroup = { ...one, keyImage: new Uint8Array(32) };
    await expect(take(0, [notInSubgroup])).rejects.toMatchObject({ code: 'bad-key-image' });
    expect(view.state.keyImages.size).toBe(0);
    expect(await importKeyImages(view, { offset: 0, keyImages: [] }, undefined)).toMatchObject({ height: 0, spent: 0n });
  });

  it('T16 they outlive a rewind and a rescan', async () => {
    await importKeyImages(view, run, daemonOf(['spent', 'unspent']));
    await view.append([{ type: 'Rewound', height: 101, parent: block(100).id }], 'relaxed');
    expect(hold(0)).toBe('spent');
    await view.append([synced(101, 150, [owned[1]!], [])], 'relaxed');
    expect(view.state.outputs.get(owned[1]!.key)?.output.keyImage).toBe(images[1]);
    await view.append([{ type: 'RestoreHeightSet', height: 0 }], 'relaxed');
    expect(view.state.outputs.size + view.state.unplacedSpends.size).toBe(0);
    await view.append([synced(0, 150, owned, [spend(images[0]!, 'sweep', 120)])], 'relaxed');
    expect([hold(0), hold(1)]).toEqual(['spent', undefined]);
    expect(folded()).toEqual(plain(view.state));
  });
});

describe('a signed set tells key images, of change before the chain shows it', () => {
  it('change is known at once and its proof still asked for', async () => {
    const set = await signedSetFile.open(reference.signed, reference.viewKey);
    await importSignedImages(view, set);
    expect([...view.state.outputs.values()].map((entry) => entry.output.keyImage)).toEqual(images);
    const [key, image] = set.ownOutputs[0]!;
    const change = { ...output({ seed: 9, height: 160 }), key: bytesToHex(key) as OutputKey, keyImage: undefined };
    await view.append([synced(151, 160, [change], [])], 'relaxed');
    expect(view.state.outputs.get(change.key)?.output.keyImage).toBe(bytesToHex(image));
    const { offset, outputs } = outputsToExport(view.state);
    expect(offset).toBe(2);
    expect(outputs.map(({ flags }) => flags)).toEqual([
      TRANSFER_FLAGS.rct | TRANSFER_FLAGS.keyImageKnown | TRANSFER_FLAGS.keyImageRequested,
    ]);
    expect(folded()).toEqual(plain(view.state));
    await view.append(
      [{ type: 'KeyImagesImported', images: [{ key: change.key, keyImage: bytesToHex(image) as KeyImage }] }],
      'strict',
    );
    expect(outputsToExport(view.state)).toMatchObject({ offset: 3, outputs: [], total: 3 });
    // Never empty for older programs: they would forget what they have.
    expect(outputsToExport(view.state, { compat: '0.18.0' })).toMatchObject({
      offset: 2,
      outputs: [{ flags: TRANSFER_FLAGS.rct | TRANSFER_FLAGS.keyImageKnown }],
    });
  });

  it('those of its inputs are taken from the transactions where the list by position is short', async () => {
    const set = await signedSetFile.open(reference.signed, reference.viewKey);
    await importSignedImages(view, { ...set, keyImages: [] });
    const spent = new Set(
      set.transactions[0]!.construction.sources.map((one) => bytesToHex(one.outputs[Number(one.realOutput)]!.key)),
    );
    expect(spent.size).toBeGreaterThan(0);
    for (const [key, { output: found }] of view.state.outputs) {
      const position = owned.findIndex((one) => one.key === key);
      expect(found.keyImage).toBe(spent.has(key) ? images[position] : undefined);
    }
  });

  it('more of them than outputs, or points that are no key images, are refused', async () => {
    const set = await signedSetFile.open(reference.signed, reference.viewKey);
    const many = { ...set, keyImages: [...set.keyImages, set.keyImages[0]!] };
    await expect(importSignedImages(view, many)).rejects.toMatchObject({ code: 'too-many-key-images' });
    const bad = { ...set, keyImages: [Uint8Array.from(Buffer.from(hash('no point'), 'hex')).fill(2, 0, 31)] };
    await expect(importSignedImages(view, bad)).rejects.toMatchObject({ code: 'bad-key-image' });
    expect(view.state.keyImages.size).toBe(0);
  });
});

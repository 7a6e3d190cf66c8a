import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asciiToBytes, bytesToHex, stringifyJson } from '../../../src/base/index.ts';
import { loadCrypto, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import { buildExtra, decodeAddress, encodeAddress } from '../../../src/protocol/index.ts';
import { type KeyImage, type OutputKey, toAtomicAmount } from '../../../src/protocol/model.ts';
import { decodeTextFile, fileBytes, keyImagesOfReply } from '../../../src/wallet/offline-signing/file-bytes.ts';
import { importKeyImages } from '../../../src/wallet/offline-signing/key-images.ts';
import { reviewSigned, reviewUnsigned } from '../../../src/wallet/offline-signing/review.ts';
import { signUnsigned } from '../../../src/wallet/offline-signing/sets.ts';
import {
  importSignedImages,
  relayMetadata,
  sentTransactionOf,
  submitSigned,
} from '../../../src/wallet/offline-signing/submit.ts';
import type { SpendContext } from '../../../src/wallet/spend/index.ts';
import { writeAll } from '../../../src/wallet2/archive.ts';
import {
  decodeTxMetadata,
  outputsFile,
  type PendingTx,
  signedSetFile,
  type TxConstruction,
  type TxDestination,
  USE_RCT,
  unsignedSetFile,
} from '../../../src/wallet2/index.ts';
import { multisigPendingTx } from '../../../src/wallet2/pending-tx.ts';
import { reference } from '../../wallet2/fixture.ts';
import { output, spend, synced } from '../support.ts';
import { addressText, type Half, halfOf } from './support.ts';

const { viewKey } = reference;
let cold: Half;
let view: Half;

beforeAll(async () => {
  await loadCrypto();
  cold = await halfOf('full');
});

/** The view-only half has seen the outputs that the fixture's sets spend. */
beforeEach(async () => {
  view = await halfOf('view');
  const { outputs } = await outputsFile.open(reference.outputs, viewKey);
  const owned = outputs.map((told, i) => ({
    ...output({ seed: i, height: 100 + i, tx: `tx ${i}` }),
    key: bytesToHex(told.key) as OutputKey,
    amount: toAtomicAmount(told.amount),
    keyImage: undefined,
  }));
  await view.append([synced(0, 150, owned, [])], 'relaxed');
});

async function unsignedWith(change: (transaction: TxConstruction) => Partial<TxConstruction>): Promise<Uint8Array> {
  const set = await unsignedSetFile.open(reference.unsigned, viewKey);
  const transactions = set.transactions.map((one) => ({ ...one, ...change(one) }));
  return unsignedSetFile.seal({ ...set, transactions }, viewKey, systemRandom);
}

async function signedWith(change: (pending: PendingTx) => Partial<PendingTx>): Promise<Uint8Array> {
  const set = await signedSetFile.open(reference.signed, viewKey);
  const transactions = set.transactions.map((one) => ({ ...one, ...change(one) }));
  return signedSetFile.seal({ ...set, transactions }, viewKey, systemRandom);
}

const scalarOf = (value: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? value : 0));

const stranger = () => {
  const key = scalarMulBase(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : 0)));
  return { spendKey: key, viewKey: key, isSubaddress: false };
};

describe('before it signs, a wallet shows a set it has checked', () => {
  it('T1 a payment id that is signed is shown, also where the set says the plain address was written', async () => {
    const asked = await reviewUnsigned(cold, reference.unsigned);
    const plainly = ({ original, ...paid }: TxDestination) => ({ ...paid, original: original === '' ? '' : addressText(paid) });
    const file = await unsignedWith(({ splitDestinations, destinations }) => ({
      splitDestinations: splitDestinations.map(plainly),
      destinations: destinations.map(plainly),
    }));
    expect((await reviewUnsigned(cold, file)).recipients).toEqual(asked.recipients);
    expect(asked.recipients.map(({ address }) => decodeAddress(address, 'regtest').kind)).toEqual(['integrated']);
  });

  it('T1 a payment id beside a subaddress, which no address says, is refused', async () => {
    const file = await unsignedWith(({ splitDestinations, change }) => ({
      splitDestinations: splitDestinations.map((paid) => ({ ...paid, isSubaddress: paid.amount !== change.amount })),
    }));
    await expect(reviewUnsigned(cold, file)).rejects.toMatchObject({ code: 'unsupported-form' });
  });

  it('T1 one address under two payment ids is two recipients: a second transaction pays no other account of an exchange unseen', async () => {
    const set = await unsignedSetFile.open(reference.unsigned, viewKey);
    const [asked] = set.transactions;
    const withId = (construction: TxConstruction, sources: TxConstruction['sources'], bytes: Uint8Array): TxConstruction => {
      const { change, splitDestinations } = construction;
      const payee = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      const spent = sources.reduce((sum, { amount }) => sum + amount, 0n);
      const back = { ...change, amount: spent - 10n ** 11n - 10n ** 10n };
      const extra = buildExtra({ pubKey: change.spendKey, paymentId: { kind: 'encrypted', bytes } });
      return { ...construction, sources, extra, change: back, splitDestinations: [{ ...payee, amount: 10n ** 11n }, back] };
    };
    const ids = [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1)];
    const transactions = ids.map((id, i) => withId(asked!, [asked!.sources[i]!], id));
    const file = await unsignedSetFile.seal({ ...set, transactions }, viewKey, systemRandom);
    const { recipients } = await reviewUnsigned(cold, file);
    const shown = recipients.map(({ address }) => decodeAddress(address, 'regtest').paymentId);
    expect(shown).toEqual(ids);
  });

  it('T1 one address told to be of two kinds in one transaction is refused: its keys would be found by neither', async () => {
    const file = await unsignedWith(({ splitDestinations, change }) => {
      const payee = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      const split = [
        { ...payee, amount: payee.amount - 1n, isSubaddress: true },
        { ...payee, amount: 1n, isSubaddress: false },
        change,
      ];
      return { splitDestinations: split, extra: new Uint8Array() };
    });
    await expect(reviewUnsigned(cold, file)).rejects.toMatchObject({ code: 'contradictory-set' });
  });

  it('says what the reference says, and takes nothing in', async () => {
    const { summary } = reference.described as unknown as {
      summary: { recipients: { address: string; amount: number }[]; fee: number; change_amount: number };
    };
    expect(await reviewUnsigned(cold, reference.unsigned)).toEqual({
      recipients: summary.recipients.map(({ address, amount }) => ({ address, amount: BigInt(amount) })),
      fee: BigInt(summary.fee),
      change: BigInt(summary.change_amount),
      transactions: 1,
      // It spends from the primary address and a subaddress (T11).
      warnings: ['links-subaddresses'],
    });
    expect(cold.events.length).toBe(0);
  });

  it('T1 a lie shows before the person is asked; the half that cannot sign shows what it wrote', async () => {
    const lie = await unsignedWith(({ sources }) => ({
      sources: sources.map((source, i) => (i === 0 ? { ...source, amount: source.amount + 10n ** 12n } : source)),
    }));
    await expect(reviewUnsigned(cold, lie)).rejects.toMatchObject({ code: 'contradictory-set' });
    expect((await reviewUnsigned(view, lie)).transactions).toBe(1);
  });

  it('a set for another network, and one without transactions', async () => {
    const elsewhere = encodeAddress({ network: 'stagenet', kind: 'standard', ...stranger() });
    const file = await unsignedWith(({ splitDestinations }) => ({
      splitDestinations: splitDestinations.map((paid) => ({ ...paid, original: elsewhere })),
    }));
    const refused = { code: 'wrong-network', data: { network: 'stagenet' } };
    await expect(reviewUnsigned(cold, file)).rejects.toMatchObject(refused);
    const set = await unsignedSetFile.open(reference.unsigned, viewKey);
    const empty = await unsignedSetFile.seal({ ...set, transactions: [] }, viewKey, systemRandom);
    await expect(reviewUnsigned(cold, empty)).rejects.toMatchObject({ code: 'empty-set' });
  });

  it('warns of a fee above what is paid, and of an unlock time, which the half that signs refuses', async () => {
    const file = await unsignedWith(({ splitDestinations, change }) => ({
      unlockTime: 5n,
      splitDestinations: splitDestinations.map((paid) => (paid.amount === change.amount ? paid : { ...paid, amount: 1n })),
    }));
    await expect(reviewUnsigned(cold, file)).rejects.toMatchObject({ code: 'locked-transaction' });
    expect((await reviewUnsigned(view, file)).warnings).toEqual([
      'unlock-time-not-relayed',
      'links-subaddresses',
      'fee-above-amount',
    ]);
  });
});

it('of a set in rings of one, a wallet says that coins and amounts are in the open', async () => {
  const file = await unsignedWith(({ flags }) => ({ flags: flags & ~USE_RCT }));
  expect((await reviewUnsigned(view, file)).warnings).toContain('all-in-the-open');
});

describe('before it sends, a view-only wallet holds a signed set against its transactions', () => {
  it('amounts, fee and change are those of the unsigned set', async () => {
    const asked = await reviewUnsigned(cold, reference.unsigned);
    expect(await reviewSigned(view, reference.signed)).toEqual({ ...asked, txHashes: [reference.signedHash] });
  });

  it('T1 a description that pays more or less than the transaction is refused', async () => {
    const paid = async (more: bigint) =>
      signedWith(({ construction }) => ({
        construction: {
          ...construction,
          splitDestinations: construction.splitDestinations.map((one) =>
            one.amount === construction.change.amount ? one : { ...one, amount: one.amount + more },
          ),
        },
      }));
    await expect(reviewSigned(view, await paid(1n))).rejects.toMatchObject({ code: 'contradictory-set' });
    await expect(reviewSigned(view, await paid(-1n))).rejects.toMatchObject({ code: 'contradictory-set' });
  });

  it('a payment to somebody else said to be change is refused', async () => {
    const file = await signedWith(({ construction }) => ({
      construction: {
        ...construction,
        splitDestinations: construction.splitDestinations.map((one) =>
          one.amount === construction.change.amount ? one : { ...one, ...view.keys.primary },
        ),
      },
    }));
    await expect(reviewSigned(view, file)).rejects.toMatchObject({ code: 'contradictory-set' });
  });

  it('inputs that are not those described, or that this wallet has not seen, are refused', async () => {
    const file = await signedWith(({ construction }) => ({
      construction: { ...construction, sources: construction.sources.toReversed() },
    }));
    await expect(reviewSigned(view, file)).rejects.toMatchObject({ code: 'contradictory-set' });
    await expect(reviewSigned(await halfOf('view'), reference.signed)).rejects.toMatchObject({ code: 'not-ours' });
  });

  describe('T1 a transaction that is not what its set says is neither reviewed nor sent', () => {
    const noSpending = {} as SpendContext;
    const refuses = async (file: Uint8Array, code = 'contradictory-set') => {
      const before = view.events.length;
      await expect(reviewSigned(view, file)).rejects.toMatchObject({ code });
      await expect(submitSigned(view, noSpending, file)).rejects.toMatchObject({ code });
      expect(view.events.length).toBe(before);
    };
    /** Signed otherwise than it says: the words are those of the set that was asked for. */
    const signedOtherwise = async (change: (transaction: TxConstruction) => Partial<TxConstruction>) => {
      const [asked] = (await unsignedSetFile.open(reference.unsigned, viewKey)).transactions;
      const half = await halfOf('full');
      const set = await signedSetFile.open((await signUnsigned(half, await unsignedWith(change))).file, viewKey);
      const words = { change: asked!.change, splitDestinations: asked!.splitDestinations };
      const transactions = set.transactions.map(({ construction, ...one }) => ({
        ...one,
        change: asked!.change,
        construction: { ...construction, ...words },
      }));
      return signedSetFile.seal({ ...set, transactions }, viewKey, systemRandom);
    };

    it('another fee: less returns than it says', async () => {
      const less = (paid: TxDestination) => ({ ...paid, amount: paid.amount - 10n ** 11n });
      await refuses(
        await signedOtherwise(({ change, splitDestinations }) => ({
          change: less(change),
          splitDestinations: splitDestinations.map((paid) => (paid.amount === change.amount ? less(paid) : paid)),
        })),
      );
    });

    it('an added output, out of what is paid to another', async () => {
      await refuses(
        await signedOtherwise(({ change, splitDestinations }) => ({
          extra: new Uint8Array(),
          splitDestinations: splitDestinations.flatMap((paid) =>
            paid.amount === change.amount
              ? [paid]
              : [
                  { ...paid, amount: paid.amount - 5n },
                  { ...paid, ...stranger(), amount: 5n },
                ],
          ),
        })),
      );
    });

    it('an unlock time that it does not say', async () => {
      await refuses(await signedWith(({ transaction }) => ({ transaction: { ...transaction, unlockTime: 1_000n } })));
    });

    it('another ring', async () => {
      const file = await signedWith(({ construction }) => ({
        construction: {
          ...construction,
          sources: construction.sources.map((source) => ({
            ...source,
            outputs: source.outputs.map((one, i) => (i === 0 ? { ...one, globalIndex: one.globalIndex + 1n } : one)),
          })),
        },
      }));
      await refuses(file);
    });

    it('a transaction key that is not that of the transaction', async () => {
      await refuses(await signedWith(() => ({ txKey: scalarOf(7) })));
      const signed = await signedSetFile.open(reference.signed, viewKey);
      expect(signed.transactions[0]!.txKey).toEqual(scalarOf(1));
      const metadata = decodeTxMetadata(reference.metadata);
      expect(sentTransactionOf(view, metadata).txKeys).toEqual([reference.metadataKey]);
      expect(() => sentTransactionOf(view, { ...metadata, txKey: scalarOf(7) })).toThrow(
        expect.objectContaining({ code: 'contradictory-set' }),
      );
    });

    it('a transaction that signers of a group have yet to sign', async () => {
      const attempt = { ignored: [], usedNonces: [], signingKeys: [], nonceSums: [], nonceSumsImage: [], c1: [], s: [] };
      const pending = { ...decodeTxMetadata(reference.metadata), attempts: [attempt], keyEntropy: new Uint8Array(32) };
      const relayed = relayMetadata(view, {} as SpendContext, writeAll(multisigPendingTx, pending));
      await expect(relayed).rejects.toMatchObject({ code: 'unsupported-kind' });
    });

    it('an input whose key image is known, by its proof, to be another one', async () => {
      const set = await signedSetFile.open(reference.signed, viewKey);
      const [source] = set.transactions[0]!.construction.sources;
      const key = bytesToHex(source!.outputs[Number(source!.realOutput)]!.key) as OutputKey;
      await view.append([{ type: 'KeyImagesImported', images: [{ key, keyImage: '07'.repeat(32) as KeyImage }] }], 'strict');
      await refuses(reference.signed);
    });
  });

  it('a payment to the wallet’s own primary address, where change goes too, is what it says', async () => {
    const file = await unsignedWith(({ change, splitDestinations }) => {
      const paid = splitDestinations.find(({ amount }) => amount !== change.amount)!;
      const more = { ...change, amount: change.amount + paid.amount - 5n };
      const own = { ...change, original: reference.address, amount: 5n };
      return { change: more, splitDestinations: [own, more], destinations: [own], extra: new Uint8Array() };
    });
    const asked = await reviewUnsigned(cold, file);
    const signed = await signUnsigned(await halfOf('full'), file);
    expect(await reviewSigned(view, signed.file)).toMatchObject({
      ...asked,
      recipients: [{ address: reference.address, amount: 5n }],
    });
  });

  it('key images of a signed set that are known to be another output’s are not taken', async () => {
    const [one, two] = reference.keyImages;
    await importKeyImages(view, { offset: 0, keyImages: [one!] }, undefined);
    const set = await signedSetFile.open(reference.signed, viewKey);
    const images = () => [...view.state.outputs.values()].map((entry) => entry.output.keyImage);
    const swapped = { ...set, transactions: [], keyImages: [two!.keyImage, one!.keyImage] };
    await importSignedImages(view, { ...swapped, ownOutputs: [[stranger().spendKey, one!.keyImage]] });
    expect(images()).toEqual([bytesToHex(one!.keyImage), undefined]);
    expect(view.state.keyImages.size).toBe(1);
    await importSignedImages(view, { ...set, transactions: [] });
    expect(images()).toEqual([one, two].map((image) => bytesToHex(image!.keyImage)));
  });

  it('what is spent, or was sent, is said so', async () => {
    await importKeyImages(view, { offset: 0, keyImages: reference.keyImages }, undefined);
    expect((await reviewSigned(view, reference.signed)).transactions).toBe(1);
    const images = reference.keyImages.map(({ keyImage }) => bytesToHex(keyImage) as KeyImage);
    const other = images.map((image) => spend(image, 'elsewhere', 155));
    await view.append([synced(151, 160, [], other)], 'relaxed');
    await expect(reviewSigned(view, reference.signed)).rejects.toMatchObject({ code: 'already-spent' });
    const [pending] = (await signedSetFile.open(reference.signed, viewKey)).transactions;
    await view.append([{ type: 'TransactionBuilt', tx: sentTransactionOf(view, pending!) }], 'strict');
    await expect(reviewSigned(view, reference.signed)).rejects.toMatchObject({ code: 'already-sent' });
  });
});

describe('a file may be its bytes, their hex, or the reply that has them', () => {
  const hex = bytesToHex(reference.signed);

  it('all read alike', () => {
    const reply = stringifyJson({ id: '0', jsonrpc: '2.0', result: { signed_txset: hex, tx_hash_list: [] } }, 2);
    const result = stringifyJson({ signed_txset: hex });
    for (const text of [hex, `\n ${hex.toUpperCase()}\n`, reply, result]) {
      expect(fileBytes(asciiToBytes(text), 'signed_txset')).toEqual(reference.signed);
    }
    expect(fileBytes(reference.signed, 'signed_txset')).toBe(reference.signed);
    const lines = btoa(String.fromCharCode(...reference.signed)).replaceAll(/.{1,64}/g, '$&\n');
    const armoured = `-----BEGIN MoneroAsciiDataV1-----\n${lines}-----END MoneroAsciiDataV1-----\n`;
    expect(fileBytes(asciiToBytes(armoured), 'signed_txset')).toEqual(reference.signed);
    expect(decodeTextFile(asciiToBytes(armoured))).toEqual(reference.signed);
  });

  it('T6 in armour of many megabytes, and in armour that is broken, is read or is a file as it stands', () => {
    const armour = (text: string) =>
      asciiToBytes(`-----BEGIN MoneroAsciiDataV1-----\n${text}\n-----END MoneroAsciiDataV1-----\n`);
    expect(decodeTextFile(armour('AAAA'.repeat(2_000_000)))).toHaveLength(6_000_000);
    for (const text of [`${'AAAA'.repeat(2_000_000)}A`, 'A?==', 'A===']) {
      const file = armour(text);
      expect(decodeTextFile(file)).toBe(file);
    }
    const endless = asciiToBytes(`-----BEGIN MoneroAsciiDataV1-----${'AAAA'.repeat(2_000_000)}`);
    expect(decodeTextFile(endless)).toBe(endless);
  });

  it('key images come in a reply of their own', () => {
    const entries = reference.keyImages.map(({ keyImage, signature }) => ({
      key_image: bytesToHex(keyImage),
      signature: bytesToHex(signature),
    }));
    const reply = stringifyJson({ result: { offset: 0, signed_key_images: entries } });
    expect(keyImagesOfReply(asciiToBytes(reply))).toEqual({ offset: 0, keyImages: reference.keyImages });
    expect(keyImagesOfReply(asciiToBytes(stringifyJson({ signed_key_images: entries })))?.offset).toBe(0);
    expect(keyImagesOfReply(reference.signed)).toBeUndefined();
    const [entry] = entries;
    for (const [short, bytes] of [
      [{ ...entry, key_image: '00' }, 32],
      [{ ...entry, signature: entry!.key_image }, 64],
    ] as const)
      expect(() => keyImagesOfReply(asciiToBytes(stringifyJson({ signed_key_images: [short] })))).toThrow(
        expect.objectContaining({ code: 'damaged-file', data: { reason: `expected ${bytes} bytes` } }),
      );
  });

  it('another reply, or half of one, is damage', () => {
    for (const text of ['{"result":{}}', '{"signed_txset":"zz"}', '{"signed_txset":', '{']) {
      expect(() => fileBytes(asciiToBytes(text), 'signed_txset')).toThrow(expect.objectContaining({ code: 'damaged-file' }));
    }
  });
});

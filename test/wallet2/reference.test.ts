import { beforeAll, describe, expect, it } from 'vitest';
import { asArray, asObject, bytesToHex, concatBytes, equalBytes, hexToBytes } from '../../src/base/index.ts';
import { checkRingSignature, cnSlowHash, loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { decodeAddress, keyInputs, transactionHash } from '../../src/protocol/index.ts';
import {
  chacha8Xor,
  chacha20Xor,
  decodeKeyImagesExport,
  decodeSignedTxSet,
  decodeTxMetadata,
  decodeUnsignedTxSet,
  decryptWithSecret,
  encodeKeyImagesExport,
  encodeOutputsExport,
  encodeSignedTxSet,
  encodeTxMetadata,
  encodeUnsignedTxSet,
  encryptWithSecret,
  keyImagesFile,
  openKeysFile,
  outputsFile,
  signedSetFile,
  TRANSFER_FLAGS,
  unsignedSetFile,
} from '../../src/wallet2/index.ts';
import { amountOf, older, reference } from './fixture.ts';

const UNSIGNED_MAGIC = 'Monero unsigned tx set\x05'.length;
const SIGNED_MAGIC = 'Monero signed tx set\x05'.length;
const OUTPUTS_MAGIC = 'Monero output export\x04'.length;
const { viewKey } = reference;

beforeAll(() => loadCrypto());

const releases = [
  { release: 'today’s', files: reference, compat: undefined },
  { release: '0.18.0', files: older, compat: '0.18.0' },
] as const;

describe.each(releases)('files of $release reference wallet, read and written back to the byte', ({ files, compat }) => {
  const reference = files;
  const { viewKey } = files;
  const inside = (file: Uint8Array, magic: number) => decryptWithSecret(file.subarray(magic), viewKey);

  it('an unsigned set', async () => {
    const plain = await inside(reference.unsigned, UNSIGNED_MAGIC);
    const set = decodeUnsignedTxSet(plain);
    expect(bytesToHex(encodeUnsignedTxSet(set, compat))).toBe(bytesToHex(plain));
    const [transaction] = set.transactions;
    const desc = asObject(asArray(reference.described.desc)[0]);
    expect(transaction!.sources.reduce((sum, { amount }) => sum + amount, 0n)).toBe(amountOf(desc, 'amount_in'));
    expect(transaction!.splitDestinations.reduce((sum, { amount }) => sum + amount, 0n)).toBe(amountOf(desc, 'amount_out'));
    expect(transaction!.change.amount).toBe(amountOf(desc, 'change_amount'));
    expect(bytesToHex(transaction!.extra)).toBe(desc.extra);
    expect(set.outputs.length + set.offset).toBe(2);
    expect(set.total).toBe(compat === undefined ? 2 : undefined);
  });

  it('a signed set', async () => {
    const plain = await inside(reference.signed, SIGNED_MAGIC);
    const set = decodeSignedTxSet(plain);
    expect(bytesToHex(encodeSignedTxSet(set))).toBe(bytesToHex(plain));
    expect(set.transactions.map(({ transaction }) => bytesToHex(transactionHash(transaction)))).toEqual([reference.signedHash]);
    expect(set.keyImages.map(bytesToHex)).toEqual(reference.keyImages.map(({ keyImage }) => bytesToHex(keyImage)));
    const spent = keyInputs(set.transactions[0]!.transaction).map(({ keyImage }) => `<${bytesToHex(keyImage)}> `);
    expect(set.transactions[0]!.keyImages).toBe(spent.join(''));
  });

  it('metadata of a transaction', () => {
    const pending = decodeTxMetadata(reference.metadata);
    expect(bytesToHex(encodeTxMetadata(pending))).toBe(bytesToHex(reference.metadata));
    expect(bytesToHex(transactionHash(pending.transaction))).toBe(reference.metadataHash);
    expect(bytesToHex(pending.txKey)).toBe(reference.metadataKey);
  });

  it('an export of outputs', async () => {
    const plain = await inside(reference.outputs, OUTPUTS_MAGIC);
    const found = await outputsFile.open(reference.outputs, viewKey);
    expect(bytesToHex(encodeOutputsExport(found, compat))).toBe(bytesToHex(plain));
    const { spendKey } = decodeAddress(reference.address, 'mainnet');
    expect(found.account.spendKey).toEqual(spendKey);
    expect(found.outputs.map(({ amount }) => amount).sort()).toEqual([2_000_000_000_000n, 3_000_000_000_000n]);
    expect(found.outputs.every(({ flags }) => flags === (TRANSFER_FLAGS.rct | TRANSFER_FLAGS.keyImageRequested))).toBe(true);
    expect(found.total).toBe(compat === undefined ? 2 : undefined);
    const minors = found.outputs.map(({ owner }) => owner?.minor);
    expect(minors.sort()).toEqual(compat === undefined ? [0, 1] : [undefined, undefined]);
  });

  it('key images with their signatures', async () => {
    const { outputs } = await outputsFile.open(reference.outputs, viewKey);
    const proven = reference.keyImages.map(({ keyImage, signature }, i) =>
      checkRingSignature(keyImage, keyImage, [outputs[i]!.key], [signature]),
    );
    expect(proven).toEqual([true, true]);
  });

  it('keys files: full and view-only, secrets under the password and nothing else', async () => {
    const { full, watching, password, spendKey, viewKey: secret } = reference.keysFiles;
    const opened = await openKeysFile(full, password);
    expect(bytesToHex(opened.spendKey!)).toBe(spendKey);
    expect(bytesToHex(opened.viewKey)).toBe(secret);
    expect(opened).toMatchObject({ seedLanguage: 'Deutsch', network: 'mainnet' });
    const view = await openKeysFile(watching, '');
    expect(view.spendKey).toBeUndefined();
    expect(bytesToHex(view.viewKey)).toBe(secret);
    expect(view.restoreHeight).toBe(123);
    await expect(openKeysFile(full, 'passwort')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(openKeysFile(watching, password)).rejects.toMatchObject({ code: 'wrong-password' });
  });

  it('keys files of the oldest versions, encrypted with ChaCha8', async () => {
    const { full, password, spendKey } = reference.keysFiles;
    const key = await cnSlowHash(new TextEncoder().encode(password));
    const nonce = full.slice(0, 8);
    const body = full.subarray(full.length - lengthOfData(full));
    const json = chacha20Xor({ key, nonce }, body);
    const older = concatBytes(full.subarray(0, full.length - body.length), chacha8Xor({ key, nonce }, json));
    expect(bytesToHex((await openKeysFile(older, password)).spendKey!)).toBe(spendKey);
    await expect(openKeysFile(older, 'other')).rejects.toMatchObject({ code: 'wrong-password' });
  });
});

/** The length that stands behind the nonce, in two bytes of varint for files of this size. */
function lengthOfData(file: Uint8Array): number {
  return (file[8]! & 0x7f) | (file[9]! << 7);
}

describe('what is sealed', () => {
  it('opens again, and carries the magic of its kind', async () => {
    const told = await outputsFile.open(reference.outputs, viewKey);
    const { account } = told;
    expect(await outputsFile.open(await outputsFile.seal(told, viewKey, systemRandom), viewKey)).toEqual(told);
    const bare = told.outputs.map(({ owner: _, ...output }) => output);
    const old = await outputsFile.open(await outputsFile.seal(told, viewKey, systemRandom, '0.18.0'), viewKey);
    expect(old).toEqual({ account, offset: told.offset, outputs: bare, total: undefined });
    const unsigned = await unsignedSetFile.open(reference.unsigned, viewKey);
    const sealed = await unsignedSetFile.seal(unsigned, viewKey, systemRandom);
    expect(sealed.subarray(0, UNSIGNED_MAGIC)).toEqual(reference.unsigned.subarray(0, UNSIGNED_MAGIC));
    expect(await unsignedSetFile.open(sealed, viewKey)).toEqual(unsigned);
    const signed = await signedSetFile.open(reference.signed, viewKey);
    expect(await signedSetFile.open(await signedSetFile.seal(signed, viewKey, systemRandom), viewKey)).toEqual(signed);
    const images = { account, offset: 7, keyImages: reference.keyImages };
    expect(decodeKeyImagesExport(encodeKeyImagesExport(images))).toEqual(images);
    expect(await keyImagesFile.open(await keyImagesFile.seal(images, viewKey, systemRandom), viewKey)).toEqual(images);
  });

  it('opens with no other key and not when a bit was changed', async () => {
    const plain = new TextEncoder().encode('outputs');
    const sealed = await encryptWithSecret(plain, viewKey, systemRandom);
    expect(equalBytes(await decryptWithSecret(sealed, viewKey), plain)).toBe(true);
    await expect(decryptWithSecret(sealed, reference.spendKey)).rejects.toMatchObject({ code: 'not-authentic' });
    for (const at of [0, 9, sealed.length - 70, sealed.length - 1]) {
      const changed = sealed.map((byte, i) => (i === at ? byte ^ 1 : byte));
      await expect(decryptWithSecret(changed, viewKey)).rejects.toMatchObject({ code: 'not-authentic' });
    }
    await expect(decryptWithSecret(sealed.subarray(0, 71), viewKey)).rejects.toMatchObject({ code: 'not-authentic' });
  });

  it('is told from other files and other versions', async () => {
    await expect(signedSetFile.open(reference.unsigned, viewKey)).rejects.toMatchObject({ code: 'bad-magic' });
    await expect(unsignedSetFile.open(hexToBytes(''), viewKey)).rejects.toMatchObject({ code: 'bad-magic' });
    await expect(outputsFile.open(reference.signed, viewKey)).rejects.toMatchObject({ code: 'bad-magic' });
    const version4 = reference.unsigned.map((byte, i) => (i === UNSIGNED_MAGIC - 1 ? 4 : byte));
    await expect(unsignedSetFile.open(version4, viewKey)).rejects.toMatchObject({ code: 'unsupported-version' });
  });
});

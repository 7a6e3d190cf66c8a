import { beforeAll, describe, expect, it } from 'vitest';
import { asciiToBytes, bytesToHex, concatBytes } from '../../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import { OfflineSigning } from '../../../src/wallet/offline-signing/offline-signing.ts';
import { encodeUnsignedTxSet, encryptWithSecret, signedSetFile, unsignedSetFile } from '../../../src/wallet2/index.ts';
import { reference } from '../../wallet2/fixture.ts';
import { type Half, halfOf } from './support.ts';

// What a door is given of offline signing.

const { viewKey } = reference;
let cold: Half;
let offline: OfflineSigning;

/** A half with no daemon. */
function doorOf(half: Half): OfflineSigning {
  const absent = (): never => {
    throw new Error('expected nothing to be asked of a daemon');
  };
  const alone = { daemon: undefined, trusted: false, ready: async () => undefined, still: <T>(work: () => Promise<T>) => work() };
  return new OfflineSigning({ ...half, ...alone }, { spend: absent, payments: { signed: absent, stoppable: absent } });
}

beforeAll(async () => {
  await loadCrypto();
  cold = await halfOf('full');
  offline = doorOf(cold);
});

describe('a door sees files, hashes and reviews, and no key', () => {
  it('signing keeps the transaction keys here and gives out a file and hashes', async () => {
    const signed = await offline.signUnsigned(asciiToBytes(bytesToHex(reference.unsigned)));
    expect(Object.keys(signed).sort()).toEqual(['blobs', 'file', 'txHashes']);
    const { transactions } = await signedSetFile.open(signed.file, viewKey);
    const keys = cold.state.signedKeys.get(signed.txHashes[0] as never);
    expect(keys?.length).toBeGreaterThan(0);
    for (const { txKey, additionalTxKeys } of transactions) {
      expect(keys).not.toContain(bytesToHex(txKey));
      expect(additionalTxKeys).toEqual([]);
    }
  });

  it('outputs come in and key images go out; a half that they are not for refuses them', async () => {
    expect(await offline.importOutputs(reference.outputs)).toBe(2);
    const file = await offline.exportKeyImages();
    const stranger = doorOf(await halfOf('view', reference.viewKey, reference.viewKey));
    await expect(stranger.importKeyImages(file)).rejects.toMatchObject({ code: 'other-account' });
    await expect(doorOf(await halfOf('view')).importKeyImages(file)).rejects.toMatchObject({ code: 'too-many-key-images' });
  });

  it('a file that this wallet sealed and that breaks off inside is called damaged', async () => {
    const whole = encodeUnsignedTxSet(await unsignedSetFile.open(reference.unsigned, viewKey));
    const broken = await encryptWithSecret(whole.subarray(0, -3), viewKey, systemRandom);
    const file = concatBytes(asciiToBytes('Monero unsigned tx set'), Uint8Array.of(5), broken);
    await expect(offline.reviewUnsigned(file)).rejects.toMatchObject({ name: 'OfflineSigningError', code: 'damaged-file' });
    file[22] = 6;
    await expect(offline.reviewUnsigned(file)).rejects.toMatchObject({ code: 'unsupported-version', data: { version: 6 } });
    const newer = reference.outputs.slice();
    newer['Monero output export'.length] = 5;
    await expect(offline.importOutputs(newer)).rejects.toMatchObject({ code: 'unsupported-version', data: { version: 5 } });
  });
});

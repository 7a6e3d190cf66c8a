import { beforeAll, describe, expect, it } from 'vitest';
import { asciiToBytes, bytesToHex, concatBytes } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import type { TxHash } from '../../src/protocol/model.ts';
import { accountTags } from '../../src/wallet/account-tags.ts';
import { CLIENTS } from '../../src/wallet/client-attributes.ts';
import { contactsOf, withPaymentId } from '../../src/wallet/contacts.ts';
import { walletFromKeysFile } from '../../src/wallet/offline-signing/reference-files.ts';
import { txKeysOf } from '../../src/wallet/proofs/tx-key.ts';
import { snapshot } from '../../src/wallet/state/snapshot.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import { writeAll } from '../../src/wallet2/archive.ts';
import { chacha8Xor, chacha20Xor, openCacheFile, openKeysFile, sealKeysFile } from '../../src/wallet2/index.ts';
import { cacheKey, oldCacheKey, passwordKey, sealedFile } from '../../src/wallet2/password.ts';
import { foldEvents } from '../support/fold.ts';
import { plain } from '../wallet/support.ts';
import { cachesPassword, type StoredWallet, storedWallets } from './caches.ts';
import { MADE, madeCache } from './made-cache.ts';

// Caches that the reference wrote, held against what it said of them.

const [newest, oldest] = storedWallets as [StoredWallet, StoredWallet];

beforeAll(() => loadCrypto());

async function takenOver({ keys, cache }: StoredWallet): Promise<WalletState> {
  const { first } = await walletFromKeysFile({ keys, cache }, cachesPassword, 'mainnet', 1, systemRandom);
  return foldEvents(first);
}

const opened = async (cache: Uint8Array, wallet = newest) =>
  openCacheFile(cache, await openKeysFile(wallet.keys, cachesPassword), cachesPassword);

describe.each([newest, oldest])('the cache of $release', (wallet) => {
  let state: WalletState;
  beforeAll(async () => {
    state = await takenOver(wallet);
  });

  it('accounts and labels', () => {
    expect(state.accounts.map(({ labels }) => labels)).toEqual(
      wallet.addresses.map((account) => account.map(({ label }) => label)),
    );
  });

  it('tags and contacts', () => {
    const { tags, descriptions } = accountTags(state);
    const said = wallet.tags.map(({ tag, label, accounts }) => [tag, label, [...accounts]]);
    const ours = [...descriptions].map(([tag, label]) => [tag, label, tags.flatMap((own, i) => (own === tag ? [i] : []))]);
    expect(ours).toEqual(said);
    expect(contactsOf(state).map(({ address, description }) => ({ address, description }))).toEqual(wallet.book);
  });

  it('T16 a snapshot of what was taken over is the same wallet', () => {
    expect(plain(foldEvents(snapshot(state)))).toEqual(plain(state));
  });
});

describe('what else a cache tells', () => {
  /** Keys of the stored wallet, and a made-up cache of it beside them. */
  async function taken(viewOnly: boolean, version = 2, wide = false): Promise<WalletState> {
    const keys = await openKeysFile(newest.keys, cachesPassword);
    const key = cacheKey(await passwordKey(cachesPassword, 1));
    const nonce = new Uint8Array(8);
    const cache = writeAll(sealedFile, { nonce, data: chacha20Xor({ key, nonce }, madeCache(keys.account, version, wide)) });
    const file = await sealKeysFile(viewOnly ? { ...keys, spendKey: undefined } : keys, cachesPassword, systemRandom);
    return takenOver({ ...newest, keys: file, cache });
  }
  const txHash = bytesToHex(MADE.txHash) as TxHash;
  const [outputKey, keyImage] = [bytesToHex(MADE.outputKey), bytesToHex(MADE.keyImage)];

  it.each([
    ['of 0.18.0', 0, false],
    ['of 0.18.2', 1, false],
    ['of 0.18.5', 2, false],
    ['with positions in full width', 2, true],
  ] as const)(
    'transactions with their keys and destinations, notes, attributes, frozen outputs: %s',
    async (_, version, wide) => {
      const state = await taken(false, version, wide);
      const standard = state.description.primaryAddress;
      expect(txKeysOf(state, txHash)).toEqual([bytesToHex(MADE.txKey), bytesToHex(MADE.additionalKey)]);
      const { destinations, change, paymentId } = state.recorded.get(txHash)!;
      expect(destinations.map(({ address, amount }) => [address, amount])).toEqual([
        ['whom it was written to', 10n],
        [withPaymentId(standard, 'ab'.repeat(8)), 20n],
      ]);
      expect([change, paymentId]).toEqual([9n, 'ab'.repeat(8)]);
      expect(state.recorded.get('12'.repeat(32) as TxHash)).toMatchObject({ txKeys: [], change: 8n });
      expect([...state.notes]).toEqual([[txHash, 'a note']]);
      expect(state.attributes.get(`${CLIENTS}key`)).toBe('value');
      expect([...state.frozen]).toEqual([outputKey]);
      expect([...state.used]).toEqual(['2/3']);
      expect(state.keyImages.size).toBe(0);
      expect(plain(foldEvents(snapshot(state)))).toEqual(plain(state));
    },
  );

  it('a view-only wallet keeps the key images that it was given, and those predicted', async () => {
    const { keyImages, predicted } = await taken(true);
    const cold = bytesToHex(MADE.coldKey);
    expect([...keyImages]).toEqual([
      [outputKey, keyImage],
      [cold, bytesToHex(MADE.coldImage)],
    ]);
    expect([...predicted]).toEqual([cold]);
  });

  it('takes the lookahead of the keys file, and never a smaller one than before', async () => {
    expect((await openKeysFile(newest.keys, cachesPassword)).lookahead).toEqual({ major: 2, minor: 3 });
    expect((await takenOver(newest)).lookahead).toEqual({ major: 50, minor: 200 });
    const keys = await openKeysFile(newest.keys, cachesPassword);
    const wide = await sealKeysFile({ ...keys, lookahead: { major: 60, minor: 300 } }, cachesPassword, systemRandom);
    expect((await takenOver({ ...newest, keys: wide })).lookahead).toEqual({ major: 60, minor: 300 });
  });
});

describe('what is no cache of this wallet', () => {
  const form = async (cache: Uint8Array) =>
    opened(cache).then(
      () => undefined,
      (error: { code: string; data: { form?: string } }) => [error.code, error.data.form],
    );
  const sealed = (nonce: Uint8Array, data: Uint8Array) => writeAll(sealedFile, { nonce, data });

  it("another wallet's, under the same password", async () => {
    await expect(opened(oldest.cache)).rejects.toMatchObject({ code: 'keys-do-not-match' });
  });

  it('one under another password, and one cut short at any place', async () => {
    const keys = await openKeysFile(newest.keys, cachesPassword);
    await expect(openCacheFile(newest.cache, keys, 'other')).rejects.toMatchObject({ code: 'bad-magic' });
    for (const length of [0, 5, 9, 100, newest.cache.length - 1]) {
      await expect(opened(newest.cache.subarray(0, length)), String(length)).rejects.toMatchObject({ name: 'ProtocolError' });
    }
  });

  it('archives of older releases are named for what they are', async () => {
    const archive = concatBytes(Uint8Array.of(1, 22), asciiToBytes('serialization::archive'), new Uint8Array(100));
    const nonce = new Uint8Array(8).fill(7);
    const byPassword = cacheKey(await passwordKey(cachesPassword, 1));
    const { viewKey, spendKey } = await openKeysFile(newest.keys, cachesPassword);
    const bySecrets = await oldCacheKey(viewKey, spendKey, 1);
    const forms = [
      [archive, 'boost archive, in clear'],
      [sealed(nonce, chacha20Xor({ key: byPassword, nonce }, archive)), 'boost archive, by password'],
      [sealed(nonce, chacha20Xor({ key: bySecrets, nonce }, archive)), 'boost archive, by secret keys'],
      [sealed(nonce, chacha8Xor({ key: bySecrets, nonce }, archive)), 'boost archive, by secret keys, ChaCha8'],
    ] as const;
    for (const [file, name] of forms) expect(await form(file)).toEqual(['unsupported-version', name]);
    const newer = concatBytes(asciiToBytes('monero wallet cache'), Uint8Array.of(3));
    expect(await form(sealed(nonce, chacha20Xor({ key: byPassword, nonce }, newer)))).toEqual(['unsupported-version', undefined]);
  });
});

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { isWalletUri, makeWalletUri, parseWalletUri, type WalletUri } from '../../src/protocol/index.ts';
import { fixture } from './support/fixture.ts';

// The first three are the examples of the scheme's description (monero, docs/URI_SCHEME.md), the next that of monero-project/meta 729.
const WATCHED = '47PN2JMatPHNRXbdhhurNSKrZLXD5U5FjBkCuZ1Zyo2VLvBe8Gqj66mGTFRCMfW9pCFqG47Z9EsGWYwNV5hfDLRGRowEGWx';
const FULL = '467iotZU5tvG26k2xdZWkJ7gwATFVhfbuV3yDoWx5jHoPwxEi4f5BuJQwkP6GpCb1sZvUVB7nbSkgEuW8NKrh9KKRRga5qz';
const VIEW_KEY = 'ac9fed8f56fe1b7e00c3b58dff826d9573231d30f1070ec177e096739b05600b';
const SEED =
  'python runway gossip lymph hills karate ruined innocent ought dual shipped shipped sushi pyramid guys entrance obedient natural kiwi wobbly vixen wipeout template typist innocent';
const KEYS = {
  spendKey: '029c559cd7669f14e91fd835144916009f8697ab5ac5c7f7c06e1ff869c17b0b',
  viewKey: 'afaf646edbff3d3bcee8efd3383ffe5d20c947040f74e1110b70ca0fbb0ef90d',
};
const TXID = 'ab'.repeat(32);

beforeAll(loadCrypto);

describe('a wallet URI', () => {
  it.each<[string, WalletUri]>([
    [
      `monero-wallet:${FULL}?spend_key=${KEYS.spendKey}&view_key=${KEYS.viewKey}&label=Test%20Wallet&height=2020-01-01`,
      { address: FULL, ...KEYS, label: 'Test Wallet', start: { date: '2020-01-01' } },
    ],
    [
      `monero-wallet:${FULL}?seed=${SEED.replaceAll(' ', '%20')}&height=12345676`,
      { address: FULL, seed: SEED, start: { height: 12_345_676 } },
    ],
    [
      `monero-wallet:${WATCHED}?view_key=${VIEW_KEY}&label=MS-2201-aD3490b8-18-V&height=3690371`,
      { address: WATCHED, viewKey: VIEW_KEY, label: 'MS-2201-aD3490b8-18-V', start: { height: 3_690_371 } },
    ],
    [
      `monero_wallet:address=${WATCHED}&view_key=${VIEW_KEY}&txid=${TXID};${TXID}`,
      { address: WATCHED, viewKey: VIEW_KEY, txids: [TXID, TXID] },
    ],
    [`MONERO_WALLET:?mnemonic_seed=${SEED.replaceAll(' ', '+')}`, { seed: SEED }],
    [` monero-wallet:?spend_key=${KEYS.spendKey.toUpperCase()}&new=1\n`, { spendKey: KEYS.spendKey }],
    [`monero-wallet:?seed=a%20b&height=2026-06-01T12:00:00Z`, { seed: 'a b', start: { date: '2026-06-01' } }],
  ])('%s', (uri, wallet) => {
    expect(isWalletUri(uri)).toBe(true);
    expect(parseWalletUri(uri, 'mainnet')).toEqual(wallet);
  });

  it('is read as it was written', () => {
    const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((label) => label.trim() === label && label.isWellFormed());
    const start = fc.oneof(
      fc.record({ height: fc.nat(999_999_999) }),
      fc.date({ min: new Date('2014-04-18'), max: new Date('2100-01-01'), noInvalidDate: true }).map((day) => ({
        date: day.toISOString().slice(0, 10),
      })),
    );
    const more = { label: fc.option(text, { nil: undefined }), start: fc.option(start, { nil: undefined }) };
    const wallet = fc.oneof<fc.Arbitrary<WalletUri>[]>(
      fc.record({ seed: fc.constantFrom(SEED, 'あいこくしん あいさつ'), ...more }),
      fc.record({ address: fc.constant(FULL), spendKey: hex, viewKey: hex, ...more }),
      fc.record({ address: fc.constant(WATCHED), viewKey: hex, txids: fc.array(hex, { minLength: 1 }), ...more }),
    );
    fc.assert(
      fc.property(wallet, (made) => {
        expect(parseWalletUri(makeWalletUri(made, 'mainnet'), 'mainnet')).toEqual(made);
      }),
    );
  });

  it.each([
    ['monero:abc', 'a payment URI'],
    ['monero-wallet:', 'no wallet'],
    [`monero-wallet:${WATCHED}`, 'an address alone'],
    [`monero-wallet:?view_key=${VIEW_KEY}`, 'a view key without an address'],
    [`monero-wallet:${FULL}?seed=a%20b&view_key=${VIEW_KEY}`, 'a seed beside a key'],
    [`monero-wallet:${WATCHED}?view_key=${VIEW_KEY.slice(1)}`, 'a key that is too short'],
    [`monero-wallet:${WATCHED}?view_key=${VIEW_KEY}&view_key=${VIEW_KEY}`, 'a parameter twice'],
    [`monero-wallet:?seed=a%20b&height=soon`, 'no height'],
    [`monero-wallet:?seed=a%20b&height=-1`, 'a height below zero'],
    [`monero-wallet:?seed=a%20b&height=2026-13-01`, 'no day'],
    [`monero-wallet:?seed=a%20b&txid=${TXID};`, 'no transaction'],
    [`monero-wallet:${fixture.subaddresses[0]}?view_key=${VIEW_KEY}`, 'a subaddress'],
  ])('%s is refused: %s', (uri) => {
    expect(() => parseWalletUri(uri, 'mainnet')).toThrow(expect.objectContaining({ code: 'bad-uri' }));
  });

  it('of another network is refused by name, read or written', () => {
    const watched = { address: WATCHED, viewKey: VIEW_KEY };
    const wrong = expect.objectContaining({ code: 'wrong-network' });
    expect(() => parseWalletUri(makeWalletUri(watched, 'mainnet'), 'stagenet')).toThrow(wrong);
    expect(() => makeWalletUri(watched, 'stagenet')).toThrow(wrong);
    expect(() => makeWalletUri({ label: 'empty' }, 'mainnet')).toThrow(expect.objectContaining({ code: 'bad-uri' }));
  });
});

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { keysFromSeed, loadCrypto, pointAdd, secretKeyToPublicKey } from '../../src/crypto/index.ts';
import {
  type AddressKind,
  decodeAddress,
  decodeBase58,
  encodeAddress,
  encodeBase58,
  type Network,
  subaddressOf,
  wordsToSeed,
} from '../../src/protocol/index.ts';
import { fixture } from './support/fixture.ts';

const code = (code: string) => expect.objectContaining({ code });
const NETWORKS: readonly Network[] = ['mainnet', 'stagenet', 'testnet'];
const KINDS: readonly AddressKind[] = ['standard', 'subaddress', 'integrated'];

beforeAll(loadCrypto);

function wallet() {
  const { spendKey, viewKey } = keysFromSeed(wordsToSeed(fixture.seed).seed);
  return { viewSecretKey: viewKey, spendPublicKey: secretKeyToPublicKey(spendKey)! };
}

function addressAt(major: number, minor: number): string {
  const keys = subaddressOf(wallet(), { major, minor });
  return encodeAddress({ network: 'mainnet', kind: major === 0 && minor === 0 ? 'standard' : 'subaddress', ...keys });
}

describe('addresses of the reference wallet', () => {
  it('follow from its seed: primary, subaddresses, integrated', () => {
    expect(addressAt(0, 0)).toBe(fixture.address);
    expect([addressAt(0, 1), addressAt(0, 2), addressAt(0, 3), addressAt(1, 1)]).toEqual(fixture.subaddresses);
    const primary = decodeAddress(fixture.address);
    const paymentId = Uint8Array.from(Buffer.from(fixture.paymentId, 'hex'));
    expect(encodeAddress({ ...primary, kind: 'integrated', paymentId })).toBe(fixture.integrated);
  });

  it('are read with kind, network and payment id', () => {
    expect(decodeAddress(fixture.address, 'mainnet')).toMatchObject({
      kind: 'standard',
      network: 'mainnet',
      paymentId: undefined,
    });
    expect(decodeAddress(fixture.subaddresses[0]!, 'regtest')).toMatchObject({ kind: 'subaddress', network: 'regtest' });
    expect(bytesToHex(decodeAddress(fixture.integrated).paymentId!)).toBe(fixture.paymentId);
  });
});

describe('every network and kind', () => {
  const keys = () => subaddressOf(wallet(), { major: 3, minor: 4 });
  const make = (network: Network, kind: AddressKind) =>
    encodeAddress({ network, kind, ...keys(), paymentId: kind === 'integrated' ? new Uint8Array(8).fill(9) : undefined });

  it('is read as it was written, and starts as people know it', () => {
    const starts: Readonly<Record<string, RegExp>> = {
      'mainnet standard': /^4/,
      'mainnet subaddress': /^8/,
      'mainnet integrated': /^4/,
      'stagenet standard': /^5/,
      'stagenet subaddress': /^7/,
      'stagenet integrated': /^5/,
      'testnet standard': /^[9A]/,
      'testnet subaddress': /^B/,
      'testnet integrated': /^[9AB]/,
    };
    for (const network of NETWORKS) {
      for (const kind of KINDS) {
        const text = make(network, kind);
        expect(text).toMatch(starts[`${network} ${kind}`]!);
        expect(decodeAddress(text)).toMatchObject({ network, kind, ...keys() });
      }
    }
  });

  it('an address of another network says which it is of', () => {
    for (const actual of NETWORKS) {
      for (const asked of NETWORKS.filter((network) => network !== actual)) {
        const wrong = expect.objectContaining({ code: 'wrong-network', data: { network: actual, expected: asked } });
        expect(() => decodeAddress(make(actual, 'standard'), asked)).toThrow(wrong);
      }
    }
    expect(() => decodeAddress(make('stagenet', 'standard'), 'regtest')).toThrow(code('wrong-network'));
  });

  it('a payment id goes into integrated addresses only', () => {
    expect(() => encodeAddress({ network: 'mainnet', kind: 'integrated', ...keys() })).toThrow(code('bad-structure'));
    expect(() => encodeAddress({ network: 'mainnet', kind: 'standard', ...keys(), paymentId: new Uint8Array(8) })).toThrow(
      code('bad-structure'),
    );
  });
});

describe('what is no address', () => {
  const good = fixture.address;

  it('a text with any one letter changed is refused', () => {
    const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl é';
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...letters), (at, letter) => {
        fc.pre(good[at] !== letter);
        expect(() => decodeAddress(good.slice(0, at) + letter + good.slice(at + 1))).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^(bad-base58|bad-checksum)$/) }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('each fault has its name', () => {
    const { spendKey, viewKey } = decodeAddress(good);
    expect(() => decodeAddress(good.slice(0, -1))).toThrow(code('bad-address-length'));
    expect(() => decodeAddress(`${good} `)).toThrow(code('bad-address-length'));
    expect(() => decodeAddress('')).toThrow(code('bad-address-length'));
    expect(() => decodeAddress(`${good.slice(0, -1)}0`)).toThrow(code('bad-base58'));
    // No point; the neutral element, which a group shows that is not ready; of order four; of order eight, alone and beside a good key.
    const orderEight = hexToBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    const small = [new Uint8Array(32).fill(2), Uint8Array.of(1, ...new Uint8Array(31)), new Uint8Array(32), orderEight];
    for (const nobodys of [...small, pointAdd(spendKey, orderEight)]) {
      for (const keys of [
        { spendKey, viewKey: nobodys },
        { spendKey: nobodys, viewKey },
      ]) {
        expect(() => decodeAddress(encodeAddress({ network: 'mainnet', kind: 'standard', ...keys }))).toThrow(code('bad-key'));
      }
    }
  });
});

describe('base58', () => {
  it('every byte string is read as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes);
      }),
    );
  });

  it('has the lengths and values of the reference', () => {
    expect(encodeBase58(Uint8Array.of(0))).toBe('11');
    expect(encodeBase58(new Uint8Array(8).fill(0xff))).toBe('jpXCZedGfVQ');
    expect(encodeBase58(Uint8Array.of(0xff))).toBe('5Q');
  });

  it('refuses blocks that no bytes give', () => {
    for (const text of ['5R', 'zz', 'jpXCZedGfVR', 'zzzzzzzzzzz', '1', '1111', '11111111']) {
      expect(() => decodeBase58(text)).toThrow(code('bad-base58'));
    }
  });
});

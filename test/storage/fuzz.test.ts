import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect } from 'vitest';
import { DecodeError, decodeValue } from '../../src/storage/codec/decode.ts';
import { encodeValue } from '../../src/storage/codec/encode.ts';
import { decodeEvents, decodeSecrets, encodeEvents, encodeSecrets } from '../../src/storage/codec/events.ts';
import { joinContainer, splitContainer } from '../../src/storage/container.ts';
import { StorageError } from '../../src/storage/errors.ts';
import { decodeHeader, encodeHeader, HEADER_PREAMBLE } from '../../src/storage/seal/header.ts';
import { type FuzzTarget, fuzzEach, fuzzRuns } from '../protocol/support/fuzz.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { CHEAP_KDF, created, noted, secrets, synced } from './samples.ts';

const SEED = 20_260_303;

const sampler = new TestSampler(SEED);
const header = encodeHeader({
  walletId: sampler.bytes(16),
  generation: 2,
  network: 'stagenet',
  kind: 'view-only',
  kdf: CHEAP_KDF,
  salt: sampler.bytes(16),
  sealedKey: sampler.bytes(72),
  sealedSecrets: sampler.bytes(120),
});
const records = [40, 0, 500, 17].map((length) => sampler.bytes(length));
const CHECKSUM = 8;

/** With its checksum put right, so that what lies behind the checksum is reached too. */
function reckoned(bytes: Uint8Array): Uint8Array {
  const end = Math.max(HEADER_PREAMBLE, bytes.length - CHECKSUM);
  const body = bytes.subarray(0, end);
  return Uint8Array.of(...body, ...sha256(body).subarray(0, CHECKSUM));
}

const targets: readonly FuzzTarget[] = [
  {
    name: 'a value',
    refusal: DecodeError,
    corpus: [undefined, [1, 'one', 2n ** 64n, [true, null]], { height: 5, id: 'ab'.repeat(32), inner: { list: [-1, 0.5] } }].map(
      (value) => encodeValue(value),
    ),
    decode: (bytes) => {
      const value = decodeValue(bytes);
      expect(decodeValue(encodeValue(value))).toStrictEqual(value);
    },
  },
  {
    name: 'events of a record',
    refusal: DecodeError,
    corpus: [encodeEvents([created, noted(1)]), encodeEvents([synced(3, 4)])],
    decode: (bytes) => void decodeEvents(bytes),
  },
  {
    name: 'secrets',
    refusal: DecodeError,
    corpus: [encodeSecrets(secrets()), encodeSecrets({ ...secrets(), spendKey: undefined })],
    decode: (bytes) => void decodeSecrets(bytes),
  },
  {
    name: 'a file or a backup',
    refusal: StorageError,
    corpus: [joinContainer(header, records), joinContainer(header, [])],
    decode: (bytes) => {
      const { length, ...found } = splitContainer(bytes);
      expect(joinContainer(found.header, found.records)).toEqual(bytes.slice(0, length));
    },
  },
  {
    name: 'a header',
    refusal: StorageError,
    corpus: [header],
    decode: (bytes) => {
      const whole = reckoned(bytes);
      expect(encodeHeader(decodeHeader(whole))).toEqual(whole);
    },
  },
];

describe('T16 damage: what storage reads, in any state', () => {
  fuzzEach(targets, fuzzRuns(3_000), SEED);
});

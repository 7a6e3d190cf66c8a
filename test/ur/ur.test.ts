import bcUr from '@ngraveio/bc-ur';
import { describe, expect, it } from 'vitest';
import { crc32, equalBytes } from '../../src/base/index.ts';
import { toBytewords } from '../../src/ur/bytewords.ts';
import { byteString, encodePart, type Part } from '../../src/ur/cbor.ts';
import { FragmentChooser } from '../../src/ur/fountain.ts';
import { MAX_MESSAGE_BYTES, type ReadResult, UR_TYPES, UrDecoder, UrEncoder, type UrType } from '../../src/ur/index.ts';
import { TestSampler } from '../support/random-sampler.ts';

// What we show is read by another implementation of the format, and what that shows by us.

const { UR, UREncoder, URDecoder } = bcUr as unknown as typeof import('@ngraveio/bc-ur');

/** Bytes. The largest take half a minute. */
const SIZES = [1, 30, 1_000, 9_999, 60_000, ...(process.env.LONG === '1' ? [400_000] : [120_000])] as const;
/** Of 1,000 frames, how many a camera misses. */
const LOST = 300;

const bytesOf = (length: number, seed = length): Uint8Array => {
  const sampler = new TestSampler(seed);
  return Uint8Array.from({ length }, () => sampler.below(256));
};
const lost = (sampler: TestSampler): boolean => sampler.below(1_000) < LOST;
const typeAt = (i: number): UrType => UR_TYPES[i % UR_TYPES.length]!;
/** The message as the other implementation wants it: the file as one bare byte string. */
const cbor = (bytes: Uint8Array): Buffer => Buffer.from(byteString(bytes));

/** Plays parts to our decoder, which loses some, until the message is whole. */
function gather(
  decoder: UrDecoder,
  part: (seqNum: number) => string,
  sampler: TestSampler,
  most: number,
): ReadResult | undefined {
  for (let seqNum = 1; seqNum <= most; seqNum++) {
    if (lost(sampler)) continue;
    const taken = decoder.take(part(seqNum));
    if (taken.kind !== 'new' && taken.kind !== 'repeated') return taken;
  }
  return undefined;
}

describe('with @ngraveio/bc-ur', () => {
  it.each(SIZES.flatMap((size, i) => [0, 1].map((more) => [size, typeAt(i + 2 * more)] as const)))(
    'what we show is what it shows, part for part: %i bytes of %s',
    (size, type) => {
      const bytes = bytesOf(size);
      const ours = new UrEncoder(type, bytes, 150);
      const theirs = new UREncoder(new UR(cbor(bytes), type), ours.count > 2 ? 150 : Math.ceil(cbor(bytes).length / 2), 0, 1);
      expect(ours.count).toBe(theirs.fragmentsLength);
      const compared = Math.min(2 * ours.count, ours.count + 40);
      for (let seqNum = 1; seqNum <= compared; seqNum++) {
        const part = theirs.nextPart();
        if (seqNum < 20 || seqNum > ours.count - 5) expect(ours.part(seqNum)).toBe(part);
      }
    },
  );

  it.each(UR_TYPES)('it reads what we show, with and without mixed parts, three in ten frames lost: %s', (type) => {
    const bytes = bytesOf(20_000);
    const encoder = new UrEncoder(type, bytes, 200);
    for (const mixed of [true, false]) {
      const sampler = new TestSampler(7);
      const decoder = new URDecoder();
      for (let seqNum = 1; !decoder.isComplete() && seqNum < 20 * encoder.count; seqNum++)
        if (!lost(sampler)) decoder.receivePart(encoder.part(mixed ? seqNum : 1 + ((seqNum - 1) % encoder.count)));
      expect(decoder.isSuccess()).toBe(true);
      expect(decoder.resultUR().type).toBe(type);
      expect(Buffer.compare(decoder.resultUR().cbor, cbor(bytes))).toBe(0);
    }
  });

  it.each(SIZES.map((size, i) => [size, typeAt(i)] as const))(
    'we read what it shows, three in ten frames lost: %i bytes of %s',
    (size, type) => {
      const bytes = bytesOf(size);
      const encoder = new UREncoder(new UR(cbor(bytes), type), 400, 0, 1);
      const parts: string[] = [];
      const part = (seqNum: number): string => {
        while (parts.length < seqNum) parts.push(encoder.nextPart());
        return parts[seqNum - 1]!;
      };
      const taken = gather(new UrDecoder(UR_TYPES), part, new TestSampler(size), 3 * encoder.fragmentsLength + 60);
      expect(taken?.kind).toBe('whole');
      expect(taken?.kind === 'whole' && taken.type === type && equalBytes(taken.bytes, bytes)).toBe(true);
    },
  );
});

describe('our own codes', () => {
  it('have two parts at least, and as many as the fragments need', () => {
    for (const size of [1, 2, 10, 149, 150]) expect(new UrEncoder('xmr-output', bytesOf(size), 150).count).toBe(2);
    for (const [fragment, count] of [
      [50, 21],
      [150, 7],
      [1_000, 2],
    ] as const)
      expect(new UrEncoder('xmr-output', bytesOf(1_000), fragment).count).toBe(count);
    expect(() => new UrEncoder('xmr-output', new Uint8Array(0), 150)).toThrow(expect.objectContaining({ code: 'empty' }));
    expect(() => new UrEncoder('xmr-output', bytesOf(9), Number.NaN)).toThrow(expect.objectContaining({ code: 'empty' }));
  });

  it.each(SIZES.map((size, i) => [size, typeAt(i)] as const))(
    'are whole after one round and some mixed parts, three in ten frames lost, in any order and case: %i bytes of %s',
    (size, type) => {
      const bytes = bytesOf(size);
      const encoder = new UrEncoder(type, bytes, 150);
      const sampler = new TestSampler(size + 1);
      const decoder = new UrDecoder([type]);
      // From the middle of a round, as a camera comes to it.
      const from = sampler.below(encoder.count);
      const part = (seqNum: number): string =>
        seqNum % 2 ? encoder.part(seqNum + from) : encoder.part(seqNum + from).toUpperCase();
      const taken = gather(decoder, part, sampler, 3 * encoder.count + 60);
      expect(taken?.kind === 'whole' && taken.type === type && equalBytes(taken.bytes, bytes)).toBe(true);
      expect(decoder.parts).toEqual([]);
    },
  );

  it('in one piece are read too', () => {
    const bytes = bytesOf(90);
    const text = `ur:xmr-keyimage/${toBytewords(byteString(bytes))}`;
    expect(new UrDecoder(UR_TYPES).take(text)).toEqual({ kind: 'whole', type: 'xmr-keyimage', bytes });
  });
});

describe('what a code tells is said at once', () => {
  const encoder = new UrEncoder('xmr-output', bytesOf(1_000), 150);
  const begun = (): UrDecoder => {
    const decoder = new UrDecoder(['xmr-output', 'xmr-txunsigned']);
    expect(decoder.take(encoder.part(2))).toEqual({ kind: 'new' });
    return decoder;
  };

  it('new and repeated, with the parts that are there', () => {
    const decoder = begun();
    expect(decoder.take(encoder.part(2))).toEqual({ kind: 'repeated' });
    expect(decoder.take(encoder.part(4))).toEqual({ kind: 'new' });
    expect(decoder.take(encoder.part(9))).toEqual({ kind: 'new' });
    expect(decoder.take(encoder.part(9))).toEqual({ kind: 'repeated' });
    expect(decoder.parts.filter((known) => known).length).toBeGreaterThanOrEqual(2);
    expect(decoder.type).toBe('xmr-output');
    decoder.clear();
    expect(decoder.parts).toEqual([]);
  });

  it.each(['monero:4abc', '{"primaryAddress":"4..."}', '', 'https://example.org/ur:xmr-output/1-2/aeae'])('foreign: %s', (text) =>
    expect(begun().take(text)).toEqual({ kind: 'foreign', type: undefined }),
  );

  it('foreign: of a type that is not awaited, ours or of others', () => {
    const signed = new UrEncoder('xmr-txsigned', bytesOf(900), 150);
    expect(begun().take(signed.part(1))).toEqual({ kind: 'foreign', type: 'xmr-txsigned' });
    expect(begun().take(encoder.part(1).replace('xmr-output', 'crypto-psbt'))).toEqual({ kind: 'foreign', type: 'crypto-psbt' });
  });

  it('other: of another message of an awaited type', () => {
    for (const other of [new UrEncoder('xmr-output', bytesOf(1_001), 150), new UrEncoder('xmr-txunsigned', bytesOf(1_000), 150)])
      expect(begun().take(other.part(1))).toEqual({ kind: 'other', type: other.type });
    expect(begun().take(new UrEncoder('xmr-output', bytesOf(1_000), 120).part(1)).kind).toBe('other');
  });

  it('torn: letters lost, changed, or at odds with the numbers outside', () => {
    const part = encoder.part(3);
    const texts = [
      part.slice(0, -1),
      part.slice(0, -2),
      `${part.slice(0, -2)}ae`,
      part.replace('/3-', '/4-'),
      part.replace('-7/', '-8/'),
      'ur:xmr-output',
      'ur:xmr-output/1-2/',
      'ur:',
    ];
    for (const text of texts) expect(begun().take(text), text).toEqual({ kind: 'torn' });
  });

  it('torn: parts that were altered with their sums, and what was gathered is let go', () => {
    const message = byteString(bytesOf(20));
    const fake = (seqNum: number): string => {
      const part: Part = { seqNum, seqLen: 2, messageLen: message.length, checksum: 1, fragment: message.subarray(0, 11) };
      return `ur:xmr-output/${seqNum}-2/${toBytewords(encodePart(part))}`;
    };
    const decoder = new UrDecoder(['xmr-output']);
    expect(decoder.take(fake(1))).toEqual({ kind: 'new' });
    expect(decoder.take(fake(2))).toEqual({ kind: 'torn' });
    expect(decoder.parts).toEqual([]);
  });

  it('torn or too large: numbers that would have us keep room for what cannot be', () => {
    const kindOf = (part: Partial<Part>): string => {
      const whole = { seqNum: 1, seqLen: 2, messageLen: 200, checksum: 1, fragment: new Uint8Array(100), ...part };
      return new UrDecoder(UR_TYPES).take(`ur:xmr-output/${whole.seqNum}-${whole.seqLen}/${toBytewords(encodePart(whole))}`).kind;
    };
    expect(kindOf({})).toBe('new');
    for (const part of [{ seqLen: 3 }, { seqLen: 1 }, { seqLen: 0 }, { seqNum: 0 }, { messageLen: 201 }, { messageLen: 100 }])
      expect(kindOf(part), JSON.stringify(part)).toBe('torn');
    expect(kindOf({ fragment: new Uint8Array(0) })).toBe('torn');
    expect(kindOf({ seqLen: 0xffff_ffff, messageLen: 0xffff_ffff, fragment: Uint8Array.of(1) })).toBe('too-large');
    expect(kindOf({ seqLen: 50_000, messageLen: 50_000, fragment: Uint8Array.of(1) })).toBe('too-large');
    const { length } = byteString(new Uint8Array(MAX_MESSAGE_BYTES));
    expect(kindOf({ seqLen: 10_000, messageLen: length, fragment: new Uint8Array(401) })).toBe('too-large');
  });

  it('no more mixed parts are kept than tell something', () => {
    const decoder = new UrDecoder(['xmr-output']);
    // Each has the first two fragments in it: they never come apart.
    const chooser = new FragmentChooser(7, 9);
    const numbers = Array.from({ length: 900 }, (_, i) => 8 + i).filter((seqNum) => {
      const indexes = chooser.indexes(seqNum);
      return indexes.includes(0) && indexes.includes(1);
    });
    const kinds = numbers.map((seqNum) => {
      const part: Part = { seqNum, seqLen: 7, messageLen: 70, checksum: 9, fragment: bytesOf(10, seqNum) };
      return decoder.take(`ur:xmr-output/${seqNum}-7/${toBytewords(encodePart(part))}`).kind;
    });
    expect(kinds.length).toBeGreaterThan(100);
    expect(kinds.filter((kind) => kind === 'new').length).toBe(3 * 7);
  });
});

describe('mixed parts of many fragments', () => {
  it('are kept up to a total of unknown ones: what is known makes room again, and plain parts complete the message', () => {
    const MOST = 700;
    const bytes = bytesOf(600);
    const encoder = new UrEncoder('xmr-output', bytes, 3);
    const chooser = new FragmentChooser(encoder.count, crc32(byteString(bytes)));
    const large = Array.from({ length: 3_000 }, (_, i) => encoder.count + 1 + i).filter(
      (seqNum) => chooser.indexes(seqNum).length > 60,
    );
    const decoder = new UrDecoder(['xmr-output'], MOST);
    let unknown = 0;
    for (const seqNum of large.slice(0, 60)) {
      const { length } = chooser.indexes(seqNum);
      const { kind } = decoder.take(encoder.part(seqNum));
      expect(kind).toBe(unknown + length <= MOST ? 'new' : 'repeated');
      if (kind === 'new') unknown += length;
    }
    expect(unknown).toBeGreaterThan(MOST / 2);
    for (let seqNum = 1; seqNum <= encoder.count / 2; seqNum++) decoder.take(encoder.part(seqNum));
    expect(large.slice(60, 90).map((seqNum) => decoder.take(encoder.part(seqNum)).kind)).toContain('new');
    let taken: ReadResult | undefined;
    for (let seqNum = 1; seqNum <= encoder.count && taken?.kind !== 'whole'; seqNum++) taken = decoder.take(encoder.part(seqNum));
    expect(taken?.kind === 'whole' && equalBytes(taken.bytes, bytes)).toBe(true);
  });
});

describe('fuzz', () => {
  const RUNS = Number(process.env.FUZZ_RUNS ?? 4_000);
  it('whatever is read, the decoder answers, and gives out nothing but the message', {
    timeout: Math.max(60_000, RUNS * 10),
  }, () => {
    const bytes = bytesOf(900);
    const encoder = new UrEncoder('xmr-txsigned', bytes, 60);
    const sampler = new TestSampler(20_261_122);
    let decoder = new UrDecoder(UR_TYPES);
    const kinds = new Map<string, number>();
    for (let run = 0; run < RUNS; run++) {
      const taken = decoder.take(sampler.below(3) === 0 ? encoder.part(1 + sampler.below(60)) : broken(encoder, sampler));
      kinds.set(taken.kind, (kinds.get(taken.kind) ?? 0) + 1);
      if (taken.kind === 'whole') expect(equalBytes(taken.bytes, bytes)).toBe(true);
      if (run % 50 === 49) decoder = new UrDecoder(UR_TYPES);
    }
    for (const kind of ['whole', 'new', 'repeated', 'torn', 'foreign']) expect(kinds.get(kind), kind).toBeGreaterThan(0);
  });

  /** A part with some letters changed, left out, repeated or put in. */
  function broken(encoder: UrEncoder, sampler: TestSampler): string {
    const letters = [...encoder.part(1 + sampler.below(40))];
    for (let changes = 1 + sampler.below(3); changes > 0; changes--) {
      const at = sampler.below(letters.length);
      const letter = String.fromCharCode(32 + sampler.below(95));
      letters.splice(at, sampler.below(3), ...(sampler.below(2) ? [letter] : []));
    }
    return letters.join('');
  }
});

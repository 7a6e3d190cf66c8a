import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../src/base/index.ts';
import { BlocksOutline } from '../../src/daemon/calls/blocks-outline.ts';
import { DaemonError } from '../../src/daemon/index.ts';
import { BLOCKS_REPLY } from '../../src/daemon/limits.ts';
import { decodePortableStorage, encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { reply } from './replies.ts';

const { array, text, u64 } = storage;

const PATH = '/get_blocks.bin';

function walk(bytesOfReply: Uint8Array, cuts: readonly number[] = []) {
  const outline = new BlocksOutline(PATH);
  for (const cut of [...cuts, bytesOfReply.length]) outline.follow(bytesOfReply.subarray(0, cut));
  return outline.finish();
}

describe('the walk over a blocks reply', () => {
  it('counts blocks and transactions wherever the stream is cut', () => {
    const whole = reply([3, 2, 0, 5]);
    const expected = walk(whole);
    expect(expected).toMatchObject({ startHeight: 1234, currentHeight: 5678, blocks: 4, transactions: 10 });
    for (let cut = 0; cut <= whole.length; cut++) expect(walk(whole, [cut]), `cut at ${cut}`).toEqual(expected);
    expect(
      walk(
        whole,
        Array.from({ length: whole.length }, (_, n) => n),
      ),
    ).toEqual(expected);
    expect(walk(reply([]))).toMatchObject({ blocks: 0, transactions: 0 });
  });

  it('T6 refuses a reply that ends early, goes on too long, or lacks a field', () => {
    const whole = reply([1, 1]);
    for (let end = 0; end < whole.length; end++)
      expect(() => walk(whole.subarray(0, end)), `ends at ${end}`).toThrow(DaemonError);
    expect(() => walk(Uint8Array.of(...whole, 0))).toThrow(DaemonError);
    for (const field of ['status', 'start_height', 'current_height']) {
      expect(() => walk(reply([1], { [field]: undefined })), field).toThrow(DaemonError);
    }
    expect(() => walk(reply([], { blocks: array({ of: 'uint8', items: new Uint8Array(3) }) }))).toThrow(DaemonError);
    expect(() => walk(reply([], { start_height: u64(2n ** 60n) }))).toThrow(DaemonError);
  });

  it('T6 stops at the first block or transaction too many, before they have arrived', () => {
    const codeAt = (bytesOfReply: Uint8Array, limits: typeof BLOCKS_REPLY) => {
      const outline = new BlocksOutline(PATH, limits);
      for (let at = 0; at < bytesOfReply.length; at++) {
        try {
          outline.follow(bytesOfReply.subarray(0, at + 1));
        } catch (error) {
          return { code: (error as DaemonError).code, at };
        }
      }
      return { code: 'no error', at: bytesOfReply.length };
    };
    expect(codeAt(reply([0, 0, 0]), { ...BLOCKS_REPLY, blocks: 2 })).toMatchObject({ code: 'too-large', at: expect.any(Number) });
    expect(codeAt(reply([0, 0, 0]), { ...BLOCKS_REPLY, blocks: 2 }).at).toBeLessThan(30);
    expect(codeAt(reply([2, 2, 2]), { ...BLOCKS_REPLY, transactions: 5 }).code).toBe('too-large');
    expect(codeAt(reply([2, 2, 1]), { ...BLOCKS_REPLY, transactions: 5 }).code).toBe('no error');
  });

  it('finds the offsets of blocks, output indices and all other fields', () => {
    const whole = reply([3, 2, 0]);
    const { blocks, indices, others, otherFields } = walk(whole).layout;
    const root = decodePortableStorage(whole);
    const sections = (name: string) => root.getObjects(name).map((entry) => encodePortableStorage(entry).subarray(9));
    const between = (starts: readonly number[]) => starts.slice(1).map((end, i) => whole.subarray(starts[i]!, end));
    expect(between(blocks)).toEqual(sections('blocks'));
    expect(between(indices)).toEqual(sections('output_indices'));
    expect(otherFields).toBe(6);
    const head = Uint8Array.of(...encodePortableStorage(storage.object({})).subarray(0, 9), otherFields << 2);
    const rest = decodePortableStorage(concatBytes(head, ...others.map(([from, to]) => whole.subarray(from, to))));
    for (const name of ['start_height', 'current_height', 'credits']) expect(rest.getNumber(name)).toBe(root.getNumber(name));
    expect([rest.getText('top_hash'), rest.getBoolean('untrusted'), rest.getText('status')]).toEqual(['', false, 'OK']);
  });

  it('T6 refuses a reply of many fields, of a field twice, or with a long status', () => {
    const fields = (count: number) =>
      reply([1], Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, storage.bool(true)])));
    expect(walk(fields(50)).blocks).toBe(1);
    expect(() => walk(fields(100))).toThrow(expect.objectContaining({ code: 'too-large' }));
    expect(() => walk(reply([1], { status: text('x'.repeat(201)) }))).toThrow(expect.objectContaining({ code: 'malformed' }));
    for (const [name, other] of [
      ['start_height', 'other_height'],
      ['blocks', 'blockz'],
    ] as const) {
      const twice = reply([1], { [other]: name === 'blocks' ? storage.objects([storage.object({})]) : u64(7) });
      twice.set(new TextEncoder().encode(name), Buffer.from(twice).indexOf(other));
      expect(() => walk(twice), name).toThrow(expect.objectContaining({ code: 'malformed' }));
    }
  });

  it('T6 says what a daemon that is busy says, and refuses blocks without their indices', () => {
    expect(() => walk(reply([], { status: text('BUSY') }))).toThrow(expect.objectContaining({ code: 'busy' }));
    expect(() => walk(reply([1, 1], { output_indices: undefined }))).toThrow(expect.objectContaining({ code: 'malformed' }));
  });

  it('T6 refuses deep nesting without recursing into it', () => {
    const header = [0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01];
    const level = [4, 1, 0x61, 12];
    const deep = Uint8Array.from([header, ...Array.from({ length: 50_000 }, () => level)].flat());
    expect(() => walk(deep)).toThrow(DaemonError);
    const arrays = Uint8Array.from(
      [header, [4, 1, 0x61], ...Array.from({ length: 50_000 }, () => [13 | 0x80, 4, 13 | 0x80])].flat(),
    );
    expect(() => walk(arrays)).toThrow(DaemonError);
  });
});

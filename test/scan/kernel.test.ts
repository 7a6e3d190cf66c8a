import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import {
  decodePortableStorage,
  encodePortableStorage,
  isProtocolError,
  parseBlock,
  parseTransaction,
  type StorageObject,
  serializeBlock,
  storage,
} from '../../src/protocol/index.ts';
import { resultOf } from '../../src/scan/columns.ts';
import { ScanError, type ScanFindings, ScanKernel, type ScanResult } from '../../src/scan/index.ts';
import { scanInSlices } from '../../src/scan/slices.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { OracleScanPool } from '../support/scan-oracle.ts';
import { buried, makeReply, Payee, replyOf } from './replies.ts';

await loadCrypto();

const payee = new Payee(7, 4);

/** Mutated replies a field module; the long form sets more. */
const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 400);
/** Bytes that hold one block of such a reply, or two. */
const SMALL_SLICE = 1_000;
const fixture = readFileSync(new URL('../fixtures/regtest.json', import.meta.url), 'utf8');

/** What two scans must agree on; offsets belong to each one's own buffer, so the bytes at them are compared instead. */
function comparable(result: ScanResult) {
  const bytes = new Uint8Array(result.buffer);
  const at = (offset: number, length: number) => bytesToHex(bytes.subarray(offset, offset + length));
  return {
    heights: [result.startHeight, result.currentHeight],
    blocks: Array.from(result.blocks, ({ txHashesOffset, coinbaseOffset, coinbaseLength, ...block }) => ({
      ...block,
      coinbase: at(coinbaseOffset, coinbaseLength),
      ids: at(txHashesOffset, 32 * (block.txCount - 1)),
    })),
    outputs: Array.from(result.outputs, ({ offset, length, ...output }) => ({
      ...output,
      tx: at(offset, length),
      txHash: bytesToHex(output.txHash),
      derivation: bytesToHex(output.derivation),
    })),
    keyImages: bytesToHex(result.keyImages),
    keyImageTx: Array.from({ length: result.keyImageTx.length / 4 }, (_, i) => {
      const [block, offset, length, ordinal] = result.keyImageTx.subarray(4 * i, 4 * i + 4) as unknown as number[];
      return [block, ordinal, at(offset!, length!)];
    }),
  };
}

/** The reply's bytes with one field of one of its blocks changed. */
function withBlockChanged(reply: Uint8Array, change: (blob: Uint8Array) => Uint8Array): ArrayBuffer {
  const root = decodePortableStorage(reply);
  const blocks = root.getObjects('blocks').map((entry) => with_(entry, 'block', storage.bytes(change(entry.getBytes('block')))));
  return encodePortableStorage(with_(root, 'blocks', storage.objects(blocks)!)).buffer;
}

function with_(object: StorageObject, name: string, entry: storage.StorageEntry): StorageObject {
  return new storage.StorageObject(new Map([...object.entries, [name, entry]]));
}

/** A reply of one block with these transactions, whole. The block is the genesis block with another list of ids. */
function wholeReply(txs: readonly { readonly hash: Uint8Array; readonly whole: Uint8Array }[]): ArrayBuffer {
  const genesis = new Uint8Array(Buffer.from(/"height": 0,\s*"blob": "(\w+)"/.exec(fixture)![1]!, 'hex'));
  const block = serializeBlock({ ...parseBlock(genesis), txHashes: txs.map(({ hash }) => hash) });
  const counts = [parseBlock(genesis).minerTx, ...txs.map(({ whole }) => parseTransaction(whole))].map((tx) => tx.outputs.length);
  const indices = counts.map((count) => storage.object({ indices: storage.u64s(new Array<bigint>(count).fill(1n)) }));
  const entry = {
    block: storage.bytes(block),
    pruned: storage.bool(false),
    txs: storage.byteStrings(txs.map(({ whole }) => whole)),
  };
  return encodePortableStorage(
    storage.object({
      blocks: storage.objects([storage.object(entry)]),
      output_indices: storage.objects([storage.object({ indices: storage.objects(indices) })]),
      start_height: storage.u64(0),
      status: storage.text('OK'),
    }),
  ).buffer;
}

/** The reply scanned as one, with the reply beside what was found. */
function whole(kernel: ScanKernel, reply: ArrayBuffer): ScanResult {
  return resultOf(kernel.scan(reply), reply);
}

/** The reply scanned in slices of so many bytes. */
function sliced(kernel: ScanKernel, reply: ArrayBuffer, sliceBytes: number): Promise<ScanResult> {
  return scanInSlices(reply, sliceBytes, async (make): Promise<ScanFindings> => kernel.scan(make()));
}

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ScanError) return error.code;
    throw error;
  }
  return 'none';
}

describe.each(['fma', 'ext'] as const)('scan kernel, %s', (force) => {
  let kernel: ScanKernel;
  const oracle = new OracleScanPool();

  beforeAll(async () => {
    kernel = await ScanKernel.load({ force });
    kernel.setAccount(payee.account());
    await oracle.setAccount(payee.account());
  });

  it('T10 finds what the decoders and the plain search find', async () => {
    let outputs = 0;
    for (let seed = 0; seed < 40; seed++) {
      const reply = makeReply(new TestSampler(seed), payee).slice().buffer;
      const ours = whole(kernel, reply);
      expect(comparable(ours)).toEqual(comparable(await oracle.scan(reply)));
      outputs += ours.outputs.length;
    }
    expect(outputs).toBeGreaterThan(100);
  });

  it('finds the same through batches that fill up', async () => {
    const reply = makeReply(new TestSampler(99), payee, { blocks: 12, txs: 60 }).slice().buffer;
    const ours = whole(kernel, reply);
    expect(comparable(ours)).toEqual(comparable(await oracle.scan(reply)));
    expect(ours.outputs.length).toBeGreaterThan(80);
  });

  it('finds the same in slices of a few blocks, or of one', async () => {
    for (const sliceBytes of [1, 2_000, 20_000]) {
      const reply = makeReply(new TestSampler(98), payee, { blocks: 12, txs: 20 }).slice().buffer;
      const ours = await sliced(kernel, reply, sliceBytes);
      expect(ours).toEqual(whole(kernel, reply));
      expect(ours.outputs.length).toBeGreaterThan(10);
    }
  });

  it('scans a reply of monerod', async () => {
    const hex = /"getBlocks": \{[^}]*"reply": "([0-9a-f]+)"/.exec(fixture)![1]!;
    const reply = new Uint8Array(Buffer.from(hex, 'hex')).buffer;
    const ours = whole(kernel, reply);
    expect(comparable(ours)).toEqual(comparable(await oracle.scan(reply)));
    expect(ours.blocks.length).toBeGreaterThan(0);
  });

  it('T5 checks whole transactions against their ids', async () => {
    const txs = Array.from(fixture.matchAll(/"hash": "(\w{64})",\s*"whole": "(\w+)"/g), ([, hash, whole]) => ({
      hash: Buffer.from(hash!, 'hex'),
      whole: new Uint8Array(Buffer.from(whole!, 'hex')),
    }));
    expect(txs.length).toBeGreaterThan(4);
    const honest = wholeReply(txs);
    expect(whole(kernel, honest).blocks.length).toBe(1);
    const last = txs.at(-1)!;
    last.whole = last.whole.slice();
    last.whole[last.whole.length - 1]! ^= 1;
    expect(await codeOf(() => kernel.scan(wholeReply(txs)))).toBe('id-mismatch');
  });

  it('T5 refuses pruned transactions that pose as whole', async () => {
    const reply = makeReply(new TestSampler(5), payee, { blocks: 2, txs: 6 });
    const root = decodePortableStorage(reply);
    const blocks = root.getObjects('blocks').map((entry) => with_(entry, 'pruned', storage.bool(false)));
    const posing = encodePortableStorage(with_(root, 'blocks', storage.objects(blocks)!));
    expect(['id-mismatch', 'bad-transaction']).toContain(await codeOf(() => kernel.scan(posing.buffer)));
  });

  it('T5 stops at a protocol version it does not know, once everything before it was given', async () => {
    const reply = makeReply(new TestSampler(3), payee, { blocks: 4, txs: 2 });
    let seen = 0;
    const from = (first: number) =>
      withBlockChanged(reply, (blob) => (seen++ >= first ? Uint8Array.of(17, ...blob.subarray(1)) : blob));
    expect(whole(kernel, from(3)).blocks.length).toBe(3);
    seen = 0;
    expect(await codeOf(() => kernel.scan(from(1)))).toBe('unknown-version');
    for (let first = 0; first < 4; first++) {
      for (const sliceBytes of [1, reply.length / 2]) {
        seen = 0;
        const changed = from(first);
        const inSlices = async () => (await sliced(kernel, changed, sliceBytes)).blocks;
        expect(await codeOf(inSlices)).toBe(await codeOf(() => kernel.scan(changed)));
        if (first > 1) expect(await inSlices()).toEqual(whole(kernel, changed).blocks);
      }
    }
  });

  it('T5 refuses heights, counts and statuses that contradict each other', async () => {
    const root = decodePortableStorage(makeReply(new TestSampler(4), payee, { blocks: 3, txs: 3 }));
    const code = (object: StorageObject) => codeOf(() => kernel.scan(encodePortableStorage(object).buffer));
    expect(await code(root)).toBe('none');
    expect(await code(with_(root, 'start_height', storage.u64(7)))).toBe('height-mismatch');
    expect(await code(with_(root, 'status', storage.text('BUSY')))).toBe('bad-status');
    const indices = root.getObjects('output_indices');
    expect(await code(with_(root, 'output_indices', storage.objects(indices.slice(1))!))).toBe('count-mismatch');
    expect(await code(with_(root, 'output_indices', storage.objects([...indices.slice(1), indices[0]!])!))).toBe(
      'count-mismatch',
    );
  });

  it('an empty reply at the tip has no blocks', () => {
    const reply = encodePortableStorage(storage.object({ status: storage.text('OK'), start_height: storage.u64(0) }));
    expect([...whole(kernel, reply.buffer).blocks]).toEqual([]);
  });

  it(
    'T6 any bytes give a result or a typed error, as the decoders say, in flat memory',
    async () => {
      const sampler = new TestSampler(1234);
      const before = kernel.memory;
      let accepted = 0;
      let both = 0;
      const replies = Array.from({ length: 10 }, (_, seed) => makeReply(new TestSampler(seed), payee, { blocks: 2, txs: 2 }));
      for (let round = 0; round < FUZZ_RUNS; round++) {
        const reply = mutate(sampler, sampler.pick(replies));
        const ours = await codeOf(() => kernel.scan(reply));
        expect((await codeOf(() => sliced(kernel, reply, SMALL_SLICE))) === 'none', 'in slices').toBe(ours === 'none');
        if (ours !== 'none') continue;
        accepted += 1;
        const theirs = await oracle.scan(reply).catch((error: unknown) => {
          if (!isProtocolError(error)) throw error;
        });
        // The decoders are stricter in places that a scan does not read (limits on names and numbers of fields).
        if (theirs === undefined) continue;
        both += 1;
        expect(comparable(whole(kernel, reply))).toEqual(comparable(theirs));
        expect(comparable(await sliced(kernel, reply, SMALL_SLICE))).toEqual(comparable(theirs));
      }
      expect(accepted).toBeGreaterThan(20);
      expect(both).toBeGreaterThan(accepted * 0.9);
      expect(kernel.memory - before).toBeLessThan(2 ** 20);
    },
    60_000 + 100 * FUZZ_RUNS,
  );

  it('T10 a key behind many others is found, and T6 keys times outputs cannot outgrow the bytes', () => {
    const found = (count: number, others: number) => {
      const sampler = new TestSampler(others);
      const reply = replyOf(sampler, payee, [[buried(sampler, payee, count, others)]]).slice().buffer;
      return [...whole(kernel, reply).outputs].filter(({ ordinal }) => ordinal === 1).length;
    };
    expect(found(2, 100)).toBe(2);
    expect(found(16, 120)).toBe(16);
    // 60 outputs and 4,000 keys: about 138 kB allow 576 keys to be tried with all outputs.
    expect(found(60, 4000)).toBe(0);
  });

  it('T6 counts larger than the reply are refused before anything is allocated', async () => {
    for (const name of ['blocks', 'output_indices']) {
      const head = encodePortableStorage(storage.object({})).subarray(0, 9);
      const huge = Uint8Array.of(
        ...head,
        4,
        name.length,
        ...Buffer.from(name),
        0x8c,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0x0f,
      );
      expect(await codeOf(() => kernel.scan(huge.slice().buffer))).toBe('bad-storage');
      expect(await codeOf(() => sliced(kernel, huge.slice().buffer, 1))).toBe('bad-storage');
    }
  });

  it('T6 the kernel holds some megabytes of a reply at a time, however long it is', async () => {
    const reply = makeReply(new TestSampler(8), payee, { blocks: 12, txs: 4 });
    const root = decodePortableStorage(reply);
    const padding = storage.bytes(new Uint8Array(3 * 2 ** 20));
    const blocks = root.getObjects('blocks').map((entry) => with_(entry, 'padding', padding));
    const padded = encodePortableStorage(with_(root, 'blocks', storage.objects(blocks)!)).buffer;
    const own = await ScanKernel.load({ force });
    own.setAccount(payee.account());
    expect(comparable(await sliced(own, padded, 2 ** 20))).toEqual(comparable(whole(kernel, reply.slice().buffer)));
    expect(own.memory).toBeLessThan(8 * 2 ** 20);
  });

  it('T6 replies of many megabytes share an instance, and leave no large one behind', () => {
    const reply = makeReply(new TestSampler(8), payee);
    const root = decodePortableStorage(reply);
    const padded = encodePortableStorage(with_(root, 'top_hash', storage.bytes(new Uint8Array(40 * 2 ** 20))));
    const result = whole(kernel, padded.buffer);
    const grown = kernel.memory;
    kernel.scan(padded.buffer);
    expect(kernel.memory).toBe(grown);
    kernel.scan(reply.slice().buffer);
    expect(kernel.memory).toBeLessThan(4 * 2 ** 20);
    expect(comparable(whole(kernel, result.buffer))).toEqual(comparable(result));
  });

  it('scans for nobody once it has forgotten the account', async () => {
    const own = await ScanKernel.load({ force });
    const reply = makeReply(new TestSampler(1), payee).slice().buffer;
    expect(await codeOf(() => own.scan(reply))).toBe('no-account');
    own.setAccount(payee.account());
    expect(whole(own, reply).outputs.length).toBeGreaterThan(0);
    own.setAccount(new Payee(8, 2).account());
    expect([...whole(own, reply).outputs]).toEqual([]);
    own.forget();
    expect(await codeOf(() => own.scan(reply))).toBe('no-account');
  });
});

/** A few bytes changed, a piece cut out or doubled. */
function mutate(sampler: TestSampler, reply: Uint8Array): ArrayBuffer {
  const bytes = reply.slice();
  const how = sampler.below(5);
  if (how === 0) return bytes.slice(0, sampler.below(bytes.length)).buffer;
  if (how === 1) {
    const at = sampler.below(bytes.length);
    return Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1 + sampler.below(40))).buffer;
  }
  for (let i = 0; i <= sampler.below(3); i++) bytes[sampler.below(bytes.length)] = sampler.below(256);
  return bytes.buffer;
}

import { encodePortableStorage, type StorageEntry, storage } from '../../src/protocol/index.ts';

const { bool, byteStrings, bytes, object, objects, text, u64, u64s } = storage;

/** A reply as the reference writes one: `pruned` transactions are objects, whole ones byte strings. */
export function reply(blocks: readonly number[], fields: Record<string, StorageEntry | undefined> = {}): Uint8Array {
  const blob = new Uint8Array(300).fill(7);
  return encodePortableStorage(
    object({
      blocks: objects(
        blocks.map((txs, n) =>
          object({
            block: bytes(new Uint8Array(100 * n)),
            pruned: bool(true),
            txs:
              n % 2 === 0
                ? objects(
                    Array.from({ length: txs }, () => object({ blob: bytes(blob), prunable_hash: bytes(new Uint8Array(32)) })),
                  )
                : byteStrings(Array.from({ length: txs }, () => blob)),
          }),
        ),
      ),
      output_indices: objects(
        blocks.map((txs) =>
          object({ indices: objects(Array.from({ length: txs + 1 }, () => object({ indices: u64s([1n, 2n]) }))) }),
        ),
      ),
      start_height: u64(1234),
      current_height: u64(5678),
      credits: u64(0),
      top_hash: text(''),
      untrusted: bool(false),
      status: text('OK'),
      ...fields,
    }),
  );
}

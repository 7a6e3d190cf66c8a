/**
 * What a scan finds, in records of a fixed size: a list of chunks in the arena that grows while the scan goes on.
 *
 * A log is 16 bytes: first chunk, last chunk, records in all, size of a record. A chunk is 16 bytes (next chunk or 0, records in it),
 * then room for PER_CHUNK records.
 */
import { alloc } from '../memory';
import { OUT_OF_MEMORY, stop } from './errors';

const PER_CHUNK: u32 = 512;
const CHUNK_HEAD: usize = 16;

/** An empty log of records of `size` bytes. */
export function reset(log: usize, size: u32): void {
  store<u32>(log, 0);
  store<u32>(log, 0, 4);
  store<u32>(log, 0, 8);
  store<u32>(log, size, 12);
}

/** Room for one more record, not cleared; 0 (and the scan stopped) when the memory cannot grow. */
export function append(log: usize): usize {
  let chunk = <usize>load<u32>(log, 4);
  const size = <usize>load<u32>(log, 12);
  if (chunk == 0 || load<u32>(chunk, 4) == PER_CHUNK) {
    const fresh = alloc(CHUNK_HEAD + <usize>PER_CHUNK * size);
    if (fresh == 0) {
      stop(OUT_OF_MEMORY, 0);
      return 0;
    }
    store<u32>(fresh, 0);
    store<u32>(fresh, 0, 4);
    if (chunk) store<u32>(chunk, <u32>fresh);
    else store<u32>(log, <u32>fresh);
    store<u32>(log, <u32>fresh, 4);
    chunk = fresh;
  }
  const used = load<u32>(chunk, 4);
  store<u32>(chunk, used + 1, 4);
  store<u32>(log, load<u32>(log, 8) + 1, 8);
  return chunk + CHUNK_HEAD + <usize>used * size;
}

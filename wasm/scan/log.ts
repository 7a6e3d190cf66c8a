/** Findings of a scan, in records of a fixed size: a list of chunks in the arena that grows during the scan (`records.ts`). */
import { alloc } from '../memory';
import { OUT_OF_MEMORY, stop } from './errors';
import { CHUNK_COUNT, CHUNK_HEAD, CHUNK_NEXT, LOG_COUNT, LOG_FIRST, LOG_LAST, LOG_RECORD_SIZE } from './records';

const PER_CHUNK: u32 = 512;

/** An empty log of records of `size` bytes. */
export function reset(log: usize, size: u32): void {
  store<u32>(log, 0, LOG_FIRST);
  store<u32>(log, 0, LOG_LAST);
  store<u32>(log, 0, LOG_COUNT);
  store<u32>(log, size, LOG_RECORD_SIZE);
}

/** Room for one more record, not cleared; 0 (and the scan stopped) if the memory cannot grow. */
export function append(log: usize): usize {
  let chunk = <usize>load<u32>(log, LOG_LAST);
  const size = <usize>load<u32>(log, LOG_RECORD_SIZE);
  if (chunk == 0 || load<u32>(chunk, CHUNK_COUNT) == PER_CHUNK) {
    const fresh = alloc(CHUNK_HEAD + <usize>PER_CHUNK * size);
    if (fresh == 0) {
      stop(OUT_OF_MEMORY, 0);
      return 0;
    }
    store<u32>(fresh, 0, CHUNK_NEXT);
    store<u32>(fresh, 0, CHUNK_COUNT);
    if (chunk) store<u32>(chunk, <u32>fresh, CHUNK_NEXT);
    else store<u32>(log, <u32>fresh, LOG_FIRST);
    store<u32>(log, <u32>fresh, LOG_LAST);
    chunk = fresh;
  }
  const used = load<u32>(chunk, CHUNK_COUNT);
  store<u32>(chunk, used + 1, CHUNK_COUNT);
  store<u32>(log, load<u32>(log, LOG_COUNT) + 1, LOG_COUNT);
  return chunk + CHUNK_HEAD + <usize>used * size;
}

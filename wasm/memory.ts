/**
 * Linear memory.
 *
 * There is no garbage collector and there are no objects: every value is a pointer (`usize`) to bytes that the caller owns. Two kinds of memory:
 *
 * - **Static**: constants, tables and small scratch, allocated by `memory.data(size, 16)` below `__heap_base`. Each function has its own scratch:
 *   no function calls itself, and an instance runs one call at a time, so static scratch is never used twice at once.
 * - **The arena**: everything from `__heap_base` up, a stack. A caller takes a mark, allocates, and releases back to the mark. The arena grows the
 *   memory as needed, but never past `MAX_PAGES`; memory never shrinks, so a host that has processed something huge in an instance drops it and
 *   creates another.
 *
 * Host and kernels use the same arena: the host allocates room for arguments, writes them, calls, reads, wipes, releases.
 */

/** 1 GiB: ten times the largest honest reply. */
const MAX_PAGES: i32 = 16384;

let top: usize = 0;

/** The current top of the arena, to be passed to `release`. */
export function mark(): usize {
  if (top == 0) top = align(__heap_base);
  return top;
}

/** `size` bytes aligned to 16, not cleared. Returns 0 if the memory cannot grow. */
export function alloc(size: usize): usize {
  const at = mark();
  const end = <u64>at + <u64>align(size);
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > MAX_PAGES) return 0;
  const have = memory.size();
  if (pages > have && memory.grow(pages - have) < 0) return 0;
  top = <usize>end;
  return at;
}

/** Releases everything allocated since the mark was taken. The bytes stay: wipe secrets first. */
export function release(to: usize): void {
  top = to;
}

/** Overwrites with zeros. */
export function wipe(at: usize, size: usize): void {
  memory.fill(at, 0, size);
}

@inline
function align(n: usize): usize {
  return (n + 15) & ~15;
}

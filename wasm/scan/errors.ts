/** Why a scan stopped, and where. The host maps the numbers to names: `src/scan/errors.ts`. */

export const OK: i32 = 0;
/** Not portable storage, or a field of an unexpected type. */
export const BAD_STORAGE: i32 = 1;
/** An invalid block blob. */
export const BAD_BLOCK: i32 = 2;
/** An invalid transaction blob. */
export const BAD_TRANSACTION: i32 = 3;
/** The numbers of blocks, transactions, ids and output indices do not match. */
export const COUNT_MISMATCH: i32 = 4;
/** A coinbase with a different height than the reply. */
export const HEIGHT_MISMATCH: i32 = 5;
/** A complete transaction whose bytes do not hash to its id. */
export const ID_MISMATCH: i32 = 6;
/** A block of an unknown, newer protocol version. */
export const UNKNOWN_VERSION: i32 = 7;
/** More blocks or transactions than a reply may have. */
export const TOO_LARGE: i32 = 8;
/** The memory cannot grow. */
export const OUT_OF_MEMORY: i32 = 9;
/** The daemon's status is not OK. */
export const BAD_STATUS: i32 = 10;

/** The first error of the current scan. */
export let code: i32 = OK;
/** Byte offset in memory at which it was detected. */
export let place: usize = 0;

/** Resets the error before a scan. */
export function clear(): void {
  code = OK;
  place = 0;
}

/** Records the first error. */
export function stop(why: i32, at: usize): void {
  if (code == OK) {
    code = why;
    place = at;
  }
}

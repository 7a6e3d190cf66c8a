/** Why a scan stopped, and where. The host gives the numbers names: `src/scan/errors.ts`. */

export const OK: i32 = 0;
/** Not portable storage, or a field of another type than expected. */
export const BAD_STORAGE: i32 = 1;
/** A block blob that is none. */
export const BAD_BLOCK: i32 = 2;
/** A transaction blob that is none. */
export const BAD_TRANSACTION: i32 = 3;
/** Blocks, transactions, their ids and their output indices do not agree in number. */
export const COUNT_MISMATCH: i32 = 4;
/** A coinbase that states another height than the reply. */
export const HEIGHT_MISMATCH: i32 = 5;
/** A whole transaction whose bytes do not hash to its id. */
export const ID_MISMATCH: i32 = 6;
/** A block of a protocol version newer than known. */
export const UNKNOWN_VERSION: i32 = 7;
/** More blocks or transactions than a reply may hold. */
export const TOO_LARGE: i32 = 8;
/** The memory cannot grow. */
export const OUT_OF_MEMORY: i32 = 9;
/** The daemon says another status than OK. */
export const BAD_STATUS: i32 = 10;

/** The first error of the scan under way. */
export let code: i32 = OK;
/** Byte offset in memory where it showed. */
export let place: usize = 0;

/** Before a scan: no error has shown yet. */
export function clear(): void {
  code = OK;
  place = 0;
}

/** Keeps the first error. */
export function stop(why: i32, at: usize): void {
  if (code == OK) {
    code = why;
    place = at;
  }
}

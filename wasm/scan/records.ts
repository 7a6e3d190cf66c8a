/**
 * Results of a scan for its host, and their layout: offsets and sizes in bytes. All of these are exports of the module, and the host reads them
 * there (`src/scan/records.ts`): the layout of a record is defined only here. Places are addresses.
 */

/** The result: code and place in the reply where it stopped, u32 each; heights, u64 each; then three logs (`log.ts`). */
export const RESULT_CODE: usize = 0;
export const RESULT_STOPPED_AT: usize = 4;
export const RESULT_START_HEIGHT: usize = 8;
export const RESULT_CURRENT_HEIGHT: usize = 16;
export const RESULT_BLOCKS: usize = 24;
export const RESULT_KEY_IMAGES: usize = 40;
export const RESULT_MATCHES: usize = 56;
export const RESULT_SIZE: usize = 72;

/** A log and its chunks, u32 each; a chunk's records follow its head. */
export const LOG_FIRST: usize = 0;
export const LOG_LAST: usize = 4;
export const LOG_COUNT: usize = 8;
export const LOG_RECORD_SIZE: usize = 12;
export const CHUNK_NEXT: usize = 0;
export const CHUNK_COUNT: usize = 4;
export const CHUNK_HEAD: usize = 16;

/** A block: ids of 32 bytes; u32 each but for the timestamp, which is u64. */
export const BLOCK_ID: usize = 0;
export const BLOCK_PREVIOUS_ID: usize = 32;
export const BLOCK_COINBASE_ID: usize = 64;
export const BLOCK_HEIGHT: usize = 96;
export const BLOCK_MAJOR_VERSION: usize = 100;
export const BLOCK_MINOR_VERSION: usize = 104;
/** Number of transactions, including the coinbase, and the address of the other ids. */
export const BLOCK_TRANSACTIONS: usize = 108;
export const BLOCK_HASHES: usize = 112;
/** Address of the coinbase, and its size. */
export const BLOCK_COINBASE: usize = 116;
export const BLOCK_COINBASE_SIZE: usize = 120;
export const BLOCK_TIMESTAMP: usize = 128;
export const BLOCK_SIZE: usize = 136;

/** A key image: 32 bytes; then, u32 each, its block's position, place and bytes of its transaction, its position in the block. */
export const IMAGE_KEY: usize = 0;
export const IMAGE_BLOCK: usize = 32;
export const IMAGE_TX: usize = 36;
export const IMAGE_TX_SIZE: usize = 40;
export const IMAGE_ORDINAL: usize = 44;
export const IMAGE_SIZE: usize = 48;

/** A match of an output with a key: derivation, 32 bytes, secret; u32 each, the additional key's index i32, -1 for none. */
export const MATCH_DERIVATION: usize = 0;
export const MATCH_OUTPUT_KEY: usize = 32;
export const MATCH_OUTPUT_INDEX: usize = 36;
export const MATCH_RANK: usize = 40;
export const MATCH_ADDITIONAL: usize = 44;
export const MATCH_BLOCK: usize = 48;
export const MATCH_ORDINAL: usize = 52;
export const MATCH_TX: usize = 56;
export const MATCH_TX_SIZE: usize = 60;
export const MATCH_INDICES: usize = 64;
export const MATCH_INDEX_COUNT: usize = 68;
export const MATCH_SPEND_KEY: usize = 72;
export const MATCH_SIZE: usize = 80;

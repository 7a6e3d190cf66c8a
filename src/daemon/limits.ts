/** Limits of each answer (T6), and of one request to a restricted daemon (core_rpc_server.cpp). Bytes, unless named otherwise. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** Small answers: info, heights, fees, a header. */
export const SMALL = 256 * KIB;
/** 1,000 headers of about 1.1 kB each. */
export const HEADERS = 4 * MIB;
/** 10,000 ids, 32 bytes each, with slack. */
export const HASHES = 2 * MIB;
/** 100 transactions in hex: each below 2 × 150 kB, with slack for whole blocks of miners' sizes. */
export const TRANSACTIONS = 64 * MIB;
/** 1,000 outputs of about 150 bytes. */
export const OUTS = MIB;
/** One or two bytes per block compressed; ten if every varint has its full length. */
export const DISTRIBUTION = 64 * MIB;
/** Four numbers for each requested amount. */
export const HISTOGRAM = 16 * MIB;
/** 24 raw bytes in a JSON string for each unconfirmed transaction. */
export const BACKLOG = 16 * MIB;
/** 64 digits for each unconfirmed transaction. */
export const POOL_HASHES = 16 * MIB;
/** A number for each of 1,000 key images. */
export const KEY_IMAGES = MIB;

/** A blocks reply ends once it passes 1,000 blocks, 20,000 transactions or 100 MiB; the last block may overshoot. */
export const BLOCKS_REPLY = { bytes: 132 * MIB, blocks: 1_000, transactions: 20_000 + 12_000, pooled: 50_000 };
/** Most pool ids in one reply, removed ones and those without bytes: as many as a pool of 648 MB could hold. */
export const POOL_IDS = 500_000;
/** Replies with blocks by height are not cut off: few are requested. */
export const BLOCKS_BY_HEIGHT = 132 * MIB;

/** As many as a restricted daemon serves (`RESTRICTED_TRANSACTIONS_COUNT`). */
export const TRANSACTIONS_A_CALL = 100;
/** As many as the reference requests; restricted daemons serve 5,000. */
export const OUTS_A_CALL = 1_000;
/** Restricted daemons serve 5,000. */
export const KEY_IMAGES_A_CALL = 1_000;
/** As many as a restricted daemon serves (`RESTRICTED_BLOCK_HEADER_RANGE`). */
export const HEADERS_A_CALL = 1_000;
/** Whole blocks: few, since one may be large. */
export const BLOCKS_A_CALL = 50;

/**
 * Number of newest blocks that are verified whole from an untrusted daemon: an hour's, in which a payment is awaited. Older payments stay
 * unverified.
 */
export const WATCHED_BLOCKS = 30;

import { eraAtHeight, type Network } from '../protocol/index.ts';

/** Networks that the chain may imitate: regtest has mainnet's genesis block and addresses. */
export type ChainNetwork = Exclude<Network, 'mainnet'>;

/**
 * The rules of the test chain: those of the newest protocol version from block 1 on, as a regtest monerod has
 * them (cryptonote_config.h). Block 0 is mainnet's genesis block, so mainnet's addresses are used.
 */
export const ERA = eraAtHeight('regtest', 1);

const GENESIS_COINBASE =
  '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd0' +
  '98715ebcf7f410daebc582fda69d24a28e9d0bc890d1';
const STAGENET_COINBASE =
  '013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86fb55a4cf6' +
  'a36d31431be1c53a3bd7411bb24e8832410289fa6f3b';
/** Version 1, timestamp 0, no parent; the nonce and the coinbase are a network's own, and nothing else is in it. */
const genesisBlob = (nonce: string, coinbase: string): string => `010000${'00'.repeat(32)}${nonce}${coinbase}00`;

/** The genesis block of each as on the wire, 133 bytes. */
export const GENESIS_BLOB_HEX: Readonly<Record<ChainNetwork, string>> = {
  regtest: genesisBlob('10270000', GENESIS_COINBASE),
  testnet: genesisBlob('11270000', GENESIS_COINBASE),
  stagenet: genesisBlob('12270000', STAGENET_COINBASE),
};

/** Major and minor version of every block after the genesis block. */
export const BLOCK_VERSION = ERA.version;
/** Seconds between blocks that the emission and the fees assume. */
export const TARGET_SECONDS = ERA.blockSeconds;
/** Members of every ring. */
export const RING_SIZE = ERA.ringSize.min;
/** Fewest outputs of a transaction with hidden amounts: one alone would show that there is no change. */
export const MIN_OUTPUTS = ERA.minOutputs;
/** Blocks whose timestamps' median a new block must not be older than. */
export const TIMESTAMP_WINDOW = 60;
/** Seconds that a block's timestamp may be ahead of the clock. */
export const FUTURE_TIME_LIMIT = 7200;
/** Blocks whose weights make the short-term median. */
export const REWARD_WINDOW = 100;
/** Blocks whose weights make the long-term median. */
export const LONG_TERM_WINDOW = 100_000;
/** The short-term median may be this many times the long-term one. */
export const SURGE_FACTOR = 50;
/** Bytes that a template keeps free for the coinbase transaction. */
export const COINBASE_RESERVED_WEIGHT = 600;
/** From this many RingCT outputs on, the choice of ring members of a submitted transaction is checked for plausibility. */
export const SANITY_CHECK_FROM_OUTPUTS = 10_000;

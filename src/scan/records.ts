/** Fields of the records that a scan leaves in the kernel's memory: `wasm/scan/records.ts`, which describes each of them. */
const FIELDS = [
  'RESULT_CODE',
  'RESULT_STOPPED_AT',
  'RESULT_START_HEIGHT',
  'RESULT_CURRENT_HEIGHT',
  'RESULT_BLOCKS',
  'RESULT_KEY_IMAGES',
  'RESULT_MATCHES',
  'RESULT_SIZE',
  'LOG_FIRST',
  'LOG_COUNT',
  'LOG_RECORD_SIZE',
  'CHUNK_NEXT',
  'CHUNK_COUNT',
  'CHUNK_HEAD',
  'BLOCK_ID',
  'BLOCK_PREVIOUS_ID',
  'BLOCK_COINBASE_ID',
  'BLOCK_HEIGHT',
  'BLOCK_MAJOR_VERSION',
  'BLOCK_MINOR_VERSION',
  'BLOCK_TRANSACTIONS',
  'BLOCK_HASHES',
  'BLOCK_COINBASE',
  'BLOCK_COINBASE_SIZE',
  'BLOCK_TIMESTAMP',
  'BLOCK_SIZE',
  'IMAGE_KEY',
  'IMAGE_BLOCK',
  'MATCH_DERIVATION',
  'MATCH_OUTPUT_INDEX',
  'MATCH_RANK',
  'MATCH_ADDITIONAL',
  'MATCH_BLOCK',
  'MATCH_ORDINAL',
  'MATCH_TX',
  'MATCH_TX_SIZE',
  'MATCH_INDICES',
  'MATCH_INDEX_COUNT',
  'MATCH_SPEND_KEY',
  'MATCH_SIZE',
] as const;

type Field = (typeof FIELDS)[number];

/** The offsets as the kernel exports them. */
export type RecordExports = Readonly<Record<Field, WebAssembly.Global>>;

/** Offsets and sizes in bytes. */
export type RecordLayout = Readonly<Record<Field, number>>;

/** Record layouts that the kernel exports. */
export function recordLayoutOf(exports: RecordExports): RecordLayout {
  return Object.fromEntries(FIELDS.map((field) => [field, Number(exports[field].value)])) as RecordLayout;
}

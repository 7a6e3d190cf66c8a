import { type Height, RctType, type TxOutput } from '../../model.ts';
import type { Era, PublicNetwork } from '../era.ts';
import { ONE_TIME_KEYS } from './outputs.ts';

/** Protocol versions 1 to 16: one-time keys, and rings from the chain's own outputs, with hidden amounts since version 4. */

const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const { Full, Simple, Bulletproof, Bulletproof2, CLSAG, BulletproofPlus } = RctType;

const RCT_TYPES: readonly (readonly [from: number, types: readonly RctType[]])[] = [
  [16, [BulletproofPlus]],
  [15, [CLSAG, BulletproofPlus]],
  [14, [CLSAG]],
  [13, [Bulletproof2, CLSAG]],
  [11, [Bulletproof2]],
  [10, [Bulletproof, Bulletproof2]],
  [9, [Bulletproof]],
  [8, [Full, Simple, Bulletproof]],
  [4, [Full, Simple]],
  [1, []],
];

const ZONES: readonly (readonly [from: number, weight: number])[] = [
  [5, 300_000],
  [2, 60_000],
  [1, 20_000],
];
/** Bytes that a block template reserves for its coinbase (CRYPTONOTE_COINBASE_BLOB_RESERVED_SIZE). */
const COINBASE_RESERVED_WEIGHT = 600;

const RING_SIZES: readonly (readonly [from: number, min: number, max: number])[] = [
  [16, 16, 16],
  [15, 11, 16],
  [8, 11, 11],
  [7, 7, UNBOUNDED],
  [6, 5, UNBOUNDED],
  [2, 3, UNBOUNDED],
  [1, 1, UNBOUNDED],
];

/** First heights of versions 1 to 16 (hardforks.cpp). */
const FIRST_HEIGHTS: Readonly<Record<PublicNetwork, readonly Height[]>> = {
  mainnet: [
    0, 1_009_827, 1_141_317, 1_220_516, 1_288_616, 1_400_000, 1_546_000, 1_685_555, 1_686_275, 1_788_000, 1_788_720, 1_978_433,
    2_210_000, 2_210_720, 2_688_888, 2_689_608,
  ],
  stagenet: [
    0, 32_000, 33_000, 34_000, 35_000, 36_000, 37_000, 176_456, 177_176, 269_000, 269_720, 454_721, 675_405, 676_125, 1_151_000,
    1_151_720,
  ],
  testnet: [
    0, 624_634, 800_500, 801_219, 802_660, 971_400, 1_057_027, 1_057_058, 1_057_778, 1_154_318, 1_155_038, 1_308_737, 1_543_939,
    1_544_659, 1_982_800, 1_983_520,
  ],
};

function since<Row extends readonly [number, ...unknown[]]>(rows: readonly Row[], version: number): Row {
  return rows.find(([from]) => version >= from)!;
}

/** No view tags before version 15, on all outputs from version 16 on; in version 15 on all outputs of a transaction or none. */
function allowsOutputs(version: number, outputs: readonly TxOutput[]): boolean {
  const tagged = outputs.filter((output) => output.viewTag !== undefined).length;
  return (version >= 15 && tagged === outputs.length) || (version <= 15 && tagged === 0);
}

function makeEra(version: number): Era {
  const [, min, max] = since(RING_SIZES, version);
  const [, fullRewardZone] = since(ZONES, version);
  return {
    version,
    firstHeight: {
      mainnet: FIRST_HEIGHTS.mainnet[version - 1]!,
      stagenet: FIRST_HEIGHTS.stagenet[version - 1]!,
      testnet: FIRST_HEIGHTS.testnet[version - 1]!,
    },
    coinbaseVersions: version < 12 ? [1, 2] : [2],
    rctTypes: since(RCT_TYPES, version)[1],
    ringSize: { min, max },
    minOutputs: version < 12 ? 1 : 2,
    maxExtra: 1060,
    blockSeconds: version < 2 ? 60 : 120,
    fullRewardZone,
    maxWeight: (version >= 8 ? fullRewardZone / 2 : fullRewardZone) - COINBASE_RESERVED_WEIGHT,
    clearPaymentIds: version < 12,
    allowsOutputs: (outputs) => allowsOutputs(version, outputs),
    outputs: ONE_TIME_KEYS,
    kernel: 'derivations',
  };
}

/** Versions 1 to 16, in the chain's order. */
export const RINGCT: readonly Era[] = Array.from({ length: FIRST_HEIGHTS.mainnet.length }, (_, i) => makeEra(i + 1));

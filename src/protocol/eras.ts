import { ProtocolError } from './errors.ts';
import { type Height, type Network, RctType, type TxOutput } from './model.ts';

/**
 * Which rules hold at which protocol version (the major version of blocks). Whoever builds or checks a transaction asks
 * its era, so that the next upgrade is another row and another owner of the schemes it names.
 */
export interface Era {
  readonly version: number;
  /** How an output names its receiver. `cryptonote`: one-time keys from a shared secret. */
  readonly addressScheme: 'cryptonote';
  /** How an input hides which output it spends. `ring`: one of several listed outputs. */
  readonly inputScheme: 'ring';
  /** Transaction versions that may be mined. Version 1 lasts for amounts that cannot be mixed. */
  readonly transactionVersions: readonly (1 | 2)[];
  readonly coinbaseVersions: readonly (1 | 2)[];
  /** `plain` outputs have no view tag, `tagged` ones must; `either` is one or the other in all of a transaction. */
  readonly outputs: 'plain' | 'either' | 'tagged';
  /** RingCT types that may be mined, ascending; none before RingCT. */
  readonly rctTypes: readonly RctType[];
  /** Sizes of rings that may be mined; version 1 amounts that cannot be mixed are exempt. */
  readonly ringSize: { readonly min: number; readonly max: number };
  readonly minOutputs: number;
  readonly feeRule: 'fixed-per-kb' | 'dynamic-per-kb' | 'per-byte' | 'per-byte-2021';
  /** Whether nodes refuse outputs younger than ten blocks; before, only wallets did. */
  readonly enforcesAge: boolean;
  /** Whether unlock times are compared with the chain's time, not the node's clock. */
  readonly deterministicUnlockTime: boolean;
  /** Whether a coinbase must create exactly what it may. */
  readonly exactCoinbase: boolean;
}

/** The newest version that this program knows: a block of a later one stops it (T5). */
export const NEWEST_VERSION = 16;

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

const RING_SIZES: readonly (readonly [from: number, min: number, max: number])[] = [
  [16, 16, 16],
  [15, 11, 16],
  [8, 11, 11],
  [7, 7, UNBOUNDED],
  [6, 5, UNBOUNDED],
  [2, 3, UNBOUNDED],
  [1, 1, UNBOUNDED],
];

function since<Row extends readonly [number, ...unknown[]]>(rows: readonly Row[], version: number): Row {
  return rows.find(([from]) => version >= from)!;
}

function outputsOf(version: number): Era['outputs'] {
  if (version < 15) return 'plain';
  return version === 15 ? 'either' : 'tagged';
}

function feeRuleOf(version: number): Era['feeRule'] {
  if (version < 4) return 'fixed-per-kb';
  if (version < 8) return 'dynamic-per-kb';
  return version < 15 ? 'per-byte' : 'per-byte-2021';
}

function makeEra(version: number): Era {
  const [, min, max] = since(RING_SIZES, version);
  return {
    version,
    addressScheme: 'cryptonote',
    inputScheme: 'ring',
    transactionVersions: version < 4 ? [1] : [1, 2],
    coinbaseVersions: version < 12 ? [1, 2] : [2],
    outputs: outputsOf(version),
    rctTypes: since(RCT_TYPES, version)[1],
    ringSize: { min, max },
    minOutputs: version < 12 ? 1 : 2,
    feeRule: feeRuleOf(version),
    enforcesAge: version >= 12,
    deterministicUnlockTime: version >= 13,
    exactCoinbase: version < 2 || version >= 13,
  };
}

const ERAS: readonly Era[] = Array.from({ length: NEWEST_VERSION }, (_, i) => makeEra(i + 1));

/**
 * The rules at a protocol version.
 * @throws ProtocolError `unknown-era` for a version that this program does not know (T5)
 */
export function eraOf(majorVersion: number): Era {
  const era = ERAS[majorVersion - 1];
  if (era !== undefined) return era;
  throw new ProtocolError(
    'unknown-era',
    `expected a block of protocol version 1 to ${NEWEST_VERSION}, got ${majorVersion}: a newer version of this program is needed`,
    { version: majorVersion, newest: NEWEST_VERSION },
  );
}

/** Whether the kinds of a transaction's outputs are those of the era (check_output_types). */
export function allowsOutputs(era: Era, outputs: readonly TxOutput[]): boolean {
  const tagged = outputs.filter((output) => output.viewTag !== undefined).length;
  if (era.outputs === 'plain') return tagged === 0;
  if (era.outputs === 'tagged') return tagged === outputs.length;
  return tagged === 0 || tagged === outputs.length;
}

/** First heights of versions 1 to 16 on the public networks (hardforks.cpp). */
const FORK_HEIGHTS: Readonly<Record<Exclude<Network, 'regtest'>, readonly Height[]>> = {
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

/** First height of a protocol version. Regtest starts with the newest one at block 1. */
export function forkHeight(network: Network, version: number): Height {
  const { version: known } = eraOf(version);
  if (network === 'regtest') return known === 1 ? 0 : 1;
  return FORK_HEIGHTS[network][known - 1]!;
}

/** The rules of the block at a height, as far as the upgrades known here go. */
export function eraAtHeight(network: Network, height: Height): Era {
  if (network === 'regtest') return eraOf(height === 0 ? 1 : NEWEST_VERSION);
  const heights = FORK_HEIGHTS[network];
  let version = 1;
  while (version < heights.length && height >= heights[version]!) version++;
  return eraOf(version);
}

import { ProtocolError } from '../errors.ts';
import type { Height, Network, TxPrefix } from '../model.ts';
import type { Era, KernelName, OutputScheme } from './era.ts';
import { RINGCT } from './ringct/index.ts';

export type {
  Era,
  KernelName,
  KeysNeeded,
  OutputScheme,
  OutputsAsked,
  OutputsFlaw,
  ProofFlaw,
  ProofSystem,
  SecretKeys,
  SharedOutputs,
  Spend,
} from './era.ts';
export { countTxKeys, hasEncryptedPaymentId } from './ringct/sender.ts';

/** The eras that this program knows, in the chain's order: version n is at position n − 1. Later ones are added as another line. */
const ERAS: readonly Era[] = [
  ...RINGCT, // 1 … 16
];

/** The newest version that this program knows: a block of a later one stops it (T5). */
export const NEWEST_VERSION = ERAS.length;

/**
 * Era of a protocol version.
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

/** Era of the block at a height, as far as upgrades are known here. Regtest has the newest version from block 1 on. */
export function eraAtHeight(network: Network, height: Height): Era {
  if (network === 'regtest') return eraOf(height === 0 ? 1 : NEWEST_VERSION);
  return ERAS.findLast(({ firstHeight }) => height >= firstHeight[network]) ?? eraOf(1);
}

/** Scheme of the outputs that a wallet recorded without naming one: all of them, so far. */
export const RECORDED_OUTPUTS: OutputScheme = RINGCT[0]!.outputs;

/** The chain had reached this version when the program was written: no payment uses an older one, whatever height a daemon reports. */
const REACHED = 16;

/**
 * The era of a payment that will be mined at a height.
 * @param height at least what the wallet itself has scanned: an older era has weaker rules
 */
export function eraOfPayment(network: Network, height: Height): Era {
  return eraOf(Math.max(eraAtHeight(network, height).version, REACHED));
}

/**
 * The newest era that allows the form of a transaction's outputs; its scheme opens them. Only this form shows the era of a transaction in
 * the pool, in a file or in a proof. If forms are mixed, which no era allows, the first output decides.
 */
export function eraOfOutputs({ outputs }: Pick<TxPrefix, 'outputs'>): Era {
  const allowing = (some: TxPrefix['outputs']) => ERAS.findLast((era) => era.allowsOutputs(some));
  return allowing(outputs) ?? allowing(outputs.slice(0, 1)) ?? eraOf(NEWEST_VERSION);
}

/** The newest version whose blocks a kernel scans. */
export const newestVersionScannedBy = (kernel: KernelName): number => ERAS.findLast((era) => era.kernel === kernel)!.version;

import type { AddressKeys, Network } from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import type { SpentOutput } from '../spend/construct.ts';
import type { Signer } from '../spend/signer.ts';

/** Statement of a proof by a device that one secret makes R from G (or B) and D from A. 32 bytes each. */
export interface DeviceProofAsked {
  /** The hash that is signed. */
  readonly hash: Uint8Array;
  /** The recipient's public keys. */
  readonly A: Uint8Array;
  readonly B: Uint8Array | undefined;
  /** The transaction key, sealed by the device. */
  readonly txKey: Uint8Array;
}

/**
 * A connected device that holds a spend key: implemented by `src/device`. It shows its owner what it signs, and its answers are checked
 * where possible. Every failure is typed, and leaves the wallet unchanged.
 */
export interface SpendDevice extends Signer {
  /** Name of the device, for the person. */
  readonly label: string;
  /** Version of the app on the device, as `2.2.0`. */
  readonly appVersion: string;
  /** Public keys of its wallet, 32 bytes each. */
  readonly keys: AddressKeys;
  /** The network in its settings; mainnet for regtest too, which has the same addresses. */
  readonly network: Network;
  /**
   * Number of recipients that its screen holds, not counting change: more are paid by several transactions. Undefined if it has no limit of
   * its own.
   */
  readonly recipientsAtOnce: number | undefined;
  /** Whether it was disconnected, or its app stopped: connect again. */
  readonly ended: boolean;
  /** The secret view key, 32 bytes: the device asks its owner first. */
  viewKey(): Promise<Uint8Array>;
  /** Lends it the wallet's secret view key, 32 bytes, to check change with. Neither copied nor wiped. @internal */
  lend(viewKey: Uint8Array): void;
  /**
   * Shows an address on the device and waits until its owner has looked; their verdict they give here. @param paymentId 8 bytes, for the
   * primary address only
   */
  showAddress(index: SubaddressIndex, paymentId?: Uint8Array): Promise<void>;
  /**
   * Key images of outputs, 32 bytes each, each proved to belong to its output.
   * @internal
   * @param onEach called with the number done so far
   */
  keyImages(
    outputs: readonly SpentOutput[],
    onEach?: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<readonly Uint8Array[]>;
  /** The shared point D = r·A, and the proof, 64 bytes. @internal */
  prove(request: DeviceProofAsked): Promise<{ readonly shared: Uint8Array; readonly signature: Uint8Array }>;
  /** Disconnects. Idempotent. */
  close(): Promise<void>;
}

/** Recipients that any supported device can show at once. */
export const SHOWN_BY_ANY_DEVICE = 3;

/** Finds and opens a device. */
export type DeviceConnector = () => Promise<SpendDevice>;

import type { AddressKeys, Network } from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import type { SpentOutput } from '../spend/construct.ts';
import type { Signer } from '../spend/signer.ts';

/** A proof that one secret makes R of G (or of B) and D of A: what is asked of a device for it. 32 bytes each. */
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
 * A device that holds a spend key, connected: implemented by `src/device`. It shows its owner what it signs, and what it answers is checked where it
 * can be. Every failure is typed, and leaves the wallet as it was.
 */
export interface SpendDevice extends Signer {
  /** Name of the device, for the person. */
  readonly label: string;
  /** Version of the app on the device, as `2.2.0`. */
  readonly appVersion: string;
  /** Public keys of its wallet, 32 bytes each. */
  readonly keys: AddressKeys;
  /** The network that it is set to; mainnet for regtest too, which has the same addresses. */
  readonly network: Network;
  /** How many recipients its screen holds, change not counted: more are paid by several transactions. Undefined for as many as one has room for. */
  readonly recipientsAtOnce: number | undefined;
  /** It went away, or its app stopped: connect anew. */
  readonly ended: boolean;
  /** The secret view key, 32 bytes: the device asks its owner first. */
  viewKey(): Promise<Uint8Array>;
  /** Lends it the wallet's secret view key, 32 bytes, which change is checked with. Not copied, not wiped. @internal */
  lend(viewKey: Uint8Array): void;
  /** Shows an address on the device and waits until its owner has looked; what they think of it they say here. @param paymentId 8 bytes, of the first address alone */
  showAddress(index: SubaddressIndex, paymentId?: Uint8Array): Promise<void>;
  /**
   * Key images of outputs, 32 bytes each, each proved to be of its output.
   * @internal
   * @param onEach told how many are done
   */
  keyImages(
    outputs: readonly SpentOutput[],
    onEach?: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<readonly Uint8Array[]>;
  /** The shared point D = r·A, and the proof, 64 bytes. @internal */
  prove(asked: DeviceProofAsked): Promise<{ readonly shared: Uint8Array; readonly signature: Uint8Array }>;
  /** Lets it go. Idempotent. */
  close(): Promise<void>;
}

/** However small its screen, a device shows so many recipients at once. */
export const SHOWN_BY_ANY_DEVICE = 3;

/** Finds and opens a device. */
export type DeviceConnector = () => Promise<SpendDevice>;

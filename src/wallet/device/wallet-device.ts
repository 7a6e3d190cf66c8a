import { equalBytes, hexToBytes, SerialQueue } from '../../base/index.ts';
import { IDENTITY, isPoint, pointMul8, type Random } from '../../crypto/index.ts';
import { decodeAddress, sameAddress, toKeyImage } from '../../protocol/index.ts';
import type { OnSpendProgress } from '../api.ts';
import { WalletError } from '../errors.ts';
import type { WalletKeys } from '../keys.ts';
import type { OwnedOutput, SubaddressIndex } from '../model.ts';
import { keyImagesImported } from '../projection/unseen-spends.ts';
import type { Signer } from '../spend/signer.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { type DeviceConnector, type DeviceProofAsked, SHOWN_BY_ANY_DEVICE, type SpendDevice } from './port.ts';

/** The parts of an open wallet that its device needs. */
export interface DeviceHost {
  readonly state: WalletState;
  readonly keys: WalletKeys;
  readonly random: Random;
  /** Whether the daemon may learn what is ours (T24). */
  readonly trusted: boolean;
  addressOf(index: SubaddressIndex): string;
  append(events: readonly WalletEvent[], durability: 'strict'): Promise<void>;
  /** Does work while nothing is scanned; the scan goes on after it. */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves at the daemon's tip. */
  waitUntilSynced(): Promise<void>;
}

/**
 * The device that holds the spend key of a wallet of kind `device`. It is connected when it is needed and not before: looking at the wallet needs none.
 * A connection that ended is made anew.
 */
export class WalletDevice {
  readonly #host: DeviceHost;
  readonly #queue = new SerialQueue();
  readonly #learning = new SerialQueue();
  #connector: DeviceConnector | undefined;
  #device: SpendDevice | undefined;

  constructor(host: DeviceHost) {
    this.#host = host;
  }

  /** Whether the spend key of this wallet is on a device. */
  get isNeeded(): boolean {
    return this.#host.state.description.kind === 'device';
  }

  /** The connected device; undefined when there is none or its connection has ended. */
  get connected(): Pick<SpendDevice, 'label' | 'appVersion'> | undefined {
    return this.#device === undefined || this.#device.ended ? undefined : this.#device;
  }

  /** How to reach the device from now on. Nothing is connected yet. */
  use(connector: DeviceConnector): void {
    this.#connector = connector;
  }

  /**
   * Connects, unless it is connected still, and makes sure that it holds the keys of this wallet.
   * @throws WalletError `no-device`, `wrong-device`; DeviceError
   */
  connect(): Promise<SpendDevice> {
    return this.#queue.run(async () => {
      if (this.#device !== undefined && !this.#device.ended) return this.#device;
      if (this.#connector === undefined) throw new WalletError('no-device', 'expected the device of this wallet to be connected');
      this.#device = undefined;
      const device = await this.#connector();
      const { primary, viewKey } = this.#host.keys;
      if (!sameAddress(device.keys, primary)) {
        await device.close();
        throw new WalletError('wrong-device', 'expected the device that this wallet was made from, with the same account chosen');
      }
      device.lend(viewKey);
      this.#device = device;
      return device;
    });
  }

  /** Lets it go: another program may have it. Idempotent. */
  async release(): Promise<void> {
    const device = this.#device;
    this.#device = undefined;
    await device?.close();
  }

  /**
   * How many recipients one transaction may have, out of so many: what the device's screen holds. It is connected where that must be known.
   * @returns undefined for as many as a transaction has room for
   * @throws WalletError `no-device`, `wrong-device`; DeviceError
   */
  async recipientsAtOnce(wanted: number): Promise<number | undefined> {
    if (!this.isNeeded || wanted <= SHOWN_BY_ANY_DEVICE) return undefined;
    return (await this.connect()).recipientsAtOnce;
  }

  /** Signs on the device; its owner says yes there. @internal */
  readonly signer: Signer = {
    sign: async (payment, options) => (await this.connect()).sign(payment, options),
  };

  /**
   * Has the device tell the key images that are not known yet, in one go. Whatever spent those coins before was not seen: the blocks from the first of
   * them on are scanned again, and it resolves at the tip.
   * @returns how many
   * @throws WalletError `no-device`, `wrong-device`; DeviceError; the signal's reason: nothing is kept then. WalletError `no-daemon`,
   *   `sync-stopped` when all is kept and the scan does not come to its end.
   */
  async learnKeyImages(progress?: OnSpendProgress, signal?: AbortSignal): Promise<number> {
    return this.isNeeded ? this.#learning.run(() => this.#learn(progress, signal)) : 0;
  }

  async #learn(progress: OnSpendProgress | undefined, signal: AbortSignal | undefined): Promise<number> {
    const outputs = this.#imageless();
    if (outputs.length === 0) return 0;
    const device = await this.connect();
    const tell = (done: number) =>
      progress?.({ stage: 'key-images', number: Math.min(done + 1, outputs.length), of: outputs.length });
    tell(0);
    const told = await device.keyImages(outputs, tell, signal);
    const images = outputs.map(({ key }, i) => ({ key, keyImage: toKeyImage(told[i]!) }));
    const { append, still } = this.#host;
    const heights = outputs.map(({ height }) => height);
    await still(() => append(keyImagesImported(this.#host, images, heights), 'strict'));
    await this.#host.waitUntilSynced();
    return images.length;
  }

  /**
   * Shows an address on the device and waits until its owner has looked.
   * @param integrated the address with a payment id in it that the person was given
   * @returns the text that must be on its screen
   */
  async showAddress(index: SubaddressIndex, integrated?: string): Promise<string> {
    const text = integrated ?? this.#host.addressOf(index);
    const { paymentId } = decodeAddress(text, this.#host.keys.network);
    await (await this.connect()).showAddress(index, paymentId);
    return text;
  }

  /** A proof that the device makes of a payment. @internal @throws WalletError `no-device`, `wrong-device`; DeviceError */
  async prove(asked: DeviceProofAsked): Promise<{ readonly shared: Uint8Array; readonly signature: Uint8Array }> {
    return (await this.connect()).prove(asked);
  }

  #imageless(): OwnedOutput[] {
    const outputs = [...this.#host.state.outputs.values()].map(({ output }) => output);
    return outputs.filter(({ keyImage, txPublicKey }) => keyImage === undefined && isTakenByApp(hexToBytes(txPublicKey)));
  }
}

/**
 * Whether the app takes a public key of a transaction. It ends (2.2.0 and later) when it is given what is no point, or a point whose multiples
 * are few, as nobody makes either by chance: a stranger's coin with one would keep the device from ever telling the key images of the others.
 * Such a coin stays unspendable.
 */
const isTakenByApp = (key: Uint8Array): boolean => isPoint(key) && !equalBytes(pointMul8(key), IDENTITY);

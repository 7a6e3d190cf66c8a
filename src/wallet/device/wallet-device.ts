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
  /** Runs `work` while no scan is running; the scan continues afterwards. */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves at the daemon's tip. */
  waitUntilSynced(): Promise<void>;
}

/**
 * The device that holds the spend key of a wallet of kind `device`. It is connected only when needed: viewing the wallet does not need it.
 * A broken connection is made again.
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

  /** Sets how to reach the device. Nothing is connected yet. */
  use(connector: DeviceConnector): void {
    this.#connector = connector;
  }

  /**
   * Connects, unless still connected, and checks that the device holds this wallet's keys.
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

  /** Disconnects, so that another program can use it. Idempotent. */
  async release(): Promise<void> {
    const device = this.#device;
    this.#device = undefined;
    await device?.close();
  }

  /**
   * Number of recipients that one transaction may have, which the device's screen limits. Connects if that must be known.
   * @returns undefined if the device has no limit for this many
   * @throws WalletError `no-device`, `wrong-device`; DeviceError
   */
  async recipientsAtOnce(wanted: number): Promise<number | undefined> {
    if (!this.isNeeded || wanted <= SHOWN_BY_ANY_DEVICE) return undefined;
    return (await this.connect()).recipientsAtOnce;
  }

  /** Signs on the device, where its owner confirms. @internal */
  readonly signer: Signer = {
    sign: async (payment, options) => (await this.connect()).sign(payment, options),
  };

  /**
   * Has the device make all missing key images. Earlier spends of those coins were not seen, so the blocks from the first of them on are
   * scanned again; resolves at the tip.
   * @returns number of key images
   * @throws WalletError `no-device`, `wrong-device`; DeviceError; the signal's reason: then nothing is stored. WalletError `no-daemon`,
   *   `sync-stopped` when everything is stored but the scan does not finish.
   */
  async learnKeyImages(progress?: OnSpendProgress, signal?: AbortSignal): Promise<number> {
    return this.isNeeded ? this.#learning.run(() => this.#learn(progress, signal)) : 0;
  }

  async #learn(progress: OnSpendProgress | undefined, signal: AbortSignal | undefined): Promise<number> {
    const outputs = this.#imageless();
    if (outputs.length === 0) return 0;
    const device = await this.connect();
    const report = (done: number) =>
      progress?.({ stage: 'key-images', number: Math.min(done + 1, outputs.length), of: outputs.length });
    report(0);
    const answers = await device.keyImages(outputs, report, signal);
    const images = outputs.map(({ key }, i) => ({ key, keyImage: toKeyImage(answers[i]!) }));
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
  async prove(request: DeviceProofAsked): Promise<{ readonly shared: Uint8Array; readonly signature: Uint8Array }> {
    return (await this.connect()).prove(request);
  }

  #imageless(): OwnedOutput[] {
    const outputs = [...this.#host.state.outputs.values()].map(({ output }) => output);
    return outputs.filter(({ keyImage, txPublicKey }) => keyImage === undefined && isTakenByApp(hexToBytes(txPublicKey)));
  }
}

/**
 * Whether the app accepts a public key of a transaction. It ends (2.2.0 and later) when given something that is not a point, or a point of
 * small order, neither of which occurs by chance: a stranger's coin with one would keep the device from ever making the key images of the
 * others. Such a coin stays unspendable.
 */
const isTakenByApp = (key: Uint8Array): boolean => isPoint(key) && !equalBytes(pointMul8(key), IDENTITY);

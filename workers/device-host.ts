import { asciiToBytes, bytesToHex, messageOf } from '../src/base/index.ts';
import { keccak256, loadCrypto } from '../src/crypto/index.ts';
import { ledgerConnector } from '../src/device/connector.ts';
import { DeviceError, type DeviceErrorCode } from '../src/device/errors.ts';
import { workOf } from '../src/device/question.ts';
import type { DeviceTransport } from '../src/device/transport/port.ts';
import { type AddressKeys, decodeAddress, encodeAddress, type Network } from '../src/protocol/index.ts';
import {
  type Birth,
  type DeviceConnector,
  type NewWallet,
  type OnSpendProgress,
  type SpendDevice,
  type SubaddressIndex,
  type Wallet,
  type WalletEnvironment,
  WalletError,
  walletFromDevice,
} from '../src/wallet/index.ts';
import type { DeviceCalls, DeviceLink, DeviceMet, RestorePoint, WalletForm } from './host.ts';

/** What the device host needs of the wallet host. */
export interface DeviceHostWallets {
  readonly env: Pick<WalletEnvironment, 'random' | 'clock'>;
  /** @throws `not-open` */
  wallet(): Wallet;
  make(wallet: WalletForm, made: NewWallet): Promise<void>;
  birth(wallet: WalletForm, from: RestorePoint): Birth;
}

/** Digits of a fingerprint. */
const FINGERPRINT = 8;
const PRIMARY: SubaddressIndex = { major: 0, minor: 0 };

/** The worker's side of a hardware device: the wallet's requests go through the page, which owns the connection. */
export class DeviceHost implements DeviceCalls {
  readonly #host: DeviceHostWallets;
  readonly #connector: DeviceConnector;
  #link: DeviceLink | undefined;
  /** Connected device that no wallet was created from yet. */
  #met: SpendDevice | undefined;
  #network: Network = 'mainnet';
  #learning: AbortController | undefined;

  constructor(host: DeviceHostWallets) {
    this.#host = host;
    this.#connector = ledgerConnector(() => this.#open(), { random: host.env.random, watch: host.env.clock });
  }

  async link(open: DeviceLink['open'], exchange: DeviceLink['exchange'], close: DeviceLink['close']): Promise<void> {
    this.#link = { open, exchange, close };
  }

  async meet(network: Network): Promise<DeviceMet> {
    await loadCrypto();
    await this.#letGo();
    const device = await this.#connector();
    const own = network === 'regtest' ? 'mainnet' : network;
    if (device.network !== own) {
      await device.close();
      throw new DeviceError('wrong-network', `expected the device to be set to ${own}`, { network: device.network });
    }
    this.#met = device;
    this.#network = network;
    return describeDevice(device, network);
  }

  showPrimary(): Promise<void> {
    return this.#requireMet().showAddress(PRIMARY);
  }

  async create(form: WalletForm, from: RestorePoint): Promise<void> {
    await this.#host.make(form, await walletFromDevice(this.#requireMet(), this.#host.birth(form, from)));
    // The wallet exists now, whether or not the device is still connected.
    await this.connect().catch(() => undefined);
  }

  async fingerprint(): Promise<string> {
    const { network, primaryAddress } = this.#host.wallet().description;
    return fingerprintOf(decodeAddress(primaryAddress, network));
  }

  async connect(): Promise<DeviceMet> {
    const wallet = this.#wallet();
    return describeDevice(await wallet.device.connect(), wallet.description.network);
  }

  async release(): Promise<void> {
    await this.#letGo();
    await openOf(this.#host)?.device.release();
  }

  async showAddress(index: SubaddressIndex): Promise<void> {
    await this.#wallet().device.showAddress(index);
  }

  async asShown(addresses: readonly string[]): Promise<readonly string[]> {
    const { network } = this.#host.wallet().description;
    return addresses.map((text) => {
      const { kind, viewKey, spendKey } = decodeAddress(text, network);
      const shown = kind === 'subaddress' ? kind : 'standard';
      return encodeAddress({ network, kind: shown, viewKey, spendKey, paymentId: undefined });
    });
  }

  async keyImages(onProgress: OnSpendProgress): Promise<number> {
    const { device } = this.#wallet();
    this.#learning?.abort();
    const learning = new AbortController();
    this.#learning = learning;
    return device.learnKeyImages(onProgress, learning.signal);
  }

  async stopKeyImages(): Promise<void> {
    this.#learning?.abort();
  }

  /** The open wallet, with its device connector set. */
  #wallet(): Wallet {
    const wallet = this.#host.wallet();
    wallet.device.use(() => this.#take());
    this.#network = wallet.description.network;
    return wallet;
  }

  /** The connected device, or a new connection. */
  async #take(): Promise<SpendDevice> {
    const met = this.#met;
    this.#met = undefined;
    return met === undefined || met.ended ? this.#connector() : met;
  }

  #requireMet(): SpendDevice {
    if (this.#met === undefined) throw new WalletError('no-device', 'expected a device that was met');
    return this.#met;
  }

  async #letGo(): Promise<void> {
    const met = this.#met;
    this.#met = undefined;
    await met?.close();
  }

  async #open(): Promise<DeviceTransport> {
    const link = this.#link;
    if (link === undefined) throw new WalletError('no-device', 'expected the page to lend its way to a device');
    const label = await fromPage(link.open());
    return {
      label,
      exchange: (apdu) => fromPage(link.exchange(apdu, workOf(apdu, this.#network))),
      // The device is not used again, so a failure to close it does not matter.
      close: () => link.close().catch(() => undefined),
    };
  }
}

/** The open wallet; undefined if there is none. */
function openOf(host: DeviceHostWallets): Wallet | undefined {
  try {
    return host.wallet();
  } catch {
    return undefined;
  }
}

function describeDevice({ label, appVersion, keys }: SpendDevice, network: Network): DeviceMet {
  const address = encodeAddress({ network, kind: 'standard', ...keys, paymentId: undefined });
  return { label, appVersion, fingerprint: fingerprintOf(keys), address };
}

function fingerprintOf({ viewKey, spendKey }: AddressKeys): string {
  return bytesToHex(keccak256(asciiToBytes('nightjar device\0'), viewKey, spendKey)).slice(0, FINGERPRINT);
}

/** Converts an error from the page back into a DeviceError. */
async function fromPage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { room, code, data } = error as { readonly room?: string; readonly code?: string; readonly data?: unknown };
    const message = messageOf(error);
    if (room === 'DeviceError') throw new DeviceError(code as DeviceErrorCode, message, data as DeviceError['data'], error);
    throw new DeviceError('disconnected', 'expected the page to reach the device', {}, error);
  }
}

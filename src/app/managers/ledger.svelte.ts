import type { DeviceMet, DeviceQuestion, DeviceWork, WalletHost } from '../../../workers/client.ts';
import { WebDeviceLink } from '../../../workers/device-link.ts';
import type { Network } from '../../protocol/model.ts';
import type { OnSpendProgress, SubaddressIndex } from '../../wallet/index.ts';
import { registerErrorTexts } from '../errors.ts';
import { LEDGER_TEXTS } from '../ledger-errors.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

registerErrorTexts('DeviceError', LEDGER_TEXTS);

/**
 * The connected Ledger and its progress. The worker makes the requests; WebHID works only in this thread, which passes them on. Calls that may
 * show the browser's device chooser need a user gesture.
 */
class Ledger {
  /** The connected Ledger. */
  met: DeviceMet | undefined = $state.raw();
  /** What the Ledger is asking its owner to confirm. */
  question: DeviceQuestion | undefined = $state.raw();
  /** Step of signing the current transaction. */
  step: DeviceWork['step'] = $state();
  /** Number of requests for the current transaction. */
  done = $state(0);
  readonly #link: WebDeviceLink;
  /** The worker that has the link. */
  #linked: WalletHost | undefined;

  constructor() {
    this.#link = new WebDeviceLink({
      asked: (work) => this.#asked(work),
      answered: () => {
        this.question = undefined;
      },
      ended: () => {
        this.met = undefined;
        this.question = undefined;
        // The worker then connects anew instead of using a device that is gone.
        this.#linked?.device.release().catch(() => undefined);
      },
    });
    // Also after a crash of the worker, which closes nothing.
    wallet.onLeave(() => void this.#link.close());
  }

  /** Connects a Ledger to create a wallet from it. */
  async meet(network: Network): Promise<DeviceMet> {
    const host = await this.#reach();
    this.met = await host.device.meet(network);
    return this.met;
  }

  /** Shows the primary address on that Ledger. */
  async showPrimary(): Promise<void> {
    await session.host.device.showPrimary();
  }

  /** Connects the Ledger of the open wallet. */
  async ready(): Promise<DeviceMet> {
    const host = await this.#reach();
    this.met = await host.device.connect();
    return this.met;
  }

  /** Shows an address of the open wallet on the Ledger. Resolves when its owner confirmed it. */
  async showAddress(index: SubaddressIndex): Promise<void> {
    await this.ready();
    await session.host.device.showAddress(index);
  }

  /** Gets missing key images from the Ledger. @returns their number */
  async keyImages(onProgress: OnSpendProgress): Promise<number> {
    await this.ready();
    return session.host.device.keyImages(onProgress);
  }

  async stopKeyImages(): Promise<void> {
    await session.host.device.stopKeyImages();
  }

  /** Disconnects it, for other tabs and programs. */
  async release(): Promise<void> {
    await session.host.device.release();
    await this.#link.close();
  }

  /** Resets the progress before a transaction is signed. */
  begin(): void {
    this.done = 0;
    this.step = undefined;
  }

  async #reach(): Promise<WalletHost> {
    await this.#link.allow();
    const { host } = session;
    if (this.#linked !== host) {
      const link = this.#link;
      await host.device.link(
        () => link.open(),
        (apdu, work) => link.exchange(apdu, work),
        () => link.close(),
      );
      this.#linked = host;
    }
    return host;
  }

  #asked({ step, question }: DeviceWork): void {
    if (step === 'begin') this.done = 0;
    if (step !== undefined) this.step = step;
    this.done += 1;
    this.question = question;
  }
}

export const ledger = new Ledger();

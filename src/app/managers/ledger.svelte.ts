import type { DeviceMet, DeviceQuestion, DeviceWork, WalletHost } from '../../../workers/client.ts';
import { WebDeviceLink } from '../../../workers/device-link.ts';
import type { Network } from '../../protocol/model.ts';
import type { OnSpendProgress, SubaddressIndex } from '../../wallet/index.ts';
import { sayErrors } from '../errors.ts';
import { LEDGER_TEXTS } from '../ledger-errors.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

sayErrors('DeviceError', LEDGER_TEXTS);

/**
 * The Ledger of this page: what is connected, and what it is at. Requests are the worker's; this thread has the browser's leave, and carries them.
 * Calls that make the browser ask the person must come from a click.
 */
class Ledger {
  /** Connected now. */
  met: DeviceMet | undefined = $state.raw();
  /** Question to its owner at this moment. */
  question: DeviceQuestion | undefined = $state.raw();
  /** Where in signing a transaction it is. */
  step: DeviceWork['step'] = $state();
  /** Requests since that transaction began. */
  done = $state(0);
  readonly #link: WebDeviceLink;
  /** The worker that knows the way. */
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
        // The engine meets whatever is there next, rather than asking one that has gone.
        this.#linked?.device.release().catch(() => undefined);
      },
    });
    // A worker that died lets nothing go.
    wallet.onLeave(() => void this.#link.close());
  }

  /** Meets a Ledger that has no wallet here yet. */
  async meet(network: Network): Promise<DeviceMet> {
    const host = await this.#reach();
    this.met = await host.device.meet(network);
    return this.met;
  }

  /** It shows the primary address of the one that was met. */
  async showPrimary(): Promise<void> {
    await session.host.device.showPrimary();
  }

  /** Makes sure that the Ledger of the open wallet is connected. */
  async ready(): Promise<DeviceMet> {
    const host = await this.#reach();
    this.met = await host.device.connect();
    return this.met;
  }

  /** It shows an address of the open wallet. Resolves when its owner has looked. */
  async showAddress(index: SubaddressIndex): Promise<void> {
    await this.ready();
    await session.host.device.showAddress(index);
  }

  /** @returns how many it told */
  async keyImages(onProgress: OnSpendProgress): Promise<number> {
    await this.ready();
    return session.host.device.keyImages(onProgress);
  }

  async stopKeyImages(): Promise<void> {
    await session.host.device.stopKeyImages();
  }

  /** Another tab or program may have it. */
  async release(): Promise<void> {
    await session.host.device.release();
    await this.#link.close();
  }

  /** A transaction is about to be signed. */
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

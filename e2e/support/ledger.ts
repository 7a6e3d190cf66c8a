import type { BrowserContext } from '@playwright/test';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import type { HidPipe } from '../../src/device/transport/hid.ts';
import type { AppOptions, MoneroApp } from '../../test/support/ledger/app.ts';
import { liveApp } from '../../test/support/ledger/device.ts';
import { hidPipeTo } from '../../test/support/ledger/hid.ts';
import type { Owner, Shown } from '../../test/support/ledger/screen.ts';

/** What the page's end is told: reports that came back, and whether the device is gone. */
interface Told {
  readonly reports: readonly string[];
  readonly gone: boolean;
}

/** A status word by itself, as the device's system answers while its PIN is asked for. */
const LOCKED = Uint8Array.of(0x55, 0x15);

/** A Ledger on the desk: its app is the tests' double, and the browser meets it as a HID device with reports of 64 bytes. */
export class DeskLedger {
  /** Everything that it showed, in order. */
  readonly screens: Shown[] = [];
  /** What its owner says to what is shown. */
  owner: Owner = () => true;
  /** Its PIN is asked for. */
  locked = false;
  /** It is pulled out once it has answered so many requests more. */
  unplugAfter = Number.POSITIVE_INFINITY;
  #app: MoneroApp | undefined;
  #pipe: HidPipe | undefined;
  #reports: string[] = [];
  readonly #context: BrowserContext;

  constructor(context: BrowserContext) {
    this.#context = context;
    this.#app = this.make();
  }

  /** The app of another seed, version or network, or another app. */
  make(options: Partial<AppOptions> = {}): MoneroApp {
    return liveApp({
      ...options,
      owner: (shown) => {
        this.screens.push(shown);
        return this.owner(shown);
      },
    });
  }

  /** What is on its last screen. */
  get shown(): Shown | undefined {
    return this.screens.at(-1);
  }

  /** Plugs an app in, in place of what was plugged in; pulls it out without one. */
  async plug(app: MoneroApp | undefined): Promise<void> {
    await this.#pull();
    app?.reopen();
    this.#app = app;
  }

  get app(): MoneroApp | undefined {
    return this.#app;
  }

  async #pull(): Promise<void> {
    this.#app = undefined;
    this.#pipe = undefined;
    await Promise.all(this.#context.pages().map((page) => page.evaluate(() => window.dispatchEvent(new Event('ledger-pulled')))));
  }

  isPlugged(): boolean {
    return this.#app !== undefined;
  }

  open(): void {
    const app = this.#app;
    if (app === undefined) throw new Error('expected a device to be plugged in');
    const answer = app.answer.bind(app);
    const guarded = new Proxy(app, {
      get: (target, name) =>
        name !== 'answer'
          ? Reflect.get(target, name)
          : async (apdu: Uint8Array) => {
              if (this.locked) return LOCKED;
              this.unplugAfter -= 1;
              return this.unplugAfter < 0 ? undefined : answer(apdu);
            },
    });
    this.#pipe = hidPipeTo(guarded);
    this.#pipe.listen(
      (report) => this.#reports.push(bytesToHex(report)),
      () => {
        this.#app = undefined;
        this.#pipe = undefined;
      },
    );
  }

  async take(report: string): Promise<Told> {
    const pipe = this.#pipe;
    if (pipe === undefined) return { reports: [], gone: true };
    await pipe.send(hexToBytes(report));
    const reports = this.#reports.splice(0);
    return { reports, gone: this.#pipe === undefined };
  }
}

/** Puts a Ledger before a browser: `navigator.hid` of every page that is opened from now on has it. */
export async function putLedger(context: BrowserContext): Promise<DeskLedger> {
  await loadCrypto();
  const desk = new DeskLedger(context);
  await context.exposeFunction('ledgerPlugged', () => desk.isPlugged());
  await context.exposeFunction('ledgerOpen', () => desk.open());
  await context.exposeFunction('ledgerTake', (report: string) => desk.take(report));
  await context.addInitScript(fakeHid);
  return desk;
}

/** Its owner takes their time over one screen, and says yes to the others. */
export function held(desk: DeskLedger, title: string): { say(word: boolean): void } {
  let say = (_: boolean): void => undefined;
  const answer = new Promise<boolean>((resolve) => {
    say = resolve;
  });
  desk.owner = (shown) => (shown.title === title ? answer : true);
  return { say: (word) => say(word) };
}

/** Runs in the page, before its own scripts: the browser's side of HID, as far as WebHID is used. */
function fakeHid(): void {
  // Not in the empty page that a tab begins with.
  if (!window.location.protocol.startsWith('http')) return;
  const desk = window as unknown as {
    ledgerPlugged(): Promise<boolean>;
    ledgerOpen(): Promise<void>;
    ledgerTake(report: string): Promise<{ reports: string[]; gone: boolean }>;
  };
  const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const hid = new EventTarget();
  let allowed = sessionStorage.getItem('ledger-allowed') === 'yes';
  let device: Device | undefined;

  class Device extends EventTarget {
    readonly productName = 'Nano S Plus';
    readonly collections = [{ usagePage: 0xffa0 }];
    opened = false;

    async open(): Promise<void> {
      await desk.ledgerOpen();
      this.opened = true;
    }

    async close(): Promise<void> {
      this.opened = false;
    }

    async sendReport(_: number, data: Uint8Array): Promise<void> {
      if (!this.opened || data.length !== 64) throw new DOMException('expected an open device and 64 bytes', 'NotAllowedError');
      void desk.ledgerTake(toHex(data)).then(({ reports, gone }) => {
        for (const report of reports)
          this.dispatchEvent(Object.assign(new Event('inputreport'), { data: new DataView(fromHex(report).buffer) }));
        if (gone) pulled();
      });
    }
  }

  function pulled(): void {
    const gone = device;
    device = undefined;
    if (gone !== undefined) hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: gone }));
  }

  const there = async (): Promise<Device[]> => {
    if (!(await desk.ledgerPlugged())) return [];
    device ??= new Device();
    return [device];
  };
  window.addEventListener('ledger-pulled', pulled);
  Object.assign(hid, {
    getDevices: async () => (allowed ? there() : []),
    requestDevice: async () => {
      if (!navigator.userActivation.isActive) throw new DOMException('expected a click', 'SecurityError');
      const chosen = await there();
      allowed ||= chosen.length > 0;
      if (allowed) sessionStorage.setItem('ledger-allowed', 'yes');
      return chosen;
    },
  });
  Object.defineProperty(navigator, 'hid', { value: hid });
}

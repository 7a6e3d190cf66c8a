import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import playwright from '../../playwright.config.ts';
import { watch } from './watch.ts';

/** Two devices that see each other's screen and nothing else: a browser each, whose camera is a film of the other one. */

/** Pictures of a film that the browser plays in a second. */
const SPEED = 30;
/** How often each picture of a code that changes is repeated. */
const REPEATED = 6;
/** Pixels of a film's side; an even number, as the browser wants it. */
const SIDE = 480;
/** Pixels of a screen's height. */
const HEIGHT = 900;

export interface Device {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Points the camera at a part of another device's screen: at all parts of a code that changes, or at one that stands still. */
  look(at: Locator): Promise<void>;
  /** Shows the camera one picture after the other, a second each. */
  see(pictures: readonly Buffer[]): void;
  close(): Promise<void>;
}

export interface DeviceOptions {
  readonly url: string;
  readonly proxy?: string;
  /** The person does not allow the camera. */
  readonly refusing?: boolean;
  readonly args?: readonly string[];
}

/** The headless shell has no camera to film with, and stores no tabs. */
export const WHOLE_CHROMIUM = '/usr/bin/chromium';

/** A browser process of its own, with a camera. @param options.proxy through which all of its requests go */
export async function startDevice({ url, proxy, refusing = false, args = [] }: DeviceOptions): Promise<Device> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-camera-'));
  const film = join(folder, 'seen.mjpeg');
  const browser: Browser = await chromium.launch({
    ...playwright.use?.launchOptions,
    executablePath: WHOLE_CHROMIUM,
    ...(proxy === undefined ? {} : { proxy: { server: proxy, bypass: '<-loopback>' } }),
    args: [
      ...(playwright.use?.launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
      ...(refusing ? [] : ['--use-fake-ui-for-media-stream']),
      ...args,
    ],
  });
  const context = await browser.newContext({ viewport: { width: SIDE, height: HEIGHT }, reducedMotion: 'reduce', baseURL: url });
  watch(context);
  const page = await context.newPage();
  return {
    page,
    context,
    look: async (at) => writeFileSync(film, repeated(await picturesOf(at), REPEATED)),
    see: (pictures) => writeFileSync(film, repeated(pictures, SPEED)),
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const repeated = (pictures: readonly Buffer[], times: number): Buffer =>
  Buffer.concat(pictures.flatMap((picture) => new Array<Buffer>(times).fill(picture)));

/** One picture of a code, with a little of what is around it, as a camera sees it. */
export async function pictureOf(code: Locator): Promise<Buffer> {
  const box = await code.boundingBox();
  if (!box) throw new Error('expected a code on the screen');
  const { width, height } = code.page().viewportSize() ?? { width: SIDE, height: HEIGHT };
  const y = Math.max(0, Math.min(Math.round(box.y + box.height / 2 - SIDE / 2), height - SIDE));
  // A screen that is narrower is seen with nothing beside it.
  const clip = { x: 0, y, width: Math.min(SIDE, width), height: SIDE };
  return code.page().screenshot({ type: 'jpeg', quality: 85, clip });
}

/** Pauses a code that changes at a part that was not seen, in the page, where that cannot come too late. @returns what the page says of the part */
function pauseAtOther(part: Element, { button, seen }: { button: Element; seen: readonly string[] }): Promise<string> {
  return new Promise((resolve) => {
    const pause = (): void => {
      const label = part.textContent ?? '';
      if (seen.includes(label)) return;
      changes.disconnect();
      (button as HTMLButtonElement).click();
      resolve(label);
    };
    const changes = new MutationObserver(pause);
    changes.observe(part, { characterData: true, childList: true, subtree: true });
    pause();
  });
}

/** A picture of each part of a code, which is paused for it; one of a code that does not change. */
async function picturesOf(code: Locator): Promise<readonly Buffer[]> {
  const page = code.page();
  await code.scrollIntoViewIfNeeded();
  const part = page.getByTestId('part');
  if ((await part.count()) === 0) return [await pictureOf(code)];
  const count = Number(/(\d+)\D*$/.exec((await part.textContent()) ?? '')?.[1]);
  const button = await page.getByRole('button', { name: 'Pause' }).elementHandle();
  if (!button) throw new Error('expected a button that pauses the code');
  const seen: string[] = [];
  const pictures: Buffer[] = [];
  while (pictures.length < count) {
    seen.push(await part.evaluate(pauseAtOther, { button, seen }));
    pictures.push(await pictureOf(code));
    // Not a person's click, which would bring the button into view and the code out of it.
    await button.evaluate((pause) => (pause as HTMLButtonElement).click());
  }
  return pictures;
}

/** A proxy that can be cut: what is asked after that is written down and refused. */
export interface Tap {
  readonly url: string;
  /** What was asked since it was cut. */
  readonly asked: readonly string[];
  cut(): void;
  close(): Promise<void>;
}

/** Where a browser looks for its own updates; no page is behind that. */
const THE_BROWSERS_OWN = /^(https?:\/\/)?[\w.-]+\.(google|googleapis|gvt1)\.com\b/;

/** @param own the only server that is let through */
export async function startTap(own: string): Promise<Tap> {
  const asked: string[] = [];
  let cut = false;
  const note = (url: string): boolean => {
    if (cut && !THE_BROWSERS_OWN.test(url)) asked.push(url);
    return !cut && url.startsWith(own);
  };
  const server: Server = createServer((asking, answer) => {
    const url = asking.url ?? '';
    if (!note(url)) {
      answer.writeHead(502).end();
      return;
    }
    const passed = request(url, { method: asking.method, headers: asking.headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asking.pipe(passed);
  });
  server.on('connect', (asking, socket) => {
    note(asking.url ?? '');
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cut: () => {
      cut = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

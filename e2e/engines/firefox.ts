import { type ElementHandle, launch, type Page, type Browser as Puppet } from 'puppeteer-core';
import { type Browser, PATIENCE, VIEWPORT } from './browser.ts';

/** Debian's firefox-esr, over WebDriver BiDi. */
export async function firefox(): Promise<Browser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    defaultViewport: VIEWPORT,
    args: ['--remote-allow-system-access'],
  });
  await stopWatchingWorkers(browser);
  const page = await browser.newPage();
  // The compiler names functions by a helper of its own, also those that run in the page.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
  return { version: (await browser.version()).replace('/', ' '), ...actions(page), close: () => browser.close() };
}

/** One end of WebDriver BiDi, as Puppeteer has it. */
interface Bidi {
  send(method: string, params: object): Promise<{ result: { contexts?: readonly { context: string }[] } }>;
}

/** Run once in each process: whoever listens for workers there does so no longer. */
const FORGET_WORKERS = "ChromeUtils.domProcessChild.getActor('WebDriverWorkerListener').didDestroy()";

/**
 * Firefox 153 tells WebDriver of each worker. A worker that starts another waits until that is done, and in one of twenty times is not woken
 * (`WorkerPrivate::WaitForIsDebuggerRegistered` shares its condition with the new worker's loop): it stands for ever. Where nobody listens, it does
 * not wait.
 */
async function stopWatchingWorkers(browser: Puppet): Promise<void> {
  const { connection } = browser as Puppet & { connection: Bidi };
  const { result } = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const context = result.contexts?.[0]?.context;
  const expression = `Services.ppmm.loadProcessScript(${JSON.stringify(`data:,${FORGET_WORKERS}`)}, true)`;
  await connection.send('script.evaluate', { expression, target: { context }, awaitPromise: false });
}

function actions(page: Page): Omit<Browser, 'version' | 'close'> {
  const find = (xpath: string): Promise<ElementHandle<HTMLElement>> => whenThere(page, xpath);
  const press = (xpath: string): Promise<void> => find(xpath).then((element) => element.click());
  return {
    async open(url) {
      await page.goto(url);
    },
    // Once more where it is drawn anew between being found and being pressed.
    click: (xpath) => press(xpath).catch(() => press(xpath)),
    async fill(xpath, text) {
      const element = await find(xpath);
      await element.evaluate((field) => (field as HTMLInputElement).select());
      await element.type(text);
    },
    text: (xpath) => find(xpath).then((element) => element.evaluate(({ textContent }) => textContent ?? '')),
    attribute: (xpath, name) =>
      find(xpath).then((element) => element.evaluate((found, wanted) => found.getAttribute(wanted) ?? '', name)),
    evaluate: (expression) => page.evaluate(expression),
    screenshot: () => page.screenshot(),
  };
}

/**
 * The first element of an XPath that can be used. Puppeteer's own ways to wait for one make a function out of text within the page, and its
 * content policy holds for them in some releases of Firefox.
 */
async function whenThere(page: Page, xpath: string): Promise<ElementHandle<HTMLElement>> {
  const handle = await page.evaluateHandle(awaitElement, xpath, PATIENCE);
  const element = handle.asElement();
  if (element === null) throw new Error(`expected ${xpath} within ${PATIENCE / 1000} s`);
  return element as ElementHandle<HTMLElement>;
}

/** Runs in the page, at each change of it. */
function awaitElement(xpath: string, patience: number): Promise<HTMLElement | undefined> {
  const look = () => {
    const found = document.evaluate(xpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
    return found instanceof HTMLElement && !found.matches(':disabled') ? found : undefined;
  };
  return new Promise((resolve) => {
    const end = (found: HTMLElement | undefined) => {
      watch.disconnect();
      clearTimeout(late);
      resolve(found);
    };
    const see = () => {
      const found = look();
      if (found) end(found);
    };
    const watch = new MutationObserver(see);
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const late = setTimeout(() => end(undefined), patience);
    see();
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, By, error, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '../../test/support/child.ts';
import { type Browser, PATIENCE, VIEWPORT } from './browser.ts';

const DRIVER = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';

/** WebKitGTK's own small browser, over WebDriver. Wants a display: a virtual one will do. */
export async function webkit(): Promise<Browser> {
  const port = await freePort();
  const profile = await mkdtemp(join(tmpdir(), 'nightjar-webkit-'));
  const env = { ...process.env, XDG_DATA_HOME: profile, XDG_CACHE_HOME: profile, XDG_CONFIG_HOME: profile };
  const service = spawn(DRIVER, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env });
  const ended = once(service, 'exit');
  const driver = await connect(`http://127.0.0.1:${port}`);
  const capabilities = await driver.getCapabilities();
  await driver.manage().window().setRect(VIEWPORT);
  return {
    version: `WebKitGTK ${capabilities.get('browserVersion')}`,
    ...actions(driver),
    async close() {
      await driver.quit();
      service.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The driver answers a moment after it was started. */
async function connect(url: string): Promise<WebDriver> {
  for (const since = Date.now(); ; ) {
    const answered = await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) break;
    if (Date.now() - since > PATIENCE) throw new Error(`expected ${DRIVER} to answer`);
  }
  return new Builder().usingServer(url).withCapabilities({ browserName: 'MiniBrowser' }).build();
}

/** False while something else lies over the element, as it may while the page is still being laid out. */
async function clicked(element: WebElement): Promise<boolean> {
  try {
    await element.click();
    return true;
  } catch (failure) {
    if (failure instanceof error.ElementClickInterceptedError) return false;
    throw failure;
  }
}

function actions(driver: WebDriver): Omit<Browser, 'version' | 'close'> {
  const present = (xpath: string): Promise<WebElement> => driver.wait(until.elementLocated(By.xpath(xpath)), PATIENCE);
  async function visible(xpath: string): Promise<WebElement> {
    const element = await present(xpath);
    await driver.wait(until.elementIsVisible(element), PATIENCE);
    await driver.wait(until.elementIsEnabled(element), PATIENCE);
    return element;
  }
  return {
    async open(url) {
      await driver.get(url);
    },
    async click(xpath) {
      const element = await visible(xpath);
      // To the middle of the screen: what lies under the bar at the bottom cannot be pressed.
      await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      await driver.wait(() => clicked(element), PATIENCE);
    },
    async fill(xpath, text) {
      const element = await visible(xpath);
      await element.clear();
      await element.sendKeys(text);
      // The driver answers before the last of the keys has arrived.
      await driver.wait(async () => (await element.getAttribute('value')) === text, PATIENCE);
    },
    text: async (xpath) => driver.executeScript<string>('return arguments[0].textContent', await present(xpath)),
    attribute: async (xpath, name) => (await (await present(xpath)).getAttribute(name)) ?? '',
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
  };
}

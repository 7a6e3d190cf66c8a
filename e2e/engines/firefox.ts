import { launch, type Page } from 'puppeteer-core';
import { type Browser, PATIENCE, VIEWPORT } from './browser.ts';

/** Debian's firefox-esr, over WebDriver BiDi. */
export async function firefox(): Promise<Browser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    defaultViewport: VIEWPORT,
  });
  const page = await browser.newPage();
  return { version: (await browser.version()).replace('/', ' '), ...actions(page), close: () => browser.close() };
}

function actions(page: Page): Omit<Browser, 'version' | 'close'> {
  const at = (xpath: string) => page.locator(`::-p-xpath(${xpath})`).setTimeout(PATIENCE);
  const present = (xpath: string) => at(xpath).setVisibility(null).setWaitForStableBoundingBox(false);
  return {
    async open(url) {
      await page.goto(url);
    },
    click: (xpath) => at(xpath).click(),
    fill: (xpath, text) => at(xpath).fill(text),
    text: (xpath) =>
      present(xpath)
        .map((element) => element.textContent ?? '')
        .wait(),
    async attribute(xpath, name) {
      const element = await present(xpath).waitHandle();
      return element.evaluate((found, wanted) => found.getAttribute(wanted) ?? '', name);
    },
    evaluate: (expression) => page.evaluate(expression),
    screenshot: () => page.screenshot(),
  };
}

import type { Browser, Launch } from './browser.ts';

/** A step of the journey: its name, and how long it took, in seconds. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
}

/** Where the page is served over its own test chain. */
export interface Site {
  readonly url: string;
  /** Has the server offer another build. */
  release(): Promise<void>;
  /** What that build's document carries. */
  readonly build: string;
}

const PASSWORD = 'correct horse battery';
/** Somebody else's address on the main network, whose form regtest shares. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const quoted = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`);
const button = (name: string): string => `//button[normalize-space()=${quoted(name)}]`;
const link = (name: string): string => `//a[normalize-space()=${quoted(name)}]`;
const linkWith = (text: string): string => `//main//a[contains(., ${quoted(text)})]`;
const heading = (name: string): string => `//*[self::h1 or self::h2][normalize-space()=${quoted(name)}]`;
const field = (label: string): string =>
  `//*[self::input or self::textarea][@id=//label[normalize-space()=${quoted(label)}]/@for or ancestor::label[normalize-space()=${quoted(label)}]]`;
const marked = (testId: string): string => `//*[@data-testid=${quoted(testId)}]`;
/** An element whose whole number of coins is above zero, as a screen reader has it. */
const amountAbove = (testId: string, coins: string): string =>
  `${marked(testId)}//*[contains(@class, 'visually-hidden')][number(substring-before(., ' monero')) > ${coins}]`;

/**
 * The main journey: a wallet is made, receives, pays, is locked and opened, keeps what it had through a reload, and comes back from its words
 * in a browser that knows nothing. A new version of the page waits until it is accepted.
 */
export async function* journey(launch: Launch, site: Site): AsyncGenerator<Step, void> {
  const browser = await launch();
  const words: string[] = [];
  try {
    yield* timed(browser, stepsOf(browser, site, words));
  } finally {
    await browser.close();
  }
  const fresh = await launch();
  try {
    yield* timed(fresh, restoring(fresh, site.url, words));
  } finally {
    await fresh.close();
  }
}

/** Hosts other than the page's own that its thread asked for something, and breaches of its content policy since it was opened. */
const BREACHES = `[
  ...performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /^https?:/.test(name) && !name.startsWith(location.origin)),
  ...(globalThis.breaches ?? []),
].join(' ')`;
const NOTE_BREACHES = `(() => {
  if (globalThis.breaches) return;
  globalThis.breaches = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => globalThis.breaches.push(violatedDirective, blockedURI));
})()`;

/** @throws Error where the page broke its policy or asked a stranger */
async function checkBreaches(browser: Browser): Promise<void> {
  const found = String(await browser.evaluate(BREACHES));
  if (found !== '') throw new Error(`expected the content policy to hold and no other host to be asked: ${found}`);
  await browser.evaluate(NOTE_BREACHES);
}

type Steps = readonly (readonly [name: string, run: () => Promise<void>])[];

async function* timed(browser: Browser, steps: Steps): AsyncGenerator<Step, void> {
  for (const [name, run] of steps) {
    const fail = (error: unknown): never => {
      throw new Error(`${name}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`, { cause: error });
    };
    const began = performance.now();
    await run().catch(fail);
    const seconds = (performance.now() - began) / 1000;
    await checkBreaches(browser).catch(fail);
    yield { name, seconds };
  }
}

function stepsOf(browser: Browser, site: Site, words: string[]): (readonly [string, () => Promise<void>])[] {
  const { url } = site;
  return [
    ['the page opens', () => browser.open(`${url}/#/create`)],
    ['a wallet is made', () => makeWallet(browser)],
    ['test coins arrive and can be spent', () => receive(browser)],
    ['an address with a label and its code', () => newAddress(browser, url)],
    ['a payment is reviewed and sent', () => pay(browser, url)],
    ['history tells both', () => history(browser, url)],
    ['a command of the wallet service is run', () => runCommand(browser, url)],
    ['the recovery words are shown', () => readWords(browser, url, words)],
    ['a reload locks; the password opens, and all is there', () => reopen(browser, url)],
    ['a new version waits, also when the page is opened anew', () => waitForYes(browser, site)],
    ['it is shown once it is accepted, and all is there', () => acceptVersion(browser, site)],
  ];
}

const restoring = (browser: Browser, url: string, words: readonly string[]) =>
  [['the words bring the wallet back in an empty browser', () => restore(browser, url, words)]] as const;

async function makeWallet(browser: Browser): Promise<void> {
  await nameIt(browser, 'Engines');
  await browser.click(button('Create the wallet'));
  await browser.text(marked('balance'));
}

async function nameIt(browser: Browser, name: string): Promise<void> {
  await browser.fill(field('Name of the wallet'), name);
  await browser.fill(field('New password'), PASSWORD);
  await browser.fill(field('New password, again'), PASSWORD);
}

async function receive(browser: Browser): Promise<void> {
  // Until then Home is still being filled, and the button moves.
  await browser.text(`//*[contains(text(), 'Up to date')]`);
  await browser.click(button('Get test coins'));
  await browser.text(amountAbove('balance', '9'));
  await browser.text(`//main[.${marked('balance')} and not(.${marked('locked')})]`);
}

async function newAddress(browser: Browser, url: string): Promise<void> {
  await browser.open(`${url}/#/receive`);
  await browser.click(button('New'));
  await browser.fill(field('What is it for?'), 'Order 7');
  await browser.click(button('Make the address'));
  await browser.text(`//main//*[contains(text(), 'Order 7')]`);
  const address = await browser.attribute(marked('address'), 'data-address');
  if (!/^8[1-9A-HJ-NP-Za-km-z]{94}$/.test(address)) throw new Error(`expected a subaddress, got ${address}`);
}

async function pay(browser: Browser, url: string): Promise<void> {
  await browser.open(`${url}/#/send`);
  await browser.fill(field('Address'), PAYEE);
  await browser.fill(field('Amount'), '1.25');
  await browser.click(button('Review'));
  await browser.text(heading('Check before it goes'));
  await browser.click(button('Send now'));
  await browser.text(heading('Sent'));
  await browser.click(link('Done'));
}

async function history(browser: Browser, url: string): Promise<void> {
  await browser.open(`${url}/#/history`);
  await browser.text(linkWith('Received'));
  await browser.text(linkWith('Sent'));
}

/** Its code is loaded on demand by the wallet worker. */
async function runCommand(browser: Browser, url: string): Promise<void> {
  await browser.open(`${url}/#/settings/console`);
  await browser.fill(field('Command'), 'get_balance');
  await browser.click(button('Run'));
  await browser.text(`${marked('result')}[contains(., 'unlocked_balance')]`);
}

async function readWords(browser: Browser, url: string, words: string[]): Promise<void> {
  await browser.open(`${url}/#/recovery`);
  await browser.fill(field('Password'), PASSWORD);
  await browser.click(button('Show the words'));
  await browser.text(`${marked('seed')}//*[contains(@class, 'word')]`);
  const shown = await browser.evaluate(
    `Array.from(document.querySelectorAll('[data-testid=seed] .word'), ({ textContent }) => textContent.trim()).join(' ')`,
  );
  words.push(...String(shown).split(' '));
  if (words.length !== 16) throw new Error(`expected 16 words, got ${words.length}`);
}

async function reopen(browser: Browser, url: string): Promise<void> {
  // Another address first: the same one with another part behind # would not load the page anew.
  await browser.open('about:blank');
  await browser.open(`${url}/`);
  await browser.fill(field('Password'), PASSWORD);
  await browser.click(button('Unlock'));
  await browser.text(amountAbove('balance', '8'));
}

const OFFER = `//*[contains(text(), 'A new version is ready')]`;
const pageOf = (build: string): string => `//meta[@name='build'][@content=${quoted(build)}]`;

async function waitForYes(browser: Browser, { url, release, build }: Site): Promise<void> {
  await release();
  await browser.evaluate(`navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)`);
  await browser.text(OFFER);
  await browser.open('about:blank');
  await browser.open(`${url}/`);
  await browser.text(OFFER);
  const shown = await browser.evaluate(`document.querySelector('meta[name=build]')?.content ?? ''`);
  if (shown === build) throw new Error('expected the version that was there to be shown until the new one is accepted');
}

async function acceptVersion(browser: Browser, { build }: Site): Promise<void> {
  await browser.click(button('Update now'));
  await browser.attribute(pageOf(build), 'content');
  await browser.fill(field('Password'), PASSWORD);
  await browser.click(button('Unlock'));
  await browser.text(amountAbove('balance', '8'));
}

async function restore(browser: Browser, url: string, words: readonly string[]): Promise<void> {
  await browser.open(`${url}/#/restore`);
  await browser.fill(field('The words, in order'), words.join(' '));
  // What the words say of their month comes above the button, and moves it.
  await browser.text(`//main//*[contains(text(), 'These words were made in')]`);
  await browser.click(button('Continue'));
  await nameIt(browser, 'Back');
  await browser.click(button('Restore the wallet'));
  await browser.text(amountAbove('balance', '8'));
}

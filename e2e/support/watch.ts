import type { BrowserContext, ConsoleMessage, Request, Response } from '@playwright/test';

/** What a test's browsers are watched for, all of them, from their first page on. */
export interface Watched {
  /** Errors of scripts and of the console. A test that brings some about empties it. */
  readonly faults: string[];
  /** The content policy broken or missing, or another host asked. */
  readonly breaches: string[];
  /** Hosts beside this machine that are the person's choice in a test. */
  readonly chosen: string[];
}

/** Of the test that runs: browsers that it opens besides its own are watched for it, too. */
let watched: Watched | undefined;

export function beginWatching(): Watched {
  watched = { faults: [], breaches: [], chosen: [] };
  return watched;
}

/** This machine, which stands for the page's server and for the nodes that are chosen. */
const OWN_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const WANTED_POLICY = /default-src 'none'.*require-trusted-types-for 'script'/;

export function watch(context: BrowserContext): void {
  const { faults, breaches, chosen } = watched ?? beginWatching();
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    if (isBreach(message)) breaches.push(message.text());
    else if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  context.on('request', (request) => {
    if (!isAmong([...OWN_HOSTS, ...chosen], request))
      breaches.push(`another host was asked: ${request.method()} ${request.url()}`);
  });
  context.on('response', (response) => {
    if (isPage(response) && !WANTED_POLICY.test(response.headers()['content-security-policy'] ?? ''))
      breaches.push(`a page without its content policy: ${response.url()}`);
  });
}

const isBreach = (message: ConsoleMessage): boolean =>
  /content security policy|trusted ?(types|html|script)/i.test(message.text());

function isAmong(hosts: readonly string[], request: Request): boolean {
  const { protocol, hostname } = new URL(request.url());
  return !/^(https?|wss?):$/.test(protocol) || hosts.includes(hostname);
}

const isPage = (response: Response): boolean =>
  response.ok() &&
  response.request().resourceType() === 'document' &&
  /^https?:/.test(response.url()) &&
  !/\/daemon\//.test(response.url());

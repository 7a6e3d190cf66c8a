import { readUrl } from '../../base/index.ts';
import { DaemonError } from '../errors.ts';

/** The page's origin, in a page (or a worker of one). */
export function pageOrigin(): URL | undefined {
  const location: { readonly href: string } | undefined = globalThis.location;
  if (location === undefined || !/^https?:/.test(location.href)) return undefined;
  return new URL(location.href);
}

/**
 * A daemon's base URL: absolute http(s), or a path on the page's own origin (the gateway). Without trailing slash.
 * @throws DaemonError `bad-url`; `mixed-content` when an https page is given an http daemon that browsers would block
 */
export function daemonBase(url: string, page: URL | undefined = pageOrigin()): URL {
  const base = parseBase(url.trim(), page);
  if (base.username !== '' || base.password !== '') {
    throw new DaemonError('bad-url', 'expected name and password in their own fields, not inside the URL');
  }
  if (page?.protocol === 'https:' && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw new DaemonError(
      'mixed-content',
      'this page came over https and browsers keep it from a plain http daemon: use an https daemon, or the gateway (npm start -- --daemon …)',
      { host: base.host },
    );
  }
  base.hash = '';
  base.search = '';
  return base;
}

function parseBase(url: string, page: URL | undefined): URL {
  if (url.startsWith('/')) return pathOfPage(url, page);
  const absolute = /^https?:\/\//i.test(url) ? url : `http://${url}`;
  const base = url === '' || (absolute !== url && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) ? undefined : readUrl(absolute);
  if (base === undefined) throw noDaemon();
  return base;
}

function pathOfPage(path: string, page: URL | undefined): URL {
  if (page === undefined)
    throw new DaemonError('bad-url', 'expected an absolute URL: there is no page whose origin a path could mean');
  // Two slashes, of either kind, would name another host.
  const base = readUrl(path, page);
  if (base?.origin !== page.origin) throw noDaemon();
  return base;
}

const noDaemon = (): DaemonError => new DaemonError('bad-url', 'expected the address of a daemon, as http://127.0.0.1:18081');

/** Browsers treat these as trustworthy: never mixed content. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Whether a daemon's address is this machine: a loopback name, or a path of a page that came from one. */
export function isOnThisMachine(url: string): boolean {
  return isLoopback(daemonBase(url, pageOrigin()).hostname);
}

/** Loopback, private and link-local addresses: Chromium asks the person before a public page may reach them. */
export function isLocalAddress(hostname: string): boolean {
  if (isLoopback(hostname) || hostname.endsWith('.local')) return true;
  if (/^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname)) return /^[\d.]+$/.test(hostname);
  return /^\[(f[cd]|fe[89ab])/i.test(hostname);
}

/** Joins the base's path and a call's path. */
export function callUrl(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
}

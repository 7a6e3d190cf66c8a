import { m } from '../language/messages.ts';

/** Why a browser may keep this page from a daemon, as far as the addresses alone can tell. */
export type DaemonObstacle =
  /** Not an http or https address. */
  | 'bad-url'
  /** A secure page may not talk to a plain-http daemon elsewhere. */
  | 'mixed-content'
  /** The browser asks the person before a page reaches into the local network. */
  | 'local-network';

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const PRIVATE_V4 = /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/;
const PRIVATE_NAME = /^\[(f[cd]|fe[89ab])|\.local$/;
const isPrivate = (hostname: string): boolean => PRIVATE_V4.test(hostname) || PRIVATE_NAME.test(hostname);

/**
 * What keeps a page from asking this node directly, as far as addresses tell: https reaches no http, and only a local page a local node without a
 * question.
 */
export function daemonObstacle(
  text: string,
  page: { readonly protocol: string; readonly hostname: string },
): DaemonObstacle | undefined {
  if (!URL.canParse(text.trim())) return 'bad-url';
  const url = new URL(text.trim());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'bad-url';
  const local = LOOPBACK.test(url.hostname);
  if (page.protocol === 'https:' && url.protocol === 'http:' && !local) return 'mixed-content';
  const pageIsLocal = LOOPBACK.test(page.hostname) || isPrivate(page.hostname);
  if ((local || isPrivate(url.hostname)) && !pageIsLocal) return 'local-network';
  return undefined;
}

/** Advice before the daemon is asked: what has to be allowed, and where. */
export function daemonAdvice(obstacle: DaemonObstacle | undefined): string {
  if (obstacle === 'mixed-content') return m.daemon_mixed();
  return obstacle === 'local-network' ? m.daemon_local() : m.daemon_cors({ origin: window.location.origin });
}

/** Why a node that was asked by hand did not answer: nothing tries again by itself. */
export const nodeGone = (url: string): string => (url.startsWith('https:') ? m.nodes_gone_secure() : m.nodes_gone());

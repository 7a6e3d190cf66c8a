import { m } from '../language/messages.ts';

/** Why a browser may block requests to a daemon, as far as its URL tells. */
export type DaemonObstacle =
  /** Not an http or https address, or one with a login in it. */
  | 'bad-url'
  /** An https page may not request plain http from another host. */
  | 'mixed-content'
  /** The browser asks for permission before a public page reaches the local network. */
  | 'local-network';

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const PRIVATE_V4 = /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/;
const PRIVATE_NAME = /^\[(f[cd]|fe[89ab])|\.local$/;
const isPrivate = (hostname: string): boolean => PRIVATE_V4.test(hostname) || PRIVATE_NAME.test(hostname);

const hasLogin = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** What is wrong with an address that is `bad-url`. */
export function badUrlText(text: string): string {
  const url = text.trim();
  return URL.canParse(url) && hasLogin(new URL(url)) ? m.err_daemon_url_login() : m.err_daemon_url();
}

/** The obstacle between a page and a daemon at this URL; undefined when there is none that the URLs alone show. */
export function daemonObstacle(
  text: string,
  page: { readonly protocol: string; readonly hostname: string },
): DaemonObstacle | undefined {
  if (!URL.canParse(text.trim())) return 'bad-url';
  const url = new URL(text.trim());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'bad-url';
  if (hasLogin(url)) return 'bad-url';
  const local = LOOPBACK.test(url.hostname);
  if (page.protocol === 'https:' && url.protocol === 'http:' && !local) return 'mixed-content';
  const pageIsLocal = LOOPBACK.test(page.hostname) || isPrivate(page.hostname);
  if ((local || isPrivate(url.hostname)) && !pageIsLocal) return 'local-network';
  return undefined;
}

/** Advice shown beside the URL field: what has to be allowed, and where. */
export function daemonAdvice(obstacle: DaemonObstacle | undefined): string {
  if (obstacle === 'mixed-content') return m.daemon_mixed();
  return obstacle === 'local-network' ? m.daemon_local() : m.daemon_cors({ origin: window.location.origin });
}

/** Error text for a node that was queried by hand, which is not retried; undefined where the general text for this code fits. */
export function unreachableNodeText(url: string, code: string | undefined): string | undefined {
  if (code === 'http-status') return m.nodes_not_one();
  if (code !== 'unreachable') return undefined;
  return url.startsWith('https:') ? m.nodes_gone_secure() : m.nodes_gone();
}

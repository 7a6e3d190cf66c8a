import type { HistoryEntry } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { alerts } from './alerts.svelte.ts';
import { update } from './update.svelte.ts';
import { wallet } from './wallet.svelte.ts';

const PAYMENT = 'nightjar-incoming';
const VERSION = 'nightjar-update';

/**
 * System notification and app badge for payments that arrive while the wallet is open and the page is hidden. They contain no amount, as they
 * are shown on the lock screen. Both are cleared when the page is shown or the wallet is locked.
 */
class Notifications {
  #started = false;
  readonly #known = new Set<string>();
  /** When the wallet was opened, in milliseconds since the epoch; undefined while none is open. */
  #since: number | undefined;
  #unseen = 0;

  start(): void {
    if (this.#started) return;
    this.#started = true;
    $effect.root(() => {
      $effect(() => this.#look(wallet.history));
      $effect(() => {
        if (update.offered !== '' && document.hidden)
          void tell(m.update_title(), m.update_text({ version: update.offered }), VERSION);
      });
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#seen();
    });
    navigator.serviceWorker?.addEventListener('message', ({ data, ports }: MessageEvent<{ readonly type?: unknown }>) => {
      if (data.type === 'look') void wallet.refreshNow().then(() => ports[0]?.postMessage('looked'));
    });
    wallet.onLeave(() => {
      this.#known.clear();
      this.#since = undefined;
      void this.#seen();
    });
  }

  #look(history: readonly HistoryEntry[]): void {
    // Only payments made after the wallet was opened count: a long scan also finds older ones.
    if (wallet.view === undefined) return;
    this.#since ??= Date.now();
    const since = this.#since;
    const came = history.filter(({ txHash, direction }) => direction === 'in' && !this.#known.has(txHash));
    for (const { txHash } of history) this.#known.add(txHash);
    const fresh = came.filter(({ timestamp }) => timestamp * 1000 > since);
    if (fresh.length === 0 || !document.hidden || !alerts.on) return;
    this.#unseen += fresh.length;
    void navigator.setAppBadge?.(this.#unseen).catch(() => undefined);
    void tell(m.alert_payment(), m.alert_open(), PAYMENT);
  }

  async #seen(): Promise<void> {
    this.#unseen = 0;
    await navigator.clearAppBadge?.().catch(() => undefined);
    const registration = await navigator.serviceWorker?.getRegistration();
    const shown = (await registration?.getNotifications()) ?? [];
    for (const notification of shown) notification.close();
  }
}

async function tell(title: string, body: string, tag: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.showNotification(title, { body, tag, icon: './icon-192.png' }).catch(() => undefined);
}

export const notifications = new Notifications();

import type { HistoryEntry } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { alerts } from './alerts.svelte.ts';
import { update } from './update.svelte.ts';
import { wallet } from './wallet.svelte.ts';

const PAYMENT = 'nightjar-incoming';
const VERSION = 'nightjar-update';

/**
 * Tells of a payment that comes in while the wallet is open and the page is out of sight, by a notification and a number on the app's icon. Neither says
 * an amount: a locked screen shows them to anybody. Both go when the page is seen, or the wallet is locked.
 */
class Incoming {
  #started = false;
  readonly #known = new Set<string>();
  /** Milliseconds since the epoch: when the open wallet was first looked at; undefined while none is open. */
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
      if (data.type === 'look') void wallet.look().then(() => ports[0]?.postMessage('looked'));
    });
    wallet.atLeaving(() => {
      this.#known.clear();
      this.#since = undefined;
      void this.#seen();
    });
  }

  #look(history: readonly HistoryEntry[]): void {
    // Payments from before the wallet was opened are not news; nor are earlier ones that a long scan finds.
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

export const incoming = new Incoming();

import { localStore } from '../services/local-store.ts';
import { hasPeriodicSync, setPeriodicSync } from '../services/periodic-sync.ts';
import { noticeErrors } from './attempt.svelte.ts';
import { device } from './device.svelte.ts';

const KEY = 'nightjar.alerts';

/** Setting: notify of incoming payments while the page is hidden. */
class Alerts {
  #wanted = $state(localStore.get(KEY) !== undefined);
  #allowed = $state('Notification' in window && Notification.permission === 'granted');
  /** Periodic sync is registered: the service worker has an open wallet check for payments now and then. */
  woken = $state(false);

  get on(): boolean {
    return this.#wanted && this.#allowed;
  }

  /** Requests the notification permission if needed. Returns whether it is granted. */
  async turnOn(): Promise<boolean> {
    const answer = 'Notification' in window ? await Notification.requestPermission() : 'denied';
    this.#allowed = answer === 'granted';
    this.#want(this.#allowed);
    return this.#allowed;
  }

  turnOff(): void {
    this.#want(false);
  }

  /** Reads whether periodic sync is registered from an earlier visit. */
  async remember(): Promise<void> {
    this.woken = await hasPeriodicSync();
  }

  #want(wanted: boolean): void {
    this.#wanted = wanted;
    localStore.set(KEY, wanted ? 'yes' : undefined);
    void noticeErrors(this.#wake(wanted));
  }

  async #wake(wanted: boolean): Promise<void> {
    this.woken = await setPeriodicSync(wanted && !device.offline);
  }
}

export const alerts = new Alerts();

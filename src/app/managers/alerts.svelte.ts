import { localStore } from '../services/local-store.ts';
import { hasPeriodicSync, setPeriodicSync } from '../services/periodic-sync.ts';
import { orSay } from './attempt.svelte.ts';
import { device } from './device.svelte.ts';

const KEY = 'nightjar.alerts';

/** Whether the person wants to be told of an incoming payment while the page is out of sight. */
class Alerts {
  #wanted = $state(localStore.get(KEY) !== undefined);
  #allowed = $state('Notification' in window && Notification.permission === 'granted');
  /** The browser wakes the service worker now and then, which has an open wallet look. */
  woken = $state(false);

  get on(): boolean {
    return this.#wanted && this.#allowed;
  }

  /** Asks the browser's leave where it was not given yet. Returns whether it was. */
  async turnOn(): Promise<boolean> {
    const answer = 'Notification' in window ? await Notification.requestPermission() : 'denied';
    this.#allowed = answer === 'granted';
    this.#want(this.#allowed);
    return this.#allowed;
  }

  turnOff(): void {
    this.#want(false);
  }

  /** Learns what was arranged in an earlier visit. */
  async remember(): Promise<void> {
    this.woken = await hasPeriodicSync();
  }

  #want(wanted: boolean): void {
    this.#wanted = wanted;
    localStore.set(KEY, wanted ? 'yes' : undefined);
    void orSay(this.#wake(wanted));
  }

  async #wake(wanted: boolean): Promise<void> {
    this.woken = await setPeriodicSync(wanted && !device.offline);
  }
}

export const alerts = new Alerts();

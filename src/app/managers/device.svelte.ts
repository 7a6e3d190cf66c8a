import { remembered } from '../services/remembered.ts';

const OFFLINE = 'nightjar.offline-device';

/** What kind of device the person has made of this browser: an offline one never asks a daemon, whichever wallet is opened. */
class Device {
  offline = $state(remembered.get(OFFLINE) !== undefined);
  /** All of the page is kept here: it opens without its server. */
  kept = $state(false);

  constructor() {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    void workers?.ready.then(() => {
      this.kept = true;
    });
  }

  stayOffline(offline: boolean): void {
    this.offline = offline;
    remembered.set(OFFLINE, offline ? 'yes' : undefined);
  }
}

export const device = new Device();

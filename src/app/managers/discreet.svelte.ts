import { localStore } from '../services/local-store.ts';

const KEY = 'nightjar.discreet';

/** Whether amounts that anybody could read over a shoulder are hidden. What is about to be paid is always shown. */
class Discreet {
  on = $state(localStore.get(KEY) !== undefined);

  toggle(): void {
    this.on = !this.on;
    localStore.set(KEY, this.on ? 'yes' : undefined);
  }
}

export const discreet = new Discreet();

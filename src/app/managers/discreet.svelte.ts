import { localStore } from '../services/local-store.ts';

const KEY = 'nightjar.discreet';

/** Discreet mode: hides amounts, except those about to be paid. */
class Discreet {
  on = $state(localStore.get(KEY) !== undefined);

  toggle(): void {
    this.on = !this.on;
    localStore.set(KEY, this.on ? 'yes' : undefined);
  }
}

export const discreet = new Discreet();

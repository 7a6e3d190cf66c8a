import { MediaQuery } from 'svelte/reactivity';

/** Wide enough that the list of places stands beside what is shown, as Inside.svelte's style has it. */
export const besideNav = new MediaQuery('min-width: 900px');

/** A finger is what points, as on phones and tablets. */
export const byFinger = new MediaQuery('pointer: coarse');

/** Wide enough for two columns, as Home.svelte's style has it. */
export const twoColumns = new MediaQuery('min-width: 1100px');

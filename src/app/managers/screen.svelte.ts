import { MediaQuery } from 'svelte/reactivity';

// Widths are told in the browser's own text size (1em is 16 pixels where nobody changed it): in larger text a screen has room for less.

/** Wide enough that the list of places stands beside what is shown, as Inside.svelte's style has it. */
export const besideNav = new MediaQuery('min-width: 56.25em');

/** A finger is what points, as on phones and tablets. */
export const byFinger = new MediaQuery('pointer: coarse');

/** Wide enough for two columns, as Home.svelte's style has it. */
export const twoColumns = new MediaQuery('min-width: 68.75em');

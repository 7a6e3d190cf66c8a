import { SvelteSet } from 'svelte/reactivity';

/** Reminders that the person has put away, each by wallet and task: they come again at the next visit. */
export const putAway = new SvelteSet<string>();

import { SvelteSet } from 'svelte/reactivity';

/** Reminders dismissed since the page was loaded, as `WALLET TASK`. */
export const dismissedReminders = new SvelteSet<string>();

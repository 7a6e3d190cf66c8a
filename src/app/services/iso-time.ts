/** Largest time value of a JavaScript Date, in ms since the epoch (year 275760). An unlock time or a block timestamp may lie beyond it (T9). */
export const MAX_DATE_MS = 8.64e15;

/** ISO 8601 in UTC; times beyond {@link MAX_DATE_MS} are clamped to it. @param at milliseconds since the epoch */
export const isoTime = (at: number): string => new Date(Math.min(at, MAX_DATE_MS)).toISOString();

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });

/** A month in words. @param at milliseconds since the epoch */
export const formatMonth = (at: number): string => MONTH.format(at);

/** A day in words. @param at milliseconds since the epoch */
export const formatDay = (at: number): string => DAY.format(at);

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** A day in words. @param at milliseconds since the epoch */
export const formatDay = (at: number): string => DAY.format(at);

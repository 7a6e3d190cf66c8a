/** Milliseconds since the epoch beyond which there is no date: in the year 275760. A stranger may lock a coin for longer (T9), or date a block later. */
export const LAST_MOMENT = 8.64e15;

/** ISO 8601, in UTC; what lies beyond all dates is told as the last of them. @param at milliseconds since the epoch */
export const isoTime = (at: number): string => new Date(Math.min(at, LAST_MOMENT)).toISOString();

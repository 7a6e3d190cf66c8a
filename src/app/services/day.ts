import { writeDate } from '../language/formats.ts';

/** A month in words. @param at milliseconds since the epoch */
export const formatMonth = (at: number): string => writeDate(at, 'month');

/** A day in words. @param at milliseconds since the epoch */
export const formatDay = (at: number): string => writeDate(at, 'date');

/**
 * Seed words without the numbers of a list, such as `1. island 2. raven`, `1) island` or `1 island`: recovery sheets have them, and no seed
 * does. Other text stays as it is.
 */
export const withoutNumbers = (words: string): string => words.replace(/(?<=^|\s)\d+(?:[.):]\s*|\s+)/gu, '');

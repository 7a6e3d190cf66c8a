/** Whether two values of plain data, amounts among it, say the same. */
export const sameWords = (one: unknown, other: unknown): boolean => wordsOf(one) === wordsOf(other);

const wordsOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));

export type Suite = 'unit' | 'unit-apart' | 'integration';
/** What vitest.config.ts takes for each suite: patterns of paths from the project's root. */
export const FILES: Record<Suite, { include: string[]; exclude: string[] }>;
/** Which suite a test file belongs to. @param file its path from the project's root */
export function suiteOf(file: string): Suite;

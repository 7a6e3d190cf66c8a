export type Suite = 'unit' | 'unit-apart' | 'integration';
/** The files of each suite in vitest.config.ts: path patterns from the project's root. */
export const FILES: Record<Suite, { include: string[]; exclude: string[] }>;
/** The suite that a test file belongs to. @param file its path from the project's root */
export function suiteOf(file: string): Suite;

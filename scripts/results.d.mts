/** Reads the runners' report of one suite. `file` is empty for an error outside of tests. */
export function resultsOf(file: string): { passed: number; failed: { file: string; title: string }[] };

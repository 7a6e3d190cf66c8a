/** Reads the test runner's report of one suite. `file` is empty for an error outside tests. */
export function resultsOf(file: string): { passed: number; failed: { file: string; title: string }[] };

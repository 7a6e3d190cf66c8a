// Reads the test runner's report of one suite: the number of passed tests, and the names of failed ones.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** @returns {{ passed: number, failed: { file: string, title: string }[] }} `file` is empty for an error outside tests. */
export function resultsOf(file) {
  if (!existsSync(file)) return { passed: 0, failed: [] };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return report.stats ? ofPlaywright(report) : ofVitest(report);
}

/** A file that could not be loaded fails without any test: it is listed itself. */
function ofVitest({ numPassedTests, testResults }) {
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [{ file, title: 'the file itself' }] : [];
    return tests.map((test) => ({ file, title: test.fullName }));
  });
  return { passed: numPassedTests, failed };
}

function ofPlaywright({ stats, suites, errors }) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  // A spec that runs on two screens is `ok` as soon as the first of them is.
  const failed = suites.flatMap(specs).filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'));
  return {
    passed: stats.expected + stats.flaky,
    failed: [
      ...failed.map(({ file, title }) => ({ file, title })),
      ...errors.map(({ message }) => ({ file: '', title: message ?? 'an error outside of tests' })),
    ],
  };
}

// `npm run check`: runs all checks, even if one fails.
import { failedChecks } from './checks.mjs';

const failed = await failedChecks();
console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

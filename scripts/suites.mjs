// Assigns test files to the suites of vitest.config.ts.

/**
 * Modules whose test files share a process and their imports: none of them mocks a module or a global, or loads another kernel. Tests of the page
 * keep state in modules, and those of other modules would affect the next file.
 */
const SHARING = ['base', 'daemon', 'device', 'devnet', 'http', 'openalias', 'protocol', 'rpc', 'ur', 'wallet', 'wallet2'];

/** Files of those folders that mock a module. */
const APART = ['test/rpc/multisig-fuzz.test.ts', 'test/wallet/spend/era.test.ts'];

const rooms = SHARING.join('|');

/** @type {Record<Suite, { readonly include: string[], readonly exclude: string[] }>} */
export const FILES = {
  unit: { include: [`test/@(${rooms})/**/*.test.ts`], exclude: APART },
  'unit-apart': { include: ['test/*.test.ts', `test/!(integration|${rooms})/**/*.test.ts`, ...APART], exclude: [] },
  integration: { include: ['test/integration/**/*.test.ts'], exclude: [] },
};

/** @param {string} file its path in the project @returns {Suite} */
export function suiteOf(file) {
  const room = file.split('/')[1] ?? '';
  if (room === 'integration') return 'integration';
  return SHARING.includes(room) && !APART.includes(file) ? 'unit' : 'unit-apart';
}

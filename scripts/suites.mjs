// Which suite of vitest.config.ts a test file belongs to.

/**
 * Rooms whose test files share a process and what they import: none of them puts something else in place of a module or of a global, or
 * loads another kernel. Tests of the page keep state in modules, and those of the other rooms change what the next file would see.
 */
const SHARING = ['base', 'daemon', 'device', 'devnet', 'http', 'openalias', 'protocol', 'rpc', 'ur', 'wallet', 'wallet2'];

/** Files of those rooms that put something else in place of a module. */
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

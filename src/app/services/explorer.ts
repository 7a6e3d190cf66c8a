import { localStore } from './local-store.ts';

const KEY = 'nightjar.explorer';
/** Stands for the transaction's id in the person's pattern. */
const ID = '{txid}';

/** Where the person looks transactions up: an address with `{txid}` in it; undefined for nowhere, as it is at first. */
export const explorer = {
  get: (): string | undefined => localStore.get(KEY),
  set: (pattern: string | undefined): void => localStore.set(KEY, pattern),
};

/** Whether a link can be made of it: a web address in which the transaction's id has its place. */
export function isExplorer(pattern: string): boolean {
  if (!pattern.includes(ID) || !URL.canParse(pattern)) return false;
  return ['http:', 'https:'].includes(new URL(pattern).protocol);
}

/** Where a transaction is told of; undefined where the person wants no such link. */
export function explorerLink(txHash: string): string | undefined {
  const pattern = explorer.get();
  return pattern === undefined || !isExplorer(pattern) ? undefined : pattern.replaceAll(ID, txHash);
}

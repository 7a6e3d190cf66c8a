import { type AliasAnswer, aliasResolver } from '../src/openalias/index.ts';

/**
 * The address that a name stands for (OpenAlias), asked of the DNS-over-HTTPS service that the person has named and of nobody else: it learns
 * the name and this device's network address. Runs beside the worker that holds the keys, not in it.
 * @throws TypeError for a service that is not at `https:`
 */
export const lookUpName = (service: string, name: string): Promise<AliasAnswer> => aliasResolver({ url: service })(name);

export type { AliasAnswer };

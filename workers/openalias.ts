import { type AliasAnswer, aliasResolver } from '../src/openalias/index.ts';

/**
 * Resolves an OpenAlias name with the DNS-over-HTTPS service that the person has set. The service learns the name and this device's IP address.
 * Runs in the page's thread, not in the worker that holds the keys.
 * @throws TypeError for a service that is not at `https:`
 */
export const resolveOpenAlias = (service: string, name: string): Promise<AliasAnswer> => aliasResolver({ url: service })(name);

export type { AliasAnswer };

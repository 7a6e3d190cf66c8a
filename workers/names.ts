import { type AliasAnswer, aliasResolver } from '../src/openalias/index.ts';

/** Looks a name up at the service that the person has named. @throws TypeError for a URL that is not `https:` */
export const lookUpName = (service: string, name: string): Promise<AliasAnswer> => aliasResolver({ url: service })(name);

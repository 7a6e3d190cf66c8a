import type { Method } from './method.ts';
import { accountMethods } from './methods/accounts.ts';
import { addressMethods } from './methods/addresses.ts';
import { backgroundSyncMethods } from './methods/background-sync.ts';
import { daemonLinkMethods } from './methods/daemon-link.ts';
import { discoverMethods } from './methods/discover.ts';
import { fileMethods } from './methods/files.ts';
import { incomingMethods } from './methods/incoming.ts';
import { keyMethods } from './methods/keys.ts';
import { miningMethods } from './methods/mining.ts';
import { multisigMethods } from './methods/multisig.ts';
import { outputMethods } from './methods/outputs.ts';
import { proofMethods } from './methods/proofs.ts';
import { sendingMethods } from './methods/sending.ts';
import { serviceMethods } from './methods/service.ts';
import { uriAndContactMethods } from './methods/uri-and-contacts.ts';

const WALLET_METHODS: readonly Method[] = [
  ...daemonLinkMethods,
  ...addressMethods,
  ...accountMethods,
  ...keyMethods,
  ...sendingMethods,
  ...incomingMethods,
  ...proofMethods,
  ...outputMethods,
  ...uriAndContactMethods,
  ...fileMethods,
  ...backgroundSyncMethods,
  ...multisigMethods,
  ...miningMethods,
  ...serviceMethods,
];

/** Every method of the service, under the specification's headings. */
export const METHODS: readonly Method[] = [...WALLET_METHODS, ...discoverMethods(WALLET_METHODS)];

/** By name and alias. @throws Error when two methods want one name */
export function methodsByName(methods: readonly Method[] = METHODS): ReadonlyMap<string, Method> {
  const found = new Map<string, Method>();
  for (const method of methods) {
    for (const name of [method.name, ...(method.aliases ?? [])]) {
      if (found.has(name)) throw new Error(`expected one method of the name ${name}`);
      found.set(name, method);
    }
  }
  return found;
}

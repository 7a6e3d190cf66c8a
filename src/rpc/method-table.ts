import * as v from 'valibot';
import { type Method, MethodGroup, READS } from './method.ts';
import { accountMethods } from './methods/accounts.ts';
import { addressMethods } from './methods/addresses.ts';
import { backgroundSyncMethods } from './methods/background-sync.ts';
import { cosigningMethods } from './methods/cosigning.ts';
import { daemonLinkMethods } from './methods/daemon-link.ts';
import { fileMethods } from './methods/files.ts';
import { incomingMethods } from './methods/incoming.ts';
import { keyMethods } from './methods/keys.ts';
import { miningMethods } from './methods/mining.ts';
import { multisigKeyMethods } from './methods/multisig-keys.ts';
import { outputMethods } from './methods/outputs.ts';
import { proofMethods } from './methods/proofs.ts';
import { sendingMethods } from './methods/sending.ts';
import { serviceMethods } from './methods/service.ts';
import { uriAndContactMethods } from './methods/uri-and-contacts.ts';
import { openRpcDocument } from './openrpc.ts';

/** The method that describes the others, and itself. */
const discovery = new MethodGroup('Service');

discovery.define({
  name: 'rpc.discover',
  summary: 'This service as an OpenRPC document.',
  result: v.looseObject({ openrpc: v.string() }),
  ...READS,
  needs: 'nothing',
  keepsEmptyArrays: true,
  handler: () => openRpcDocument(METHODS) as { openrpc: string },
});

/** Every method of the service, under the specification's headings. */
export const METHODS: readonly Method[] = [
  daemonLinkMethods,
  addressMethods,
  accountMethods,
  keyMethods,
  sendingMethods,
  incomingMethods,
  proofMethods,
  outputMethods,
  uriAndContactMethods,
  fileMethods,
  backgroundSyncMethods,
  multisigKeyMethods,
  cosigningMethods,
  miningMethods,
  serviceMethods,
  discovery,
].flatMap(({ methods }) => methods);

/** Methods by name and alias. @throws Error when two methods have the same name */
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

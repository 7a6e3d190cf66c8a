import { group } from '../method.ts';
import { cosigningMethods } from './cosigning.ts';
import { multisigKeyMethods } from './multisig-keys.ts';

export const multisigMethods = group('Multisig', [...multisigKeyMethods, ...cosigningMethods]);

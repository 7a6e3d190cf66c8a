import * as v from 'valibot';
import { NO_PARAMS, result } from '../fields.ts';
import { defineMethod, group } from '../method.ts';

const isMultisig = defineMethod({
  name: 'is_multisig',
  summary: 'Whether the wallet is shared by several signers.',
  params: NO_PARAMS,
  result: v.object({ multisig: result.bool, ready: result.bool, threshold: result.u32, total: result.u32 }),
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: [],
  handler: () => ({ multisig: false, ready: false, threshold: 0, total: 0 }),
});

export const multisigMethods = group('Multisig', [isMultisig]);

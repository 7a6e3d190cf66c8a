import * as v from 'valibot';
import type { Wallet } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, NO_PARAMS, params, result, text, texts } from '../fields.ts';
import { defineMethod, group, type MethodDefinition, type ObjectSchema } from '../method.ts';
import { multisigKeyMethods } from './multisig-keys.ts';

/** A method of wallets with several signers. */
function ofMany<P extends ObjectSchema, R extends ObjectSchema>(
  shape: Pick<MethodDefinition<P, R>, 'name' | 'summary' | 'params' | 'result' | 'errors'>,
  refuse: (wallet: Wallet) => RpcError,
) {
  return defineMethod<P, R>({
    ...shape,
    needs: 'wallet',
    restricted: 'denied',
    access: 'read',
    handler({ wallet }) {
      throw refuse(wallet);
    },
  });
}

const notMultisig = (): RpcError => new RpcError('notMultisig', 'This wallet is not multisig');

const exportMultisigInfo = ofMany(
  {
    name: 'export_multisig_info',
    summary: 'What the other signers need of this wallet before each transaction.',
    params: NO_PARAMS,
    result: v.object({ info: result.text }),
    errors: ['notMultisig'],
  },
  notMultisig,
);

const importMultisigInfo = ofMany(
  {
    name: 'import_multisig_info',
    summary: 'Takes what the other signers exported.',
    params: params({ info: texts(), refresh_after_import: bool(true) }),
    result: v.object({ n_outputs: result.u64 }),
    errors: ['notMultisig'],
  },
  notMultisig,
);

const signMultisig = ofMany(
  {
    name: 'sign_multisig',
    summary: 'Signs a transaction of several signers.',
    params: params({ tx_data_hex: text() }),
    result: v.object({ tx_data_hex: result.text, tx_hash_list: v.array(result.text) }),
    errors: ['notMultisig'],
  },
  notMultisig,
);

const submitMultisig = ofMany(
  {
    name: 'submit_multisig',
    summary: 'Sends a transaction that enough signers have signed.',
    params: params({ tx_data_hex: text() }),
    result: v.object({ tx_hash_list: v.array(result.text) }),
    errors: ['notMultisig'],
  },
  notMultisig,
);

export const multisigMethods = group('Multisig', [
  ...multisigKeyMethods,
  exportMultisigInfo,
  importMultisigInfo,
  signMultisig,
  submitMultisig,
]);

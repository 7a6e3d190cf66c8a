import * as v from 'valibot';
import type { Wallet } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, NO_PARAMS, params, result, text, texts, u32 } from '../fields.ts';
import { defineMethod, group, type MethodDefinition, type ObjectSchema } from '../method.ts';

/** Wallets here have one signer: what is for several answers as the reference does for an ordinary wallet. */

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

/** Only a wallet that can spend can be made one of several. */
const notMade = (wallet: Wallet): RpcError =>
  wallet.description.kind === 'view'
    ? new RpcError('watchOnly', 'wallet is watch-only and cannot be made multisig')
    : notMultisig();

const infos = params({ password: text(), multisig_info: texts() });
const made = v.object({ address: result.text, multisig_info: result.text });

const prepareMultisig = ofMany(
  {
    name: 'prepare_multisig',
    summary: 'What the other signers need of this wallet first.',
    params: params({ enable_multisig_experimental: bool() }),
    result: v.object({ multisig_info: result.text }),
    errors: ['notMultisig', 'watchOnly'],
  },
  notMade,
);

const makeMultisig = ofMany(
  {
    name: 'make_multisig',
    summary: 'Makes the wallet one of several signers.',
    params: params({ multisig_info: texts(), threshold: u32(), password: text() }),
    result: made,
    errors: ['notMultisig', 'watchOnly'],
  },
  notMade,
);

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

/** Of old: the reference has it, in the restricted service too, and it does nothing there but fail without a code or a word. */
const finalizeMultisig = defineMethod({
  name: 'finalize_multisig',
  summary: 'The last step of making a multisig wallet, of old.',
  params: infos,
  result: v.object({ address: result.text }),
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: [],
  handler() {
    throw new RpcError('nothing', '');
  },
});

const exchangeMultisigKeys = ofMany(
  {
    name: 'exchange_multisig_keys',
    summary: 'One more round with the other signers.',
    params: params({ password: text(), multisig_info: texts(), force_update_use_with_caution: bool() }),
    result: made,
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
  isMultisig,
  prepareMultisig,
  makeMultisig,
  exportMultisigInfo,
  importMultisigInfo,
  finalizeMultisig,
  exchangeMultisigKeys,
  signMultisig,
  submitMultisig,
]);

import type { SweepRequest } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, params, text, u32, u32s, u64 } from '../fields.ts';
import { requireKeyImage } from '../hex-params.ts';
import { MethodGroup, type RpcContext } from '../method.ts';
import { requireEnabled } from '../multisig-wallet.ts';
import { readPayees } from '../payees.ts';
import {
  createForMethod,
  ONE_TRANSACTION,
  optionsOf,
  PAYMENT_ERRORS,
  PAYMENT_PARAMS,
  payingMethod,
  priorityOf,
  replyForOne,
  replyForSeveral,
  requireMayPay,
  SEVERAL_TRANSACTIONS,
} from './paying.ts';

/** Sends whole outputs, without change. */
export const sweepMethods = new MethodGroup('Sending');

sweepMethods.define({
  name: 'sweep_dust',
  aliases: ['sweep_unmixable'],
  summary:
    'Sends outputs from before RingCT whose amount fewer than 16 outputs have back to the wallet: in the open, as nothing can hide them.',
  params: params({ get_tx_keys: bool(), do_not_relay: bool(), get_tx_hex: bool(), get_tx_metadata: bool() }),
  result: SEVERAL_TRANSACTIONS,
  ...payingMethod,
  async handler(context, params) {
    requireEnabled(context.wallet);
    return replyForSeveral(await createForMethod(context, { kind: 'unmixable' }, optionsOf(params)));
  },
});

sweepMethods.define({
  name: 'sweep_all',
  summary: 'Sends all unlocked outputs of a subaddress, or of several, to an address.',
  params: params({
    ...PAYMENT_PARAMS,
    address: text(),
    account_index: u32(),
    subaddr_indices: u32s(),
    subaddr_indices_all: bool(),
    outputs: u64(1n),
    below_amount: u64(),
    get_tx_keys: bool(),
  }),
  result: SEVERAL_TRANSACTIONS,
  ...payingMethod,
  async handler(context, params) {
    requireMayPay(context, params);
    const [payee] = await readPayees(context, [{ address: params.address, amount: 0n }], params.payment_id);
    requireOutputs(params.outputs);
    const { account_index: account, below_amount: belowAmount } = params;
    const count = context.wallet.addresses.count(account);
    const named = params.subaddr_indices_all ? Array.from({ length: count }, (_, minor) => minor) : params.subaddr_indices;
    const request: SweepRequest = {
      ...sweepOf(payee!.address, params),
      account,
      belowAmount,
      subaddresses: named.length > 0 ? named : onlySubaddress(context, account, belowAmount),
    };
    return replyForSeveral(await createForMethod(context, { ...request, kind: 'sweep' }, optionsOf(params)));
  },
});

function onlySubaddress({ wallet }: RpcContext, account: number, belowAmount: bigint): number[] {
  const minor = wallet.payments.subaddressToSweep(account, belowAmount);
  return minor === undefined ? [] : [minor];
}

function requireOutputs(outputs: bigint): void {
  if (outputs < 1n) throw new RpcError('txNotPossible', 'Amount of outputs should be greater than 0.');
}

function sweepOf(address: string, params: { readonly priority: number; readonly outputs: bigint }) {
  const outputs = params.outputs > 0xffffn ? 0xffff : Number(params.outputs);
  return { address, priority: priorityOf(params.priority), outputs };
}

sweepMethods.define({
  name: 'sweep_single',
  summary: 'Sends one output to an address.',
  params: params({ ...PAYMENT_PARAMS, address: text(), outputs: u64(1n), key_image: text(), get_tx_key: bool() }),
  result: ONE_TRANSACTION,
  ...payingMethod,
  errors: [...PAYMENT_ERRORS, 'wrongKeyImage', 'unknown'],
  async handler(context, params) {
    requireMayPay(context, params);
    requireOutputs(params.outputs);
    const [payee] = await readPayees(context, [{ address: params.address, amount: 0n }], params.payment_id);
    const keyImage = requireKeyImage(params.key_image);
    const account = context.wallet.outputOf(keyImage)?.subaddress.major ?? 0;
    const request = { ...sweepOf(payee!.address, params), account, keyImage };
    return replyForOne(await createForMethod(context, { ...request, kind: 'sweep' }, optionsOf(params)));
  },
});

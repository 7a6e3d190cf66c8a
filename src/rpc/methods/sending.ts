import * as v from 'valibot';
import { isDaemonError } from '../../daemon/index.ts';
import { type PaymentRequest, SpendError, WalletError } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, objects, params, result, text, u32, u32s, u64 } from '../fields.ts';
import { requireHex } from '../hex-params.ts';
import { MethodGroup, READS, type RpcContext, WRITES } from '../method.ts';
import { readPayees } from '../payees.ts';
import { coldMethods } from './cold.ts';
import {
  createForMethod,
  ONE_TRANSACTION,
  optionsOf,
  PAYMENT_PARAMS,
  payingMethod,
  priorityOf,
  replyForOne,
  replyForSeveral,
  requireMayPay,
  SEVERAL_TRANSACTIONS,
} from './paying.ts';
import { sweepMethods } from './sweeps.ts';

export const sendingMethods = new MethodGroup('Sending');

const paying = {
  ...PAYMENT_PARAMS,
  destinations: objects({ amount: u64(), address: text() }),
  account_index: u32(),
  subaddr_indices: u32s(),
};
type Paying = v.InferOutput<ReturnType<typeof params<typeof paying>>>;

sendingMethods.define({
  name: 'transfer',
  summary: 'Pays, with one transaction.',
  params: params({ ...paying, subtract_fee_from_outputs: u32s(), get_tx_key: bool() }),
  result: ONE_TRANSACTION,
  ...payingMethod,
  async handler(context, params) {
    requireMayPay(context, params);
    const wanted = await transferOf(context, params, params.subtract_fee_from_outputs);
    return replyForOne(await createForMethod(context, wanted, optionsOf(params, 1)));
  },
});

sendingMethods.define({
  name: 'transfer_split',
  summary: 'Pays, with as many transactions as it takes.',
  params: params({ ...paying, get_tx_keys: bool() }),
  result: SEVERAL_TRANSACTIONS,
  ...payingMethod,
  async handler(context, params) {
    requireMayPay(context, params);
    const wanted = await transferOf(context, params);
    return replyForSeveral(await createForMethod(context, wanted, optionsOf(params)));
  },
});

async function transferOf(context: RpcContext, params: Paying, feeFrom: readonly number[] = []): Promise<PaymentRequest> {
  return {
    kind: 'transfer',
    destinations: await readPayees(context, params.destinations, params.payment_id),
    account: params.account_index,
    subaddresses: params.subaddr_indices,
    priority: priorityOf(params.priority),
    severalTransactions: true,
    feeFrom,
  };
}

// The OpenRPC document lists methods in this order.
sendingMethods.methods.push(...coldMethods.methods, ...sweepMethods.methods);

sendingMethods.define({
  name: 'relay_tx',
  summary: 'Sends a transaction that was made before and not sent.',
  params: params({ hex: text() }),
  result: v.object({ tx_hash: result.text }),
  ...WRITES,
  needs: 'daemon',
  errors: ['badHex', 'badTxMetadata', 'transfer'],
  fallback: 'transfer',
  async handler({ wallet }, { hex }) {
    const metadata = requireHex(hex);
    try {
      return { tx_hash: await wallet.offline.relay(metadata) };
    } catch (error) {
      if (error instanceof SpendError || isDaemonError(error) || error instanceof WalletError) throw failedToCommit(error);
      throw new RpcError('badTxMetadata', 'Failed to parse tx metadata.');
    }
  },
});

/** The reference's message; that the transaction may have arrived anyway is for the person to know. */
function failedToCommit(error: unknown): RpcError {
  const perhaps = error instanceof SpendError && error.code === 'perhaps-sent';
  return new RpcError('transfer', perhaps ? 'Failed to commit tx. It may have arrived.' : 'Failed to commit tx.');
}

sendingMethods.define({
  name: 'estimate_tx_size_and_weight',
  summary: 'How large a transaction would be.',
  params: params({ n_inputs: u32(), n_outputs: u32(), ring_size: u32(), rct: bool(true) }),
  result: v.object({ size: result.u32, weight: result.u32 }),
  ...READS,
  errors: ['unknown'],
  handler({ wallet }, { n_inputs: inputs, n_outputs: outputs, ring_size: ringSize, rct }) {
    // The reference reads them as signed.
    const fits = inputs > 0 && [inputs, outputs, ringSize].every((count) => count < 2 ** 31);
    if (!fits) throw new RpcError('unknown', 'Failed to determine size and weight');
    return wallet.payments.estimate({ inputs, outputs, ringSize, rct });
  },
});

/** Priority of a payment without one, if the daemon does not say how full its blocks are. */
const SLOWEST = 1;

sendingMethods.define({
  name: 'get_default_fee_priority',
  summary: 'The priority of a payment that asks for none, as the pool and the last blocks are now.',
  result: v.object({ priority: result.u32 }),
  ...READS,
  needs: 'daemon',
  async handler({ wallet }) {
    try {
      return { priority: (await wallet.payments.defaultPriority()) || SLOWEST };
    } catch {
      return { priority: SLOWEST };
    }
  },
});

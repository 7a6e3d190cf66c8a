import * as v from 'valibot';
import { isDaemonError } from '../../daemon/index.ts';
import {
  MultisigError,
  type PaymentRequest,
  type Priority,
  SpendError,
  type SpendErrorCode,
  type SweepRequest,
  type Wallet,
  WalletError,
} from '../../wallet/index.ts';
import { type Delivery, type DeliveryOptions, deliver } from '../deliver.ts';
import { RPC_CODE, RpcError, toRpcError } from '../errors.ts';
import { bool, objects, params, result, text, u32, u32s, u64 } from '../fields.ts';
import { requireHex, requireKeyImage } from '../given-hex.ts';
import { MethodGroup, READS, type RpcContext, WRITES } from '../method.ts';
import { IMPORT_NEEDED, requireEnabled } from '../multisig-wallet.ts';
import { readPayees } from '../payees.ts';
import { coldMethods } from './cold.ts';

export const sendingMethods = new MethodGroup('Sending');

/** Parameters of every method that makes transactions. `ring_size` has one value on this chain: it is read and ignored. */
const making = {
  priority: u32(),
  ring_size: u64(),
  unlock_time: u64(),
  payment_id: text(),
  do_not_relay: bool(),
  get_tx_hex: bool(),
  get_tx_metadata: bool(),
};

const keyImageList = v.object({ key_images: v.optional(v.array(result.text)) });

/** Amounts by destination of a transaction. */
const byDestination = v.object({ amounts: v.array(result.u64) });

const one = v.object({
  tx_hash: result.text,
  tx_key: result.text,
  amount: result.u64,
  amounts_by_dest: byDestination,
  fee: result.u64,
  weight: result.u32,
  tx_blob: result.text,
  tx_metadata: result.text,
  multisig_txset: result.text,
  unsigned_txset: result.text,
  spent_key_images: keyImageList,
});

const several = v.object({
  tx_hash_list: v.array(result.text),
  tx_key_list: v.array(result.text),
  amount_list: v.array(result.u64),
  amounts_by_dest_list: v.array(byDestination),
  fee_list: v.array(result.u64),
  weight_list: v.array(result.u32),
  tx_blob_list: v.array(result.text),
  tx_metadata_list: v.array(result.text),
  multisig_txset: result.text,
  unsigned_txset: result.text,
  spent_key_images_list: v.array(keyImageList),
});

const MAKING_ERRORS = [
  'wrongAddress',
  'wrongPaymentId',
  'zeroDestination',
  'zeroAmount',
  'notEnoughMoney',
  'notEnoughUnlockedMoney',
  'txNotPossible',
  'notEnoughOutsToMix',
  'txTooLarge',
  'noDaemonConnection',
  'daemonBusy',
  'nonzeroUnlockTime',
  'disabled',
] as const;

/** The reference takes what is above the highest for the highest. */
const priorityOf = (asked: number): Priority => Math.min(asked, 4) as Priority;

/** Optional contents of a reply: keys of one transaction, or of several. */
interface Told {
  readonly get_tx_key?: boolean;
  readonly get_tx_keys?: boolean;
  readonly get_tx_hex: boolean;
  readonly get_tx_metadata: boolean;
}

const asksKeys = ({ get_tx_key, get_tx_keys }: Told): boolean => get_tx_key === true || get_tx_keys === true;

/** Whether a reply tells secret keys of transactions: asked for as such, or inside the metadata, which holds them. */
const tellsKeys = (asked: Told): boolean => asksKeys(asked) || asked.get_tx_metadata;

function optionsOf(asked: Told & { readonly do_not_relay: boolean }, most?: number): DeliveryOptions {
  const { do_not_relay: doNotSend, get_tx_hex: hex, get_tx_metadata: metadata } = asked;
  return { keys: asksKeys(asked), doNotSend, hex, metadata, most };
}

function oneReply({ transactions, unsignedSet, multisigSet }: Delivery): v.InferInput<typeof one> {
  const { txHash, txKey, amount, amounts, fee, weight, blob, metadata, keyImages } = transactions[0]!;
  return {
    ...{ tx_hash: txHash, tx_key: txKey, amount, fee, weight, tx_blob: blob, tx_metadata: metadata },
    amounts_by_dest: { amounts: [...amounts] },
    multisig_txset: multisigSet,
    unsigned_txset: unsignedSet,
    spent_key_images: { key_images: [...keyImages] },
  };
}

function severalReply({ transactions, unsignedSet, multisigSet }: Delivery): v.InferInput<typeof several> {
  const texts = (pick: (tx: Delivery['transactions'][number]) => string) =>
    transactions.map(pick).filter((value) => value !== '');
  return {
    tx_hash_list: texts(({ txHash }) => txHash),
    tx_key_list: texts(({ txKey }) => txKey),
    amount_list: transactions.map(({ amount }) => amount),
    amounts_by_dest_list: transactions.map(({ amounts }) => ({ amounts: [...amounts] })),
    fee_list: transactions.map(({ fee }) => fee),
    weight_list: transactions.map(({ weight }) => weight),
    tx_blob_list: texts(({ blob }) => blob),
    tx_metadata_list: texts(({ metadata }) => metadata),
    multisig_txset: multisigSet,
    unsigned_txset: unsignedSet,
    spent_key_images_list: transactions.map(({ keyImages }) => ({ key_images: [...keyImages] })),
  };
}

/** @throws RpcError with the words that the reference has for what spending reports */
async function delivered(
  { wallet, host: { compat } }: RpcContext,
  request: PaymentRequest,
  options: DeliveryOptions,
): Promise<Delivery> {
  try {
    return await deliver(wallet, request, { ...options, compat });
  } catch (error) {
    // The reference asks for the height first.
    if (toRpcError(error).code === RPC_CODE.noDaemonConnection) throw new RpcError('transfer', 'Failed to get height');
    if (error instanceof SpendError && (await lacksKeyImages(wallet, request, error)))
      throw new RpcError('txNotPossible', 'No transaction created');
    if (error instanceof MultisigError && error.code === 'info-missing') throw new RpcError('transfer', IMPORT_NEEDED);
    throw error instanceof SpendError ? (inTheirWords(error, request) ?? error) : error;
  }
}

/** Whether a group's money would do, were the key images of its outputs known: the others have yet to tell theirs. */
async function lacksKeyImages(wallet: Wallet, request: PaymentRequest, { code, data }: SpendError): Promise<boolean> {
  if (code !== 'not-enough-unlocked-money' || wallet.multisig.group === undefined || request.kind !== 'transfer') return false;
  const { unlocked } = (await wallet.balances()).account(request.account);
  return data.unlocked === 0n && unlocked >= (data.needed as bigint) + (data.fee as bigint);
}

const OVERFLOW = 'transaction sum + fee exceeds 18446744.073709551615';
const NONE_CHOSEN = 'No unlocked balance in the specified subaddress(es)';

/** The reference's messages. */
const THEIR_WORDS: Partial<Record<SpendErrorCode, (data: SpendError['data']) => string>> = {
  rejected: () => 'transaction was rejected by daemon',
  'bad-fee-bearer': ({ index }) => `subtractfeefrom: bad index: ${index} (indexes are 0-based)`,
  'fee-bearers-split': ({ when }) =>
    when === 'asked'
      ? 'subtractfeefrom transfers cannot be split over multiple transactions yet'
      : 'feature subtractfeefrom not supported for split transactions',
  'payment-id-with-several-destinations': () => 'transaction was not constructed',
  'amount-overflow': () => OVERFLOW,
  'no-unlocked-outputs': ({ unlocked }) =>
    Number(unlocked ?? 0) > 0 ? NONE_CHOSEN : 'No unlocked balance in the specified account',
  'nothing-below-threshold': () => 'The smallest amount found is not below the specified threshold',
  'cannot-pay-for-itself': ({ trial, threshold }) => {
    // A negative remainder is a huge unsigned one to the reference.
    if (trial === false) return OVERFLOW;
    return threshold === undefined ? 'Transaction cannot pay for itself' : NONE_CHOSEN;
  },
  // A device's status: its owner said no there.
  'signer-refused': ({ status }) =>
    status === undefined ? 'Multisig wallets cannot spend non rct outputs' : 'Transaction denied on device.',
  'several-accounts': () => 'the tx uses funds from multiple accounts',
};

function inTheirWords({ code, data }: SpendError, request: PaymentRequest): RpcError | undefined {
  if (code === 'perhaps-sent')
    return new RpcError('noDaemonConnection', `no connection to daemon: transaction ${data.txHash} may have arrived`);
  if (code === 'output-not-spendable') return 'keyImage' in request ? new RpcError('unknown', 'No outputs found') : undefined;
  const words = THEIR_WORDS[code]?.(data);
  return words === undefined ? undefined : new RpcError('transfer', words);
}

const payingMethod = {
  ...WRITES,
  needs: 'daemon',
  revealsSecret: tellsKeys,
  errors: MAKING_ERRORS,
  fallback: 'transfer',
} as const;

const paying = {
  ...making,
  destinations: objects({ amount: u64(), address: text() }),
  account_index: u32(),
  subaddr_indices: u32s(),
};
type Paying = v.InferOutput<ReturnType<typeof params<typeof paying>>>;

sendingMethods.define({
  name: 'transfer',
  summary: 'Pays, with one transaction.',
  params: params({ ...paying, subtract_fee_from_outputs: u32s(), get_tx_key: bool() }),
  result: one,
  ...payingMethod,
  async handler(context, given) {
    requireMayPay(context, given);
    const wanted = await transferOf(context, given, given.subtract_fee_from_outputs);
    return oneReply(await delivered(context, wanted, optionsOf(given, 1)));
  },
});

sendingMethods.define({
  name: 'transfer_split',
  summary: 'Pays, with as many transactions as it takes.',
  params: params({ ...paying, get_tx_keys: bool() }),
  result: several,
  ...payingMethod,
  async handler(context, given) {
    requireMayPay(context, given);
    const wanted = await transferOf(context, given);
    return severalReply(await delivered(context, wanted, optionsOf(given)));
  },
});

async function transferOf(context: RpcContext, given: Paying, feeFrom: readonly number[] = []): Promise<PaymentRequest> {
  return {
    kind: 'transfer',
    destinations: await readPayees(context, given.destinations, given.payment_id),
    account: given.account_index,
    subaddresses: given.subaddr_indices,
    priority: priorityOf(given.priority),
    severalTransactions: true,
    feeFrom,
  };
}

sendingMethods.methods.push(...coldMethods.methods);

sendingMethods.define({
  name: 'sweep_dust',
  aliases: ['sweep_unmixable'],
  summary:
    'Sends outputs from before RingCT whose amount fewer than 16 outputs have back to the wallet: in the open, as nothing can hide them.',
  params: params({ get_tx_keys: bool(), do_not_relay: bool(), get_tx_hex: bool(), get_tx_metadata: bool() }),
  result: several,
  ...payingMethod,
  async handler(context, given) {
    requireEnabled(context.wallet);
    return severalReply(await delivered(context, { kind: 'unmixable' }, optionsOf(given)));
  },
});

sendingMethods.define({
  name: 'sweep_all',
  summary: 'Sends all unlocked outputs of a subaddress, or of several, to an address.',
  params: params({
    ...making,
    address: text(),
    account_index: u32(),
    subaddr_indices: u32s(),
    subaddr_indices_all: bool(),
    outputs: u64(1n),
    below_amount: u64(),
    get_tx_keys: bool(),
  }),
  result: several,
  ...payingMethod,
  async handler(context, given) {
    requireMayPay(context, given);
    const [payee] = await readPayees(context, [{ address: given.address, amount: 0n }], given.payment_id);
    requireOutputs(given.outputs);
    const { account_index: account, below_amount: belowAmount } = given;
    const count = context.wallet.addresses.count(account);
    const named = given.subaddr_indices_all ? Array.from({ length: count }, (_, minor) => minor) : given.subaddr_indices;
    const request: SweepRequest = {
      ...sweepOf(payee!.address, given),
      account,
      belowAmount,
      subaddresses: named.length > 0 ? named : onlySubaddress(context, account, belowAmount),
    };
    return severalReply(await delivered(context, { ...request, kind: 'sweep' }, optionsOf(given)));
  },
});

function onlySubaddress({ wallet }: RpcContext, account: number, belowAmount: bigint): number[] {
  const minor = wallet.payments.subaddressToSweep(account, belowAmount);
  return minor === undefined ? [] : [minor];
}

function requireOutputs(outputs: bigint): void {
  if (outputs < 1n) throw new RpcError('txNotPossible', 'Amount of outputs should be greater than 0.');
}

/** No daemon takes money that is locked for a time any more; a group's is an experiment. @throws RpcError `nonzeroUnlockTime`, `disabled` */
function requireMayPay({ wallet }: RpcContext, { unlock_time }: { readonly unlock_time: bigint }): void {
  if (unlock_time !== 0n) throw new RpcError('nonzeroUnlockTime', 'Transaction cannot have non-zero unlock time');
  requireEnabled(wallet);
}

function sweepOf(address: string, given: { readonly priority: number; readonly outputs: bigint }) {
  const outputs = given.outputs > 0xffffn ? 0xffff : Number(given.outputs);
  return { address, priority: priorityOf(given.priority), outputs };
}

sendingMethods.define({
  name: 'sweep_single',
  summary: 'Sends one output to an address.',
  params: params({ ...making, address: text(), outputs: u64(1n), key_image: text(), get_tx_key: bool() }),
  result: one,
  ...payingMethod,
  errors: [...MAKING_ERRORS, 'wrongKeyImage', 'unknown'],
  async handler(context, given) {
    requireMayPay(context, given);
    requireOutputs(given.outputs);
    const [payee] = await readPayees(context, [{ address: given.address, amount: 0n }], given.payment_id);
    const keyImage = requireKeyImage(given.key_image);
    const account = context.wallet.outputOf(keyImage)?.subaddress.major ?? 0;
    const request = { ...sweepOf(payee!.address, given), account, keyImage };
    return oneReply(await delivered(context, { ...request, kind: 'sweep' }, optionsOf(given)));
  },
});

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

/** The words of the reference; that it may have arrived all the same is for the person to know. */
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

/** Priority of a payment without one, where the daemon does not say how full its blocks are. */
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

import * as v from 'valibot';
import { bytesToHex } from '../../base/index.ts';
import { type DescribedSet, OfflineSigningError } from '../../wallet/index.ts';
import { Wallet2Error } from '../../wallet2/index.ts';
import { errorText, RpcError, toRpcError, withErrorsMapped } from '../errors.ts';
import { bool, params, result, text } from '../fields.ts';
import { requireHex } from '../hex-params.ts';
import { MethodGroup, READS, type RpcContext, WRITES } from '../method.ts';
import { requireEnabled } from '../multisig-wallet.ts';
import { requireNoDevice } from '../no-device.ts';
import { sendFailureText } from '../spend-errors.ts';

/** Signing by a cold wallet. */
export const coldMethods = new MethodGroup('Sending');

function requireSpendKey({ wallet }: RpcContext): void {
  requireNoDevice(wallet);
  if (wallet.description.kind === 'view') throw new RpcError('watchOnly', 'command not supported by watch-only wallet');
}

/** Whether a file could not be read, as opposed to one that was refused. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Wallet2Error || (error instanceof OfflineSigningError && error.code === 'damaged-file');

coldMethods.define({
  name: 'sign_transfer',
  summary: 'Signs a set that the view-only half of this wallet made.',
  params: params({ unsigned_txset: text(), export_raw: bool(), get_tx_keys: bool() }),
  result: v.object({
    signed_txset: result.text,
    tx_hash_list: v.array(result.text),
    tx_raw_list: v.array(result.text),
    tx_key_list: v.array(result.text),
  }),
  ...WRITES,
  revealsSecret: ({ get_tx_keys }) => get_tx_keys,
  errors: ['watchOnly', 'disabled', 'badHex', 'badUnsignedTxData', 'signUnsigned'],
  carriesFiles: true,
  async handler(context, { unsigned_txset, export_raw, get_tx_keys }) {
    requireSpendKey(context);
    requireEnabled(context.wallet);
    const set = requireHex(unsigned_txset);
    const { file, txHashes, blobs } = await withErrorsMapped(() => context.wallet.offline.signUnsigned(set), notSigned);
    const keys = get_tx_keys ? await Promise.all(txHashes.map((txHash) => context.wallet.proofs.txKey(txHash))) : [];
    return {
      signed_txset: bytesToHex(file),
      tx_hash_list: [...txHashes],
      tx_raw_list: export_raw ? [...blobs] : [],
      tx_key_list: keys.map((key) => key ?? ''),
    };
  },
});

/** The reference's messages. */
const TOLD_WORDS: Readonly<Record<string, string>> = {
  'missing-outputs': 'Imported outputs omit more outputs that we know of. Try using export_outputs all.',
  'outputs-beyond-total': 'Offset is larger than total outputs',
  'not-ours': 'Failed to generate key image',
  'locked-transaction': 'transaction cannot have non-zero unlock time',
  'empty-set': 'Empty sources',
};

const unread = (error: unknown): RpcError | undefined =>
  isUnreadable(error) ? new RpcError('badUnsignedTxData', 'cannot load unsigned_txset') : undefined;

function notSigned(error: unknown): RpcError {
  const words = error instanceof OfflineSigningError ? TOLD_WORDS[error.code] : undefined;
  return unread(error) ?? new RpcError('signUnsigned', `Failed to sign unsigned tx: ${words ?? errorText(error)}`);
}

const sources = v.array(v.object({ amount: result.u64, global_index: result.u64, rct: result.bool, pubkey: result.text }));
/** Schema of the sums of a set, and of one transaction. */
const sums = {
  amount_in: result.u64,
  amount_out: result.u64,
  recipients: v.array(v.object({ address: result.text, amount: result.u64 })),
  change_amount: result.u64,
  change_address: result.text,
  fee: result.u64,
};

coldMethods.define({
  name: 'describe_transfer',
  summary: 'What a set to sign would do.',
  params: params({ unsigned_txset: text(), multisig_txset: text() }),
  result: v.object({
    summary: v.object(sums),
    desc: v.array(
      v.object({
        ...sums,
        ring_size: result.u32,
        unlock_time: result.u64,
        sources,
        payment_id: result.text,
        weight: v.optional(result.u64),
        dummy_outputs: result.u32,
        extra: result.text,
      }),
    ),
  }),
  ...READS,
  restricted: 'denied',
  errors: ['watchOnly', 'badHex', 'badUnsignedTxData', 'badMultisigTxData', 'unknown'],
  carriesFiles: true,
  async handler(context, { unsigned_txset, multisig_txset }) {
    requireSpendKey(context);
    if (unsigned_txset === '' && multisig_txset === '') throw new RpcError('unknown', 'no txset provided');
    const { offline, cosigning } = context.wallet;
    const set = requireHex(unsigned_txset || multisig_txset);
    if (unsigned_txset !== '') return describedReply(await withErrorsMapped(() => offline.describeUnsigned(set), notDescribed));
    const described = await withErrorsMapped(() => cosigning.describe(set), groupSetNotDescribed);
    return describedReply(described, described.weights);
  },
});

/** The reference's messages about change that contradicts the set. */
const CHANGE_WORDS: Readonly<Record<string, string>> = {
  'change-not-paid': 'Claimed change does not go to a paid address',
  'change-too-large': 'Claimed change is larger than payment to the change address',
  'several-change-addresses': 'Change goes to more than one address',
};

function badChange(error: unknown): RpcError | undefined {
  const change = error instanceof OfflineSigningError ? CHANGE_WORDS[error.code] : undefined;
  return change === undefined ? undefined : new RpcError('badUnsignedTxData', change);
}

const notDescribed = (error: unknown): RpcError =>
  badChange(error) ?? unread(error) ?? new RpcError('badUnsignedTxData', 'failed to parse unsigned transfers');

const groupSetNotDescribed = (error: unknown): RpcError =>
  badChange(error) ?? new RpcError('badMultisigTxData', 'cannot load multisig_txset');

/** @param weights of a group's transactions, which are built already */
function describedReply({ summary, transactions }: DescribedSet, weights: readonly number[] = []) {
  return {
    summary: shownSums(summary),
    desc: transactions.map((one, i) => ({
      ...shownSums(one),
      ring_size: one.ringSize,
      unlock_time: one.unlockTime,
      sources: one.sources.map(({ globalIndex, ...source }) => ({ ...source, global_index: globalIndex })),
      payment_id: one.paymentId,
      ...(weights[i] === undefined ? {} : { weight: BigInt(weights[i]) }),
      dummy_outputs: one.dummyOutputs,
      extra: one.extra,
    })),
  };
}

function shownSums({ amountIn, amountOut, recipients, changeAmount, changeAddress, fee }: DescribedSet['summary']) {
  const change = { change_amount: changeAmount, change_address: changeAddress };
  return { amount_in: amountIn, amount_out: amountOut, recipients: [...recipients], ...change, fee };
}

coldMethods.define({
  name: 'submit_transfer',
  summary: 'Sends what the cold half of this wallet signed.',
  params: params({ tx_data_hex: text() }),
  result: v.object({ tx_hash_list: v.array(result.text) }),
  ...WRITES,
  needs: 'daemon',
  errors: ['unknown', 'badHex', 'badSignedTxData', 'signedSubmission'],
  carriesFiles: true,
  async handler({ wallet }, { tx_data_hex }) {
    requireNoDevice(wallet);
    const file = requireHex(tx_data_hex);
    const sent = await withErrorsMapped(
      () => wallet.offline.submitSigned(file),
      (error) =>
        isUnreadable(error)
          ? new RpcError('badSignedTxData', 'Failed to parse signed tx data.')
          : new RpcError('signedSubmission', `Failed to submit signed tx: ${sendFailureText(error, toRpcError(error).message)}`),
    );
    return { tx_hash_list: [...sent] };
  },
});

import { isDaemonError } from '../daemon/index.ts';
import { MultisigError, type PaymentRequest, SpendError, type SpendErrorCode, type Wallet } from '../wallet/index.ts';
import { RPC_CODE, RpcError, toRpcError } from './errors.ts';
import { IMPORT_NEEDED } from './multisig-wallet.ts';

/** The RpcError with which the reference reports a failed payment; the given error where the reference has no message of its own. */
export async function toReferenceError(error: unknown, wallet: Wallet, request: PaymentRequest): Promise<unknown> {
  // The details of a malformed answer say more than the reference's message.
  if (isDaemonError(error, 'malformed')) return new RpcError('transfer', error.message);
  // It was made, but could not be sent.
  if (isDaemonError(error) && error.data.txHash !== undefined) return error;
  // The reference requests the height first.
  if (toRpcError(error).code === RPC_CODE.noDaemonConnection) return new RpcError('transfer', 'Failed to get height');
  if (error instanceof MultisigError && error.code === 'info-missing') return new RpcError('transfer', IMPORT_NEEDED);
  if (!(error instanceof SpendError)) return error;
  if (await lacksKeyImages(wallet, request, error)) return new RpcError('txNotPossible', 'No transaction created');
  return spendErrorOf(error, request) ?? error;
}

/** Whether a group's payment fails only because other signers have not exported their key images yet. */
async function lacksKeyImages(wallet: Wallet, request: PaymentRequest, { code, data }: SpendError): Promise<boolean> {
  if (code !== 'not-enough-unlocked-money' || wallet.multisig.group === undefined || request.kind !== 'transfer') return false;
  const { unlocked } = (await wallet.balances()).account(request.account);
  return data.unlocked === 0n && unlocked >= (data.needed as bigint) + (data.fee as bigint);
}

/**
 * Message for a signed set that was not sent. Outputs known to be spent count as rejected, because the reference's daemon rejects them.
 * @param otherwise message of any other failure
 */
export function sendFailureText(error: unknown, otherwise: string): string {
  const refused = error instanceof SpendError && ['rejected', 'output-not-spendable'].includes(error.code);
  return refused ? 'transaction was rejected by daemon' : otherwise;
}

const OVERFLOW = 'transaction sum + fee exceeds 18446744.073709551615';
const NONE_CHOSEN = 'No unlocked balance in the specified subaddress(es)';

/** The reference's messages. */
const REFERENCE_TEXTS: Partial<Record<SpendErrorCode, (data: SpendError['data']) => string>> = {
  rejected: () => 'transaction was rejected by daemon',
  'refused-before': ({ txHash }) =>
    `expected to spend a coin of transaction ${txHash}, which a daemon refused and may have passed on all the same: wait until it is in a block, or give it up by rescan_spent of a trusted daemon`,
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
    // The reference takes a negative remainder for a huge unsigned one.
    if (trial === false) return OVERFLOW;
    return threshold === undefined ? 'Transaction cannot pay for itself' : NONE_CHOSEN;
  },
  // A device's status: its owner refused there.
  'signer-refused': ({ status }) =>
    status === undefined ? 'Multisig wallets cannot spend non rct outputs' : 'Transaction denied on device.',
  'several-accounts': () => 'the tx uses funds from multiple accounts',
};

function spendErrorOf({ code, data }: SpendError, request: PaymentRequest): RpcError | undefined {
  if (code === 'perhaps-sent')
    return new RpcError('noDaemonConnection', `no connection to daemon: transaction ${data.txHash} may have arrived`);
  if (code === 'output-not-spendable') return 'keyImage' in request ? new RpcError('unknown', 'No outputs found') : undefined;
  const words = REFERENCE_TEXTS[code]?.(data);
  return words === undefined ? undefined : new RpcError('transfer', words);
}

import { isDaemonError } from '../daemon/index.ts';
import { StorageError } from '../storage/index.ts';
import { WalletError } from '../wallet/errors.ts';
import { SpendError } from '../wallet/spend/index.ts';

/** Error codes of the wallet service (wallet_rpc_server_error_codes.h). */
export const RPC_CODE = {
  unknown: -1,
  wrongAddress: -2,
  daemonBusy: -3,
  transfer: -4,
  wrongPaymentId: -5,
  transferType: -6,
  denied: -7,
  wrongTxid: -8,
  wrongSignature: -9,
  wrongKeyImage: -10,
  wrongUri: -11,
  wrongIndex: -12,
  notOpen: -13,
  accountOutOfBounds: -14,
  addressOutOfBounds: -15,
  txNotPossible: -16,
  notEnoughMoney: -17,
  txTooLarge: -18,
  notEnoughOutsToMix: -19,
  zeroDestination: -20,
  walletExists: -21,
  invalidPassword: -22,
  noWalletDir: -23,
  noTxKey: -24,
  wrongKey: -25,
  badHex: -26,
  badTxMetadata: -27,
  alreadyMultisig: -28,
  watchOnly: -29,
  badMultisigInfo: -30,
  notMultisig: -31,
  wrongLR: -32,
  thresholdNotReached: -33,
  badMultisigTxData: -34,
  multisigSignature: -35,
  multisigSubmission: -36,
  notEnoughUnlockedMoney: -37,
  noDaemonConnection: -38,
  badUnsignedTxData: -39,
  badSignedTxData: -40,
  signedSubmission: -41,
  signUnsigned: -42,
  nonDeterministic: -43,
  invalidLogLevel: -44,
  attributeNotFound: -45,
  zeroAmount: -46,
  invalidSignatureType: -47,
  disabled: -48,
  proxyAlreadyDefined: -49,
  nonzeroUnlockTime: -50,
  isBackgroundWallet: -51,
  isBackgroundSyncing: -52,
  /** JSON-RPC's own. */
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

export type RpcErrorName = keyof typeof RPC_CODE;
export type RpcErrorCode = (typeof RPC_CODE)[RpcErrorName];

/** A failure of the rooms behind the service, in its own name and words. */
export interface RpcErrorData {
  readonly code: string;
  readonly message: string;
}

/** A request that is answered with an error: the reference's code, and the message that a client may look for. Never a secret in it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcErrorCode | 0;
  /** What really happened, where the code and the message are the reference's for many things. */
  readonly data: RpcErrorData | undefined;

  /** @param kind name of the code; `nothing` is code 0 without a message, as the reference answers when a handler throws past it */
  constructor(kind: RpcErrorName | 'nothing', message: string, data?: RpcErrorData) {
    super(message);
    this.code = kind === 'nothing' ? 0 : RPC_CODE[kind];
    this.data = data;
  }
}

/** wallet_rpc_server.cpp, not_open */
export const notOpen = (): RpcError => new RpcError('notOpen', 'No wallet file');
export const denied = (): RpcError => new RpcError('denied', 'Command unavailable in restricted mode.');

/** Messages that wallet_errors.h gives to what the rooms report, so that clients find what they look for. */
const KNOWN: ReadonlyMap<string, readonly [RpcErrorName, string]> = new Map<string, readonly [RpcErrorName, string]>([
  ['no-such-account', ['accountOutOfBounds', 'account index is out of bound']],
  ['view-only', ['watchOnly', 'The wallet is watch-only. Cannot sign.']],
  ['no-daemon', ['noDaemonConnection', 'no connection to daemon']],
  ['not-enough-money', ['notEnoughMoney', 'not enough money']],
  ['not-enough-unlocked-money', ['notEnoughUnlockedMoney', 'not enough unlocked money']],
  ['not-possible', ['txNotPossible', 'tx not possible']],
  ['zero-amount', ['zeroAmount', 'destination amount is zero']],
  ['no-destination', ['zeroDestination', 'transaction has no destination']],
  ['transaction-too-big', ['txTooLarge', 'transaction is too big']],
  ['decoys-unavailable', ['notEnoughOutsToMix', 'not enough outputs to use Please use sweep_dust.']],
  ['wrong-password', ['invalidPassword', 'Invalid password.']],
  ['exists', ['walletExists', 'Cannot create wallet. Already exists.']],
]);

/** Of a ring that a reorganisation made useless. */
const WAY_OUT = 'rescan_blockchain with hard gives it up, and whoever saw it can tell which output is spent';

/**
 * What a failure of any room is to a client of the service (wallet_rpc_server.cpp, handle_rpc_exception).
 * @param fallback code for what has no code of its own: the method's
 */
export function toRpcError(error: unknown, fallback: RpcErrorName = 'unknown'): RpcError {
  if (error instanceof RpcError) return error;
  if (isDaemonError(error)) {
    if (error.code === 'busy') return new RpcError('daemonBusy', 'daemon is busy');
    if (['unreachable', 'timeout', 'login-needed', 'login-refused', 'http-status'].includes(error.code))
      return new RpcError('noDaemonConnection', 'no connection to daemon', { code: error.code, message: withCause(error) });
    return new RpcError(fallback, error.message);
  }
  if (error instanceof SpendError && error.code === 'kept-ring-unusable' && error.data.reason === 'moved')
    return new RpcError(fallback, `Known ring does not include the spent output: ${error.data.index}; ${WAY_OUT}`);
  if (error instanceof WalletError || error instanceof SpendError || error instanceof StorageError) {
    const known = KNOWN.get(error.code);
    if (known === undefined) return new RpcError(fallback, error.message);
    const [kind, message] = known;
    return kind === 'noDaemonConnection'
      ? new RpcError(kind, message, { code: error.code, message: error.message })
      : new RpcError(kind, message);
  }
  return new RpcError(fallback, error instanceof Error ? error.message : 'unknown error');
}

/** An error's words, and those of what the system said. */
function withCause(error: Error): string {
  let last: unknown = error.cause;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  return last instanceof Error && last.message !== '' && last.message !== error.message
    ? `${error.message} (${last.message})`
    : error.message;
}

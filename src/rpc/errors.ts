import { type DaemonErrorCode, isDaemonError } from '../daemon/index.ts';
import { StorageError, type StorageErrorCode } from '../storage/index.ts';
import { SpendError, type SpendErrorCode, WalletError, type WalletErrorCode } from '../wallet/index.ts';
import type { Wallet2Error } from '../wallet2/index.ts';

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

/** Names of the codes, as methods list them. */
export type RpcErrorName = keyof typeof RPC_CODE;
/** The codes themselves: those of wallet_rpc_server_error_codes.h, and JSON-RPC's own. All are below 0. */
export type RpcErrorCode = (typeof RPC_CODE)[RpcErrorName];

/** A failure of another room, with its own code and message. */
export interface RpcErrorData {
  readonly code: string;
  readonly message: string;
}

/** An error reply to a request: the reference's code, and a message that clients may match. Never contains a secret. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcErrorCode | 0;
  /** The precise cause, if the reference has one code and message for several. */
  readonly data: RpcErrorData | undefined;

  /** @param kind name of the code; `nothing` is code 0 without a message, the reference's answer when a handler throws unexpectedly */
  constructor(kind: RpcErrorName | 'nothing', message: string, data?: RpcErrorData) {
    super(message);
    this.code = kind === 'nothing' ? 0 : RPC_CODE[kind];
    this.data = data;
  }
}

/** wallet_rpc_server.cpp, not_open */
export const notOpen = (): RpcError => new RpcError('notOpen', 'No wallet file');
/** A method that the restricted service does not have, with the reference's message. */
export const deniedError = (): RpcError => new RpcError('denied', 'Command unavailable in restricted mode.');

/** A client's error for each code of a room; a new code does not compile until it has one. */
type Answers<Code extends string> = Readonly<Record<Code, readonly [name: RpcErrorName, message: string] | undefined>>;

function each<Code extends string, A>(answer: A, ...codes: readonly Code[]): Record<Code, A> {
  return Object.fromEntries(codes.map((code) => [code, answer])) as Record<Code, A>;
}

/** Failures that mean something different in each method: they have the method's own code, and their own message. */
const byMethod = <Code extends string>(...codes: readonly Code[]) => each(undefined, ...codes);

// Messages are those of wallet_errors.h, so that clients can match them.

const AWAY = ['noDaemonConnection', 'no connection to daemon'] as const;
const WATCHES_ONLY = ['watchOnly', 'The wallet is watch-only. Cannot sign.'] as const;
const WRONG_PASSWORD = ['invalidPassword', 'Invalid password.'] as const;

const DAEMON: Answers<DaemonErrorCode> = {
  ...each(AWAY, 'unreachable', 'timeout', 'http-status', 'login-needed', 'login-refused', 'not-offered', 'malformed'),
  busy: ['daemonBusy', 'daemon is busy'],
  ...byMethod('bad-url', 'mixed-content', 'cors', 'local-network', 'aborted', 'bad-status', 'rpc-error', 'restricted'),
  ...byMethod('payment-required', 'too-large', 'bad-fee', 'bad-outs', 'bad-distribution', 'bad-chain'),
  ...byMethod('bad-transactions', 'bad-pool'),
};

/** Whether a code is reported to clients as an unreachable daemon. */
export const isDaemonUnreachable = (code: string | undefined): boolean => (DAEMON as Answers<string>)[code ?? ''] === AWAY;

const WALLET: Answers<WalletErrorCode> = {
  'view-only': WATCHES_ONLY,
  'no-daemon': AWAY,
  'wrong-password': WRONG_PASSWORD,
  'no-such-account': ['accountOutOfBounds', 'account index is out of bound'],
  ...byMethod('bad-event', 'daemon-behind', 'reorg-too-deep', 'broken-chain', 'wrong-network', 'unknown-era'),
  ...byMethod('block-mismatch', 'bad-daemon-answer', 'closed', 'no-device', 'wrong-device', 'sync-stopped', 'bad-seed'),
  ...byMethod('bad-address', 'bad-key', 'height-out-of-range', 'lookahead-out-of-range', 'not-found', 'same-wallet'),
  ...byMethod('addresses-unknown', 'newer-version', 'own-secret'),
};

const SPEND: Answers<SpendErrorCode> = {
  'no-destination': ['zeroDestination', 'transaction has no destination'],
  'zero-amount': ['zeroAmount', 'destination amount is zero'],
  'view-only': WATCHES_ONLY,
  'not-enough-money': ['notEnoughMoney', 'not enough money'],
  'not-enough-unlocked-money': ['notEnoughUnlockedMoney', 'not enough unlocked money'],
  'not-possible': ['txNotPossible', 'tx not possible'],
  'transaction-too-big': ['txTooLarge', 'transaction is too big'],
  'decoys-unavailable': ['notEnoughOutsToMix', 'not enough outputs to use Please use sweep_dust.'],
  ...byMethod('too-many-destinations', 'amount-overflow', 'bad-address', 'wrong-network', 'several-payment-ids'),
  ...byMethod('payment-id-with-several-destinations', 'bad-fee-bearer', 'fee-bearers-split', 'bad-output-count'),
  ...byMethod('no-unlocked-outputs', 'nothing-below-threshold', 'output-not-spendable', 'refused-before'),
  ...byMethod('cannot-pay-for-itself', 'fee-too-high', 'fee-unavailable', 'bad-distribution', 'daemon-altered-output'),
  ...byMethod('bad-ring-member', 'kept-ring-unusable', 'kept-ring-usable', 'several-accounts', 'signer-refused'),
  ...byMethod('unfinished', 'check-failed', 'rejected', 'perhaps-sent'),
};

const STORAGE: Answers<StorageErrorCode> = {
  'wrong-password': WRONG_PASSWORD,
  exists: ['walletExists', 'Cannot create wallet. Already exists.'],
  ...byMethod(
    'locked',
    'damaged',
    'not-a-backup',
    'not-found',
    'removed',
    'full',
    'bad-name',
    'newer-version',
    'closed',
    'unavailable',
  ),
};

/** Advice for a ring that a reorganisation made unusable. */
const WAY_OUT = 'rescan_blockchain with hard gives it up, and whoever saw it can tell which output is spent';

/**
 * Converts a failure of any room to the client's error (wallet_rpc_server.cpp, handle_rpc_exception).
 * @param fallback the method's code, for errors without one of their own
 */
export function toRpcError(error: unknown, fallback: RpcErrorName = 'unknown'): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof SpendError && error.code === 'kept-ring-unusable' && error.data.reason === 'moved')
    return new RpcError(fallback, `Known ring does not include the spent output: ${error.data.index}; ${WAY_OUT}`);
  const [name, message] = answerTo(error) ?? [fallback, errorText(error)];
  return name === 'noDaemonConnection' ? new RpcError(name, message, causeOf(error)) : new RpcError(name, message);
}

/** Runs `work`. An error is replaced by what `translate` returns for it, unless that is undefined. */
export async function withErrorsMapped<T>(
  work: () => Promise<T> | T,
  translate: (error: unknown) => RpcError | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error) ?? error;
  }
}

/** The reference's message for a file or message that the wallet's key does not decrypt (wallet2.cpp, decrypt). */
export const decryptFailureText = ({ data }: Wallet2Error): string =>
  data.short === true ? 'Unexpected ciphertext size' : 'Failed to authenticate ciphertext';

/** Message of an error, for a client. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error');

function answerTo(error: unknown): Answers<string>[string] {
  if (isDaemonError(error)) return DAEMON[error.code];
  if (error instanceof WalletError) return WALLET[error.code];
  if (error instanceof SpendError) return SPEND[error.code];
  if (error instanceof StorageError) return STORAGE[error.code];
  return undefined;
}

/** The cause of "no connection to daemon", which is sent as data. */
function causeOf(error: unknown): RpcErrorData | undefined {
  if (isDaemonError(error)) return { code: error.code, message: withCause(error) };
  return error instanceof WalletError ? { code: error.code, message: error.message } : undefined;
}

/** An error's message, and that of its system error. */
function withCause(error: Error): string {
  let last: unknown = error.cause;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  return last instanceof Error && last.message !== '' && last.message !== error.message
    ? `${error.message} (${last.message})`
    : error.message;
}

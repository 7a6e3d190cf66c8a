import { type DaemonErrorCode, isDaemonError } from '../daemon/index.ts';
import { StorageError, type StorageErrorCode } from '../storage/index.ts';
import { SpendError, type SpendErrorCode, WalletError, type WalletErrorCode } from '../wallet/index.ts';

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

/** The code of a failure that means another thing in each method: the method's own, with the failure's words. */
const BY_METHOD = undefined;

/** What each code of a room is to a client; a new one does not compile until it has its answer. */
type Answers<Code extends string> = Readonly<Record<Code, readonly [name: RpcErrorName, message: string] | typeof BY_METHOD>>;

const AWAY = ['noDaemonConnection', 'no connection to daemon'] as const;

// Messages are those of wallet_errors.h, so that clients find what they look for.

const DAEMON: Answers<DaemonErrorCode> = {
  'bad-url': BY_METHOD,
  unreachable: AWAY,
  'mixed-content': BY_METHOD,
  cors: BY_METHOD,
  'local-network': BY_METHOD,
  timeout: AWAY,
  aborted: BY_METHOD,
  'http-status': AWAY,
  'login-needed': AWAY,
  'login-refused': AWAY,
  busy: ['daemonBusy', 'daemon is busy'],
  'bad-status': BY_METHOD,
  'rpc-error': BY_METHOD,
  'not-offered': AWAY,
  restricted: BY_METHOD,
  'payment-required': BY_METHOD,
  'too-large': BY_METHOD,
  malformed: BY_METHOD,
  'bad-fee': BY_METHOD,
  'bad-outs': BY_METHOD,
  'bad-distribution': BY_METHOD,
  'bad-chain': BY_METHOD,
  'bad-transactions': BY_METHOD,
  'bad-pool': BY_METHOD,
};

const WALLET: Answers<WalletErrorCode> = {
  'bad-event': BY_METHOD,
  'daemon-behind': BY_METHOD,
  'reorg-too-deep': BY_METHOD,
  'broken-chain': BY_METHOD,
  'wrong-network': BY_METHOD,
  'unknown-era': BY_METHOD,
  'block-mismatch': BY_METHOD,
  'bad-daemon-answer': BY_METHOD,
  'view-only': ['watchOnly', 'The wallet is watch-only. Cannot sign.'],
  closed: BY_METHOD,
  'no-device': BY_METHOD,
  'wrong-device': BY_METHOD,
  'no-daemon': AWAY,
  'sync-stopped': BY_METHOD,
  'bad-seed': BY_METHOD,
  'bad-address': BY_METHOD,
  'bad-key': BY_METHOD,
  'wrong-password': ['invalidPassword', 'Invalid password.'],
  'no-such-account': ['accountOutOfBounds', 'account index is out of bound'],
  'height-out-of-range': BY_METHOD,
  'lookahead-out-of-range': BY_METHOD,
  'not-found': BY_METHOD,
  'addresses-unknown': BY_METHOD,
};

const SPEND: Answers<SpendErrorCode> = {
  'no-destination': ['zeroDestination', 'transaction has no destination'],
  'too-many-destinations': BY_METHOD,
  'zero-amount': ['zeroAmount', 'destination amount is zero'],
  'amount-overflow': BY_METHOD,
  'bad-address': BY_METHOD,
  'wrong-network': BY_METHOD,
  'several-payment-ids': BY_METHOD,
  'payment-id-with-several-destinations': BY_METHOD,
  'bad-fee-bearer': BY_METHOD,
  'fee-bearers-split': BY_METHOD,
  'bad-output-count': BY_METHOD,
  'view-only': ['watchOnly', 'The wallet is watch-only. Cannot sign.'],
  'nothing-prepared': BY_METHOD,
  'not-enough-money': ['notEnoughMoney', 'not enough money'],
  'not-enough-unlocked-money': ['notEnoughUnlockedMoney', 'not enough unlocked money'],
  'not-possible': ['txNotPossible', 'tx not possible'],
  'no-unlocked-outputs': BY_METHOD,
  'nothing-below-threshold': BY_METHOD,
  'output-not-spendable': BY_METHOD,
  'refused-before': BY_METHOD,
  'cannot-pay-for-itself': BY_METHOD,
  'transaction-too-big': ['txTooLarge', 'transaction is too big'],
  'fee-too-high': BY_METHOD,
  'fee-unavailable': BY_METHOD,
  'bad-distribution': BY_METHOD,
  'decoys-unavailable': ['notEnoughOutsToMix', 'not enough outputs to use Please use sweep_dust.'],
  'daemon-altered-output': BY_METHOD,
  'bad-ring-member': BY_METHOD,
  'kept-ring-unusable': BY_METHOD,
  'kept-ring-usable': BY_METHOD,
  'several-accounts': BY_METHOD,
  'signer-refused': BY_METHOD,
  unfinished: BY_METHOD,
  'check-failed': BY_METHOD,
  rejected: BY_METHOD,
  'perhaps-sent': BY_METHOD,
};

const STORAGE: Answers<StorageErrorCode> = {
  'wrong-password': ['invalidPassword', 'Invalid password.'],
  locked: BY_METHOD,
  damaged: BY_METHOD,
  'not-a-backup': BY_METHOD,
  'not-found': BY_METHOD,
  exists: ['walletExists', 'Cannot create wallet. Already exists.'],
  full: BY_METHOD,
  'bad-name': BY_METHOD,
  'newer-version': BY_METHOD,
  closed: BY_METHOD,
  unavailable: BY_METHOD,
};

/** Of a ring that a reorganisation made useless. */
const WAY_OUT = 'rescan_blockchain with hard gives it up, and whoever saw it can tell which output is spent';

/**
 * What a failure of any room is to a client of the service (wallet_rpc_server.cpp, handle_rpc_exception).
 * @param fallback code for what has no code of its own: the method's
 */
export function toRpcError(error: unknown, fallback: RpcErrorName = 'unknown'): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof SpendError && error.code === 'kept-ring-unusable' && error.data.reason === 'moved')
    return new RpcError(fallback, `Known ring does not include the spent output: ${error.data.index}; ${WAY_OUT}`);
  const [name, message] = answerTo(error) ?? [fallback, error instanceof Error ? error.message : 'unknown error'];
  return name === 'noDaemonConnection' ? new RpcError(name, message, causeOf(error)) : new RpcError(name, message);
}

function answerTo(error: unknown): Answers<string>[string] {
  if (isDaemonError(error)) return DAEMON[error.code];
  if (error instanceof WalletError) return WALLET[error.code];
  if (error instanceof SpendError) return SPEND[error.code];
  if (error instanceof StorageError) return STORAGE[error.code];
  return BY_METHOD;
}

/** Where "no connection to daemon" comes from. */
function causeOf(error: unknown): RpcErrorData | undefined {
  if (isDaemonError(error)) return { code: error.code, message: withCause(error) };
  return error instanceof WalletError ? { code: error.code, message: error.message } : undefined;
}

/** An error's words, and those of what the system said. */
function withCause(error: Error): string {
  let last: unknown = error.cause;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  return last instanceof Error && last.message !== '' && last.message !== error.message
    ? `${error.message} (${last.message})`
    : error.message;
}

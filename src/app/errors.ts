import { RemoteError, toWireError } from '../../workers/client.ts';
import type { HostErrorCode } from '../../workers/host.ts';
import type { FormatErrorCode } from '../base/index.ts';
import type { CryptoErrorCode } from '../crypto/errors.ts';
import type { DaemonErrorCode } from '../daemon/errors.ts';
import type { ProtocolErrorCode } from '../protocol/errors.ts';
import type { ScanErrorCode } from '../scan/errors.ts';
import type { StorageErrorCode } from '../storage/errors.ts';
import type {
  MultisigErrorCode,
  OfflineSigningErrorCode,
  ProofErrorCode,
  SpendErrorCode,
  SyncStatus,
  WalletErrorCode,
} from '../wallet/index.ts';
import type { Wallet2ErrorCode } from '../wallet2/errors.ts';
import { isRecord, sentIn } from './error-codes.ts';
import { formatNumber, writeAmount } from './language/formats.ts';
import { m } from './language/messages.ts';
import type { AmountProblem } from './services/amount.ts';
import type { FileErrorCode } from './services/file.ts';
import { networkName } from './services/network.ts';
import { hasOpenWallet } from './services/open-wallet.ts';
import { PasskeyError, type PasskeyErrorCode } from './services/passkey.ts';
import { PinError } from './services/pin-error.ts';
import { dayText } from './services/recovery.ts';
import { type RequestRefusal, refusalOf } from './services/uri.ts';

/**
 * The only place where error codes become texts. Each text says what happened and what to do; nothing was changed when it is shown. Each
 * table lists all codes of its room, so that the compiler reports a missing one.
 */

type Data = Readonly<Record<string, unknown>>;
type Say = (data: Data) => string;
/** Text for every code of a room. */
export type Texts<Code extends string> = Readonly<Record<Code, Say>>;

/** One text for several codes. */
const same = <Code extends string>(say: Say, ...codes: readonly Code[]) =>
  Object.fromEntries(codes.map((code) => [code, say])) as Record<Code, Say>;

/** Text for errors that only a lying node causes. */
const lies = <Code extends string>(...codes: readonly Code[]) => same(m.err_daemon_lies, ...codes);

const amountIn = (data: Data, key: string): string => {
  const value = data[key];
  return typeof value === 'bigint' ? writeAmount(value) : String(value ?? '?');
};
/** A value of an error as text. */
export const wordIn = (data: Data, key: string): string => String(data[key] ?? '?');
/** Name of the network that an error is about. */
export const networkIn = (data: Data): string => networkName(wordIn(data, 'network'));

const PROTOCOL: Texts<ProtocolErrorCode> = {
  'wrong-network': (data) => m.err_address_network({ network: networkIn(data) }),
  'bad-checksum': m.err_address_checksum,
  'bad-word-count': m.err_seed_count,
  'unknown-word': (data) => m.err_seed_word({ position: wordIn(data, 'position') }),
  'bad-checksum-word': m.err_seed_checksum,
  'ambiguous-words': m.err_seed_ambiguous,
  'unsupported-seed': m.err_seed_unsupported,
  'passphrase-needed': m.err_seed_passphrase,
  'unknown-language': m.err_seed_count,
  'unknown-era': m.err_unknown_era,
  'bad-amount': m.err_amount_format,
  ...same(m.err_address_form, 'bad-base58', 'bad-address-length', 'unknown-address-prefix', 'bad-key'),
  'bad-uri': m.err_request_form,
  ...lies('bad-structure', 'truncated', 'trailing-bytes', 'bad-varint', 'bad-length', 'unknown-tag', 'too-deep'),
  ...lies('unexpected-type', 'out-of-range', 'pruned'),
};

/** Errors of formats. Those of a daemon's answers are reported elsewhere, so the hex here is a key that was typed. */
const FORMAT: Texts<FormatErrorCode> = {
  'bad-hex': m.err_view_key,
  'bad-length': m.err_view_key,
  ...lies('bad-json', 'too-deep', 'bad-structure', 'unexpected-type', 'out-of-range'),
};

const CRYPTO: Texts<CryptoErrorCode> = {
  'no-randomness': m.err_no_randomness,
  'weak-randomness': m.err_no_randomness,
  'kernel-unavailable': m.err_no_wasm,
  'not-loaded': m.err_internal,
  'bad-scalar': m.err_view_key,
  'bad-length': m.err_view_key,
  'bad-point': m.err_address_form,
  'bad-argument': m.err_internal,
};

const DAEMON: Texts<DaemonErrorCode> = {
  'bad-url': m.err_daemon_url,
  unreachable: m.err_daemon_unreachable,
  'mixed-content': m.daemon_mixed,
  cors: () => m.daemon_cors({ origin: window.location.origin }),
  'local-network': m.daemon_local,
  timeout: m.err_daemon_slow,
  aborted: m.err_aborted,
  'login-needed': m.err_daemon_login_needed,
  'login-refused': m.err_daemon_login_refused,
  busy: m.err_daemon_busy,
  'bad-fee': m.err_fee_high,
  ...same(m.err_daemon_status, 'http-status', 'bad-status', 'rpc-error', 'not-offered', 'restricted', 'payment-required'),
  ...lies('too-large', 'malformed', 'bad-outs', 'bad-distribution', 'bad-chain', 'bad-transactions', 'bad-pool'),
};

const WALLET: Texts<WalletErrorCode> = {
  'bad-event': m.err_damaged,
  'newer-version': m.err_newer_version,
  'daemon-behind': m.err_daemon_busy,
  'reorg-too-deep': m.err_reorg,
  'wrong-network': m.err_daemon_network,
  'unknown-era': m.err_unknown_era,
  'sync-stopped': m.err_sync_stopped,
  'view-only': m.err_view_only,
  closed: m.err_not_open,
  'no-daemon': m.err_no_daemon,
  'no-device': m.err_no_device,
  'wrong-device': m.err_wrong_device,
  'bad-seed': m.err_seed_checksum,
  'bad-address': m.err_address_form,
  'bad-key': m.err_view_key,
  'wrong-password': m.err_wrong_password,
  'no-such-account': m.err_internal,
  'height-out-of-range': m.err_height,
  'not-found': m.err_prepared_gone,
  'same-wallet': m.err_same_wallet,
  'own-secret': m.err_own_secret,
  'addresses-unknown': m.err_addresses_unknown,
  'lookahead-out-of-range': (data) => m.err_lookahead({ most: formatNumber(Number(data.most)) }),
  ...lies('broken-chain', 'block-mismatch', 'bad-daemon-answer'),
};

const SPEND: Texts<SpendErrorCode> = {
  'no-destination': m.err_address_missing,
  'zero-amount': m.err_amount_zero,
  'amount-overflow': m.err_amount_overflow,
  'bad-address': m.err_address_form,
  'wrong-network': (data) => m.err_address_network({ network: networkIn(data) }),
  'several-payment-ids': m.err_payment_ids,
  'payment-id-with-several-destinations': m.err_payment_ids,
  'view-only': m.err_view_only,
  'not-enough-money': (data) =>
    m.err_not_enough({ needed: amountIn(data, 'needed'), fee: amountIn(data, 'fee'), balance: amountIn(data, 'balance') }),
  'not-enough-unlocked-money': (data) =>
    data.unlocked === 0n
      ? m.err_nothing_unlocked()
      : m.err_not_enough_unlocked({
          needed: amountIn(data, 'needed'),
          fee: amountIn(data, 'fee'),
          unlocked: amountIn(data, 'unlocked'),
        }),
  'not-possible': m.err_not_enough_fee,
  'refused-before': m.err_refused_before,
  'cannot-pay-for-itself': m.err_dust,
  'transaction-too-big': m.err_too_big,
  'fee-too-high': m.err_fee_high,
  'fee-unavailable': m.err_fee_unavailable,
  'decoys-unavailable': m.err_decoys,
  'kept-ring-unusable': ({ reason }) => (reason === 'moved' ? m.err_kept_ring_moved() : m.err_kept_ring()),
  'kept-ring-usable': m.err_kept_ring_usable,
  'signer-refused': m.err_signer_refused,
  'check-failed': m.err_check_failed,
  rejected: (data) => {
    const count = sentIn(data);
    return count === 0 ? m.err_rejected({ reason: reasonsIn(data) }) : m.err_rejected_rest({ count, reason: reasonsIn(data) });
  },
  'perhaps-sent': m.err_perhaps_sent,
  ...same(m.err_too_many, 'too-many-destinations', 'fee-bearers-split', 'bad-output-count'),
  ...same(m.err_internal, 'bad-fee-bearer', 'several-accounts', 'unfinished'),
  ...same(m.err_nothing_unlocked, 'no-unlocked-outputs', 'nothing-below-threshold', 'output-not-spendable'),
  ...same(m.err_daemon_lies_send, 'bad-distribution', 'daemon-altered-output', 'bad-ring-member'),
};

/** Text for a file of another kind than expected. */
const FILE_KINDS: Readonly<Record<string, () => string>> = {
  'Monero unsigned tx set': m.err_file_not_unsigned,
  'Monero signed tx set': m.err_file_not_signed,
  'Monero output export': m.err_file_not_outputs,
  'Monero key image export': m.err_file_not_images,
  'Monero multisig export': m.err_group_message,
  'Monero multisig unsigned tx set': m.err_group_message,
};

const WALLET2: Texts<Wallet2ErrorCode> = {
  'bad-magic': (data) => (FILE_KINDS[wordIn(data, 'expected')] ?? m.err_file_damaged)(),
  'unsupported-version': (data) => m.err_file_version({ version: wordIn(data, 'version') }),
  'not-authentic': m.err_file_other_wallet,
  'wrong-password': m.err_wrong_password,
  'unsupported-kind': m.err_file_multisig,
  'keys-do-not-match': m.err_file_damaged,
};

const EXCHANGE: Texts<OfflineSigningErrorCode> = {
  'one-of-several': m.err_one_of_several,
  'other-account': m.err_file_other_wallet,
  'missing-outputs': m.err_file_missing_outputs,
  'outputs-beyond-total': m.err_file_contradicts,
  'nothing-requested': m.err_file_empty,
  'start-without-all': m.err_file_missing_outputs,
  'too-many-key-images': m.err_file_too_many_images,
  'not-ours': m.err_file_not_ours,
  'bad-key-image': m.err_file_images_proof,
  'bad-signature': m.err_file_images_proof,
  'view-only': m.err_view_only,
  'unsupported-form': m.err_file_form,
  'contradictory-set': m.err_file_contradicts,
  'locked-transaction': m.err_file_form,
  'empty-set': m.err_file_empty,
  'wrong-network': (data) => m.err_file_network({ network: networkIn(data) }),
  'damaged-file': m.err_file_damaged,
  'already-spent': m.err_file_spent,
  'already-sent': m.err_file_sent,
  'bad-daemon-answer': m.err_daemon_lies,
  ...same(m.err_file_change, 'change-not-paid', 'change-too-large', 'several-change-addresses', 'foreign-change'),
};

/** Differences between a payment and this wallet. */
const CONTRADICTIONS: Readonly<Record<string, () => string>> = {
  spent: m.err_set_spent,
  change: m.err_set_change,
  fee: m.err_set_words,
  words: m.err_set_words,
  address: m.err_set_words,
  coins: m.err_set_coins,
  account: m.err_set_coins,
  keys: m.err_set_keys,
  positions: m.err_set_behind,
};

const MULTISIG: Texts<MultisigErrorCode> = {
  'bad-message': m.err_group_message,
  'old-version': m.err_group_old,
  'unknown-version': m.err_group_newer,
  'bad-key': m.err_group_damaged,
  'bad-signature': m.err_group_damaged,
  'wrong-round': (data) => m.err_group_round({ round: wordIn(data, 'round'), expected: wordIn(data, 'expected') }),
  'mixed-rounds': (data) => m.err_group_round({ round: '?', expected: wordIn(data, 'expected') }),
  'duplicate-signer': m.err_group_repeated_other,
  'unknown-signer': m.err_group_stranger,
  'bad-signer-count': m.err_group_count,
  'signers-missing': m.err_group_missing,
  contradiction: (data) => (data.of === 'signer' ? m.err_group_repeated_other() : m.err_group_contradiction()),
  'not-verified': m.err_group_not_verified,
  'already-complete': m.err_group_made,
  'bad-seed': m.err_group_seed,
  'not-multisig': m.err_group_not,
  'view-only': m.err_view_only,
  'not-ready': m.err_group_not_ready,
  'info-missing': m.err_group_info,
  'other-group': m.err_group_other,
  'bad-set': (data) => (CONTRADICTIONS[wordIn(data, 'reason')] ?? m.err_group_damaged)(),
  'bad-key-images': m.err_group_key_images,
  'nonces-unknown': m.err_set_nonces,
  'empty-set': m.err_file_empty,
  'already-signed': m.err_set_signed,
  'fully-signed': m.err_set_complete,
  'too-many-signers': m.err_group_too_many,
  'too-few-signers': m.err_group_too_few,
  frozen: m.err_set_frozen,
  'not-asked': m.err_set_not_asked,
  'own-message': m.err_group_own,
  repeated: m.err_group_repeated,
  'bad-shares': m.err_set_shares,
  ...same(m.err_internal, 'bad-threshold', 'bad-account', 'already-multisig'),
};

const PROOF: Texts<ProofErrorCode> = {
  'one-of-several': m.err_one_of_several,
  'view-only': m.err_view_only,
  'transaction-unavailable': m.err_proof_tx,
  'bad-daemon-answer': m.err_daemon_lies,
  'no-tx-key': m.err_proof_no_key,
  'no-tx-public-key': m.err_proof_nothing,
  'nothing-received': m.err_proof_nothing,
  'not-ours': m.err_proof_no_key,
  ...same(m.err_proof_form, 'bad-key', 'bad-header', 'bad-size', 'bad-encoding', 'bad-structure', 'wrong-count', 'bad-key-image'),
  ...same(m.err_reserve_little, 'no-balance', 'not-enough-balance', 'zero-amount'),
  ...same(
    m.err_reserve_other,
    'other-address',
    'unconfirmed',
    'bad-index',
    'foreign-output',
    'repeated-output',
    'repeated-key-image',
  ),
};

const STORAGE: Texts<StorageErrorCode> = {
  'wrong-password': m.err_wrong_password,
  locked: m.err_second_tab,
  damaged: m.err_damaged,
  'not-a-backup': m.err_not_backup,
  'not-found': m.err_not_found,
  removed: m.err_removed,
  exists: m.err_name_taken,
  full: m.err_disk_full,
  'bad-name': m.err_bad_name,
  'newer-version': m.err_newer_version,
  closed: m.err_not_open,
  unavailable: m.err_unavailable,
};

const SCAN: Texts<ScanErrorCode> = {
  'unknown-version': m.err_unknown_era,
  'out-of-memory': m.err_memory,
  'no-kernel': m.err_no_wasm,
  'no-thread': m.err_internal,
  'no-account': m.err_internal,
  closed: m.err_not_open,
  'worker-failed': m.err_memory,
  ...lies('bad-storage', 'bad-block', 'bad-transaction', 'count-mismatch', 'height-mismatch', 'id-mismatch', 'too-large'),
  ...lies('bad-status'),
};

const PAGE: Texts<HostErrorCode | FileErrorCode | 'worker-stopped' | 'disk-full' | 'aborted' | 'internal'> = {
  'not-open': m.err_not_open,
  'bad-date': dayText,
  'other-name': (data) => m.err_other_name({ name: wordIn(data, 'name') }),
  'daemon-not-trusted': m.err_not_trusted,
  'password-needed': m.password_missing,
  'no-such-call': m.err_internal,
  'offline-device': m.err_offline_device,
  'keys-of-no-wallet': m.err_keys_none,
  'keys-of-other-wallet': m.err_keys_other,
  'not-a-pairing': m.err_not_pairing,
  'not-a-wallet-code': m.err_wallet_code,
  'pairing-spends': m.err_pairing_spends,
  'pairing-key': m.err_pairing_key,
  'pairing-height': m.err_pairing_height,
  'faucet-refused': m.err_faucet,
  'faucet-unreachable': m.err_faucet,
  'file-unreadable': m.err_file_unreadable,
  'file-too-large': m.err_file_too_large,
  'worker-stopped': m.err_worker_stopped,
  'disk-full': m.err_disk_full,
  aborted: m.err_aborted,
  internal: m.err_internal,
};

const PASSKEY: Texts<PasskeyErrorCode> = {
  'passkey-refused': m.err_passkey_refused,
  'passkey-without-prf': m.err_passkey_prf,
  'passkey-stale': m.err_passkey_stale,
};

const ROOMS: Record<string, Readonly<Record<string, Say>>> = {
  FormatError: FORMAT,
  ProtocolError: PROTOCOL,
  CryptoError: CRYPTO,
  DaemonError: DAEMON,
  WalletError: WALLET,
  SpendError: SPEND,
  OfflineSigningError: EXCHANGE,
  Wallet2Error: WALLET2,
  ScanError: SCAN,
  StorageError: STORAGE,
  ProofError: PROOF,
  MultisigError: MULTISIG,
};

/** Texts of rooms that are loaded on demand. */
export function registerErrorTexts<Code extends string>(room: string, texts: Texts<Code>): void {
  ROOMS[room] = texts;
}

/** A sync status holds only the code: it is looked up in the tables of the rooms that a sync uses. */
const SYNC = { ...PAGE, ...FORMAT, ...CRYPTO, ...PROTOCOL, ...SCAN, ...STORAGE, ...WALLET, ...DAEMON } as Readonly<
  Record<string, Say>
>;

const AMOUNT: Readonly<Record<AmountProblem, () => string>> = {
  'amount-missing': m.err_amount_missing,
  'amount-format': m.err_amount_format,
  'amount-marks': m.err_amount_marks,
  'amount-two-ways': m.err_amount_two_ways,
  'amount-decimals': m.err_amount_decimals,
  'amount-zero': m.err_amount_zero,
  'amount-overflow': m.err_amount_overflow,
};

/** Error text for a typed amount. */
export const amountText = (problem: AmountProblem): string => AMOUNT[problem]();

const REQUEST: Readonly<Record<RequestRefusal, () => string>> = {
  'payment-id': m.err_request_payment_id,
  amounts: m.err_request_amounts,
  form: m.err_request_form,
};

/** Error text for a refused payment request; undefined when the text is no request, or can be paid. */
export function requestText(text: string): string | undefined {
  const refusal = refusalOf(text);
  return refusal === undefined ? undefined : REQUEST[refusal]();
}

/** A browser's error text as part of a sentence. */
const withoutStop = (words: string): string => words.replace(/[.。]+$/, '');

/** Text for the reason that a sync is stuck. */
export const syncErrorText = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  SYNC[code]?.({}) ?? m.err_other({ message: withoutStop(message) });

/** Text for the reason that a sync is stuck; undefined when it is not. */
export const syncError = ({ error }: SyncStatus): string | undefined => error && syncErrorText(error);

/** Browsers' errors for a module that could not be loaded. They contain its URL, which does not help a person. */
const NOT_LOADED = /dynamically imported module|module script failed/i;

function unknownText(message: string): string {
  if (NOT_LOADED.test(message)) return m.err_part();
  const said = { message: withoutStop(message) };
  return hasOpenWallet() ? m.err_other(said) : m.err_other_closed(said);
}

/** Error text for any thrown value. */
export function errorText(error: unknown): string {
  if (error instanceof PasskeyError) return PASSKEY[error.code]({});
  if (error instanceof PinError) return error.code === 'pin-wrong' ? m.err_pin_wrong({ count: error.tries }) : m.err_pin_gone();
  // Errors of the page itself are read like those of its workers.
  const { room, code, message, data } = toWireError(error);
  if (!(error instanceof RemoteError) && code === 'internal') return unknownText(message);
  const say = ROOMS[room]?.[code] ?? (PAGE as Readonly<Record<string, Say>>)[code];
  if (!say || (say === m.err_internal && !hasOpenWallet())) return unknownText(message);
  return say(isRecord(data) ? data : {});
}

/** Reasons of a daemon's refusal: our texts for known ones such as `double-spend`, otherwise its own words. */
function reasonsIn(data: Data): string {
  const { reasons, reason } = data;
  if (Array.isArray(reasons) && reasons.length > 0) return reasons.join(', ').replaceAll('-', ' ');
  return typeof reason === 'string' ? reason : '';
}

import { RemoteError } from '../../workers/client.ts';
import { m } from './paraglide/messages.js';
import type { AmountProblem } from './services/amount.ts';

/**
 * Error codes become words here and nowhere else. Every text says what happened and what to do about it;
 * nothing has been changed when one of these is shown.
 */

type Say = (data: Readonly<Record<string, unknown>>) => string;

// `room/code` first, then `code` alone: two rooms may use one code for different things.
const TEXTS: Readonly<Record<string, Say>> = {
  'wrong-password': m.err_wrong_password,
  locked: m.err_second_tab,
  damaged: m.err_damaged,
  'not-found': m.err_not_found,
  exists: m.err_name_taken,
  'disk-full': m.err_disk_full,
  full: m.err_disk_full,
  quota: m.err_disk_full,
  'worker-stopped': m.err_worker_stopped,
  'not-open': m.err_not_open,
  closed: m.err_not_open,
  'no-draft': m.err_no_draft,
  'weak-randomness': m.err_no_randomness,
  'no-randomness': m.err_no_randomness,
  'kernel-unavailable': m.err_no_wasm,

  'ProtocolError/wrong-network': (data) => m.err_address_network({ network: String(data['network'] ?? '') }),
  'ProtocolError/bad-base58': m.err_address_form,
  'ProtocolError/bad-address-length': m.err_address_form,
  'ProtocolError/unknown-address-prefix': m.err_address_form,
  'ProtocolError/bad-checksum': m.err_address_checksum,
  'ProtocolError/bad-key': m.err_address_form,
  'ProtocolError/bad-word-count': m.err_seed_count,
  'ProtocolError/unknown-word': (data) => m.err_seed_word({ position: String(data['position'] ?? '') }),
  'ProtocolError/bad-checksum-word': m.err_seed_checksum,
  'ProtocolError/unknown-era': m.err_unknown_era,
  'bad-address': m.err_address_form,
  'bad-seed': m.err_seed_checksum,
  'bad-key': m.err_view_key,
  'bad-hex': m.err_view_key,
  'bad-scalar': m.err_view_key,

  'view-only': m.err_view_only,
  'no-daemon': m.err_no_daemon,
  'wrong-network': m.err_daemon_network,
  'unknown-era': m.err_unknown_era,
  'reorg-too-deep': m.err_reorg,
  'broken-chain': m.err_daemon_lies,
  'block-mismatch': m.err_daemon_lies,
  'bad-daemon-answer': m.err_daemon_lies,
  'bad-event': m.err_damaged,
  'height-out-of-range': m.err_height,
};

const AMOUNT_TEXTS: Readonly<Record<AmountProblem, () => string>> = {
  'amount-missing': m.err_amount_missing,
  'amount-format': m.err_amount_format,
  'amount-decimals': m.err_amount_decimals,
  'amount-zero': m.err_amount_zero,
  'amount-overflow': m.err_amount_overflow,
};

export const amountText = (problem: AmountProblem): string => AMOUNT_TEXTS[problem]();

/** The words for an error code. An unknown code falls back to what the error says of itself. */
export function codeText(room: string, code: string, message: string, data: unknown = undefined): string {
  const say = TEXTS[`${room}/${code}`] ?? TEXTS[code];
  return say ? say(isRecord(data) ? data : {}) : m.err_other({ message });
}

/** The words for anything that was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof RemoteError) return codeText(error.room, error.code, error.message, error.data);
  return m.err_other({ message: error instanceof Error ? error.message : String(error) });
}

export const errorCode = (error: unknown): string => (error instanceof RemoteError ? error.code : 'internal');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

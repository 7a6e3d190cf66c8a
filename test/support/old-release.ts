import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import type { Comparable } from './rpc-both.ts';

/** Answers of 0.18.0.0 that differ from those of the current release and ours: docs/rpc-releases.md lists them. */
interface OldAnswer {
  readonly answer: { readonly [name: string]: Comparable };
  /** A further request, so that its wallet stays in the same state as the others'. */
  readonly instead?: readonly object[];
}

const UNKNOWN: OldAnswer = { answer: { code: '-32601', message: 'Method not found' } };
const TOO_MANY: OldAnswer = { answer: { code: '-1', message: 'Count must be between 1 and 64.' } };
const NOT_OPENED: OldAnswer = { answer: { code: '-1', message: 'Failed to open wallet' } };
const NO_WORDS: OldAnswer = { answer: { code: '-1', message: 'Electrum-style word list failed verification' } };

/** By method, then by the parameters as JSON; `*` stands for any. */
const OLD: Readonly<Record<string, Readonly<Record<string, OldAnswer>>>> = {
  // 1.25, not marked as a release by its builder.
  get_version: { '*': { answer: { version: '65561', release: false } } },
  get_default_fee_priority: { '*': UNKNOWN },
  set_subaddress_lookahead: { '*': UNKNOWN },
  create_address: {
    '{"account_index":2,"count":0}': TOO_MANY,
    '{"account_index":2,"count":65537}': TOO_MANY,
    '[1]': TOO_MANY,
    '{"account_index":2,"count":65}': { ...TOO_MANY, instead: [64, 1].map((count) => ({ account_index: 2, count })) },
  },
  open_wallet: {
    '{"filename":"nobody","password":""}': NOT_OPENED,
    '{"filename":"made","password":"wrong"}': NOT_OPENED,
    '{"filename":"made","password":"p"}': NOT_OPENED,
    '{"filename":"made.keys","password":"p"}': NOT_OPENED,
    '{"filename":"unmade.keys"}': NOT_OPENED,
    '{"filename":""}': NOT_OPENED,
  },
  // Seeds of multisig wallets came later.
  restore_deterministic_wallet: {
    '{"seed":"zz","filename":"r1","enable_multisig_experimental":true}': NO_WORDS,
    '{"seed":"00","seed_offset":"x","filename":"r1","enable_multisig_experimental":true}': NO_WORDS,
  },
};

export function answerOfOld(method: string, params: unknown): OldAnswer | undefined {
  return OLD[method]?.[stringifyJson(params as JsonInput)] ?? OLD[method]?.['*'];
}

import type { JsonInput } from '../../base/index.ts';
import * as limits from '../limits.ts';
import { type Fields, flag, type Read, text, u64 } from './fields.ts';

/** Fields of every reply. */
const COMMON = { credits: u64, top_hash: text, untrusted: flag } as const;

/** Properties of an unusual call. */
export interface CallTraits {
  /** The daemon's name for it, if that is not the method's with underscores. */
  readonly name?: string;
  /** An older, equivalent name. */
  readonly also?: string;
  /** It has an effect: it is called once, and not retried when no answer comes. */
  readonly acts?: boolean;
  /** Bytes that the reply may have. */
  readonly maxBytes?: number;
  /** A `status` other than OK is part of the answer. */
  readonly anyStatus?: boolean;
  /** Strings of the reply hold raw bytes. */
  readonly rawStrings?: boolean;
}

/** One call of the daemon's service, with the types of its parameters and reply. */
export interface Call<Given, Reply> extends CallTraits {
  readonly maxBytes: number;
  /** undefined if the reply is a text. */
  readonly fields: Fields | undefined;
  /** Carries the types; has no value at run time. */
  readonly types?: { readonly given: Given; readonly reply: Reply };
}

/** Parameters of a call by their names here: `walletAddress` is sent as `wallet_address`. */
export type CallParams = { readonly [name: string]: JsonInput };

/** Reply of a call: its declared fields, and those that every reply has. */
export type ReplyOf<F extends Fields> = Read<F & typeof COMMON>;

/** A call by the fields of its reply. It has no parameters if no type is given. */
export function call<G = undefined>() {
  return <F extends Fields>(fields: F, traits: CallTraits = {}): Call<G, ReplyOf<F>> => ({
    ...{ fields: { ...fields, ...COMMON }, maxBytes: limits.SMALL, ...traits },
  });
}

/** A JSON-RPC method whose result is a text, as {@link call}. */
export const callForText = <G>(traits: CallTraits = {}): Call<G, string> => ({
  ...{ fields: undefined, maxBytes: limits.SMALL, ...traits },
});

/** Converts names to the daemon's. */
export function snakeCased(params: JsonInput): JsonInput {
  if (Array.isArray(params)) return params.map(snakeCased);
  if (typeof params !== 'object' || params === null) return params;
  return Object.fromEntries(Object.entries(params as CallParams).map(([name, value]) => [snake(name), snakeCased(value)]));
}

/** A name as daemons write it: `blockHeight` is `block_height`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

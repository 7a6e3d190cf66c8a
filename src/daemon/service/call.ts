import type { JsonInput } from '../../base/index.ts';
import * as limits from '../limits.ts';
import { type Fields, flag, type Read, text, u64 } from './fields.ts';

/** How a call is asked: by name in an envelope, by a path with JSON, or by a path with portable storage both ways. */
export type CallKind = 'rpc' | 'path' | 'binary';

/** What every reply says of itself. */
const COMMON = { credits: u64, top_hash: text, untrusted: flag } as const;

export interface CallTraits {
  /** It changes something: it is asked once, and not again when no answer comes. */
  readonly acts?: boolean;
  /** Bytes that the reply may have. */
  readonly maxBytes?: number;
  /** A `status` other than OK is part of the answer. */
  readonly anyStatus?: boolean;
  /** Strings of the reply hold raw bytes. */
  readonly rawStrings?: boolean;
}

/** One call of the daemon's service. The types are those of what it is given and of its reply. */
export interface Call<Given, Reply> extends CallTraits {
  readonly kind: CallKind;
  readonly name: string;
  /** Older names that are as good. */
  readonly aliases: readonly string[];
  /** undefined where the reply is a text. */
  readonly fields: Fields | undefined;
  /** For the types alone: nothing is ever there. */
  readonly types?: { readonly given: Given; readonly reply: Reply };
}

/** What a call is given, by the names that it has here: `walletAddress` is sent as `wallet_address`. */
export type Given = { readonly [name: string]: JsonInput };

export type ReplyOf<F extends Fields> = Read<F & typeof COMMON>;

/** `names`: the name, then the older ones. Given nothing where no type is named. */
export function defined<G = undefined>() {
  return <F extends Fields>(kind: CallKind, names: string, fields: F, traits: CallTraits = {}): Call<G, ReplyOf<F>> => {
    const [name = '', ...aliases] = names.split(' ');
    return { kind, name, aliases, fields: { ...fields, ...COMMON }, maxBytes: limits.SMALL, ...traits };
  };
}

/** A JSON-RPC method whose result is a text, as {@link defined}. */
export function definedText<G>() {
  return (names: string): Call<G, string> => {
    const [name = '', ...aliases] = names.split(' ');
    return { kind: 'rpc', name, aliases, fields: undefined, maxBytes: limits.SMALL };
  };
}

/** Names as the daemon has them. */
export function snakeCased(given: JsonInput): JsonInput {
  if (Array.isArray(given)) return given.map(snakeCased);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given as Given).map(([name, value]) => [snake(name), snakeCased(value)]));
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

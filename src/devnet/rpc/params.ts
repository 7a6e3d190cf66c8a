import { hexToBytes, U64_MAX } from '../../base/index.ts';
import type { RpcContext } from './context.ts';
import { type EpeeSection, type EpeeValue, isInteger, isList, isSection } from './epee-json.ts';
import type { Reply } from './reply.ts';

/** A parameter is of another type: JSON-RPC error −32602, HTTP 400 on a path call. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** The reference gives a call up in the middle: HTTP 500 and nothing else. */
export class AbortedCall extends Error {
  override readonly name = 'AbortedCall';
}

/** Codes of core_rpc_server_error_codes.h. */
const RPC_CODE = {
  /** Where the reference fails without a word. */
  nothing: 0,
  wrongParam: -1,
  tooBigHeight: -2,
  tooBigReserveSize: -3,
  wrongWalletAddress: -4,
  internalError: -5,
  wrongBlockblob: -6,
  blockNotAccepted: -7,
  miningToSubaddress: -12,
  regtestRequired: -13,
  restricted: -19,
  paymentsNotEnabled: -21,
} as const;

/** An answer that is an error object of JSON-RPC, with the reference's code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(kind: keyof typeof RPC_CODE, message: string) {
    super(message);
    this.code = RPC_CODE[kind];
  }
}

/** Reads a field of a request. @throws ParamsError when it is of another type: nothing is converted */
type Field<T> = (value: EpeeValue | undefined, name: string) => T;
/** A call's parameters by their names, each with its reader and the value it has when left out. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
/** Parameters of a call, by field name. */
export type ParamsOf<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> };

/**
 * The fields of a request. All that a call knows are read before it is answered, as the reference does: one of a wrong type refuses the
 * request, one that is missing has its default.
 * @throws ParamsError
 */
export function readParams<F extends Fields>(section: EpeeSection | undefined, fields: F): ParamsOf<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(section?.get(name), name)])) as ParamsOf<F>;
}

/** @param read what a value of the type is; undefined for one of another */
function field<T>(read: (value: EpeeValue) => T | undefined, fallback: T): Field<T> {
  return (value, name) => {
    if (value === undefined) return fallback;
    const known = read(value);
    if (known === undefined) throw new ParamsError(`expected "${name}" to be of the type that the call has for it`);
    return known;
  };
}

function integer(least: bigint, most: bigint): (value: EpeeValue) => bigint | undefined {
  return (value) => (isInteger(value) && value.integer >= least && value.integer <= most ? value.integer : undefined);
}

function number(least: bigint, most: bigint): Field<number> {
  const read = field(integer(least, most), 0n);
  return (value, name) => Number(read(value, name));
}

// Types of fields, most by their names in the reference.
/** 0 … 255, and 0 where it is left out; the others alike, each in the range of its type. @throws ParamsError for a number outside of it */
export const u8 = number(0n, 0xffn);
export const u32 = number(0n, 0xffff_ffffn);
export const i8 = number(-0x80n, 0x7fn);
export const i64 = number(-(1n << 63n), (1n << 63n) - 1n);
export const u64 = field(integer(0n, U64_MAX), 0n);
/** A `u64` as a number: what is past 2^53 is past every height, count and size, and stays so. */
export const count = number(0n, U64_MAX);
export const text = field((value) => (typeof value === 'string' ? value : undefined), '');
const truth = (missing: boolean) => field((value) => (typeof value === 'boolean' ? value : undefined), missing);
export const flag = truth(false);
/** A flag that is true when it is missing. */
export const flagTrueByDefault = truth(true);

/** A list; something else counts as an empty one. */
export function listOf<T>(item: Field<T>): Field<readonly T[]> {
  return (value, name) => (isList(value) ? value : []).map((one) => item(one, name));
}

/** As {@link listOf}, of objects with these fields. */
export function objects<F extends Fields>(fields: F): Field<readonly ParamsOf<F>[]> {
  return (value) => (isList(value) ? value.filter(isSection) : []).map((item) => readParams(item, fields));
}

type Outcome = Reply | string | Promise<string>;

/** How a call is answered: the fields that it is given, and what is made of them. */
export interface Method {
  readonly fields: Fields;
  readonly answer: (context: RpcContext, params: never) => Outcome;
}

/** A call: the parameters it reads, and what it answers. What it throws is the error that is replied. */
export const method = <F extends Fields>(fields: F, answer: (context: RpcContext, params: ParamsOf<F>) => Outcome) => ({
  fields,
  answer,
});

/** Bytes of a hex text, undefined when it is none. */
export function fromHex(text: string): Uint8Array | undefined {
  try {
    return hexToBytes(text.toLowerCase());
  } catch {
    return undefined;
  }
}

/** 64 hex digits in lower case; undefined for anything else. */
export function hash32(text: string): string | undefined {
  return /^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined;
}

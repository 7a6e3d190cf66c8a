import { hexToBytes } from '../../base/index.ts';
import { type EpeeSection, type EpeeValue, isInteger, isList, isSection } from './epee-json.ts';

/** A parameter is of another type: JSON-RPC error −32602, HTTP 400 on a path call. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** The reference gives a call up in the middle: HTTP 500 and nothing else. */
export class CallBroken extends Error {
  override readonly name = 'CallBroken';
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

/** Types of fields, by their names in the reference; a list of a type has an `s` behind it, one of objects is the fields of its objects. */
export type FieldType = keyof typeof SCALARS | 'u64s' | 'texts' | readonly [Fields];
export type Fields = { readonly [name: string]: FieldType };

type Field = string | boolean | bigint | readonly Field[] | Params;

/** Whether a value is one of a type, and what it is then. Nothing is converted. */
const SCALARS = {
  u8: integer(0n, 0xffn),
  u16: integer(0n, 0xffffn),
  u32: integer(0n, 0xffff_ffffn),
  u64: integer(0n, (1n << 64n) - 1n),
  i8: integer(-0x80n, 0x7fn),
  i64: integer(-(1n << 63n), (1n << 63n) - 1n),
  bool: (value: EpeeValue) => (typeof value === 'boolean' ? value : undefined),
  text: (value: EpeeValue) => (typeof value === 'string' ? value : undefined),
} as const;

function integer(least: bigint, most: bigint): (value: EpeeValue) => bigint | undefined {
  return (value) => (isInteger(value) && value.integer >= least && value.integer <= most ? value.integer : undefined);
}

const SCALAR_OF = { u64s: 'u64', texts: 'text' } as const;

/**
 * The fields of a request. All that a call knows are read before it is answered, as the reference does: one of a wrong type refuses the
 * request, one that is missing has its default.
 */
export class Params {
  readonly #fields = new Map<string, Field>();

  /** @throws ParamsError */
  constructor(section: EpeeSection | undefined, fields: Fields) {
    for (const [name, type] of Object.entries(fields)) {
      const value = section?.get(name);
      if (value !== undefined) this.#read(name, value, type);
    }
  }

  #read(name: string, value: EpeeValue, type: FieldType): void {
    if (typeof type === 'object') {
      // A list of something else counts as an empty one.
      const list = isList(value) ? value.filter(isSection) : [];
      this.#fields.set(
        name,
        list.map((item) => new Params(item, type[0])),
      );
    } else if (type === 'u64s' || type === 'texts') {
      const list = isList(value) ? value : [];
      this.#fields.set(
        name,
        list.map((item) => scalar(name, item, SCALAR_OF[type])),
      );
    } else this.#fields.set(name, scalar(name, value, type));
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  text(name: string, fallback = ''): string {
    return (this.#fields.get(name) as string | undefined) ?? fallback;
  }

  flag(name: string, fallback = false): boolean {
    return (this.#fields.get(name) as boolean | undefined) ?? fallback;
  }

  integer(name: string, fallback = 0n): bigint {
    return (this.#fields.get(name) as bigint | undefined) ?? fallback;
  }

  /** An integer as a number: what is past 2^53 is past every height, count and size, and stays so. */
  number(name: string, fallback = 0): number {
    const value = this.#fields.get(name) as bigint | undefined;
    return value === undefined ? fallback : Number(value);
  }

  integers(name: string): readonly bigint[] {
    return (this.#fields.get(name) as readonly bigint[] | undefined) ?? [];
  }

  texts(name: string): readonly string[] {
    return (this.#fields.get(name) as readonly string[] | undefined) ?? [];
  }

  objects(name: string): readonly Params[] {
    return (this.#fields.get(name) as readonly Params[] | undefined) ?? [];
  }
}

function scalar(name: string, value: EpeeValue, type: keyof typeof SCALARS): Field {
  const read = SCALARS[type](value);
  if (read === undefined) throw new ParamsError(`expected "${name}" to be of type ${type}`);
  return read;
}

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

import type { JsonObject, JsonValue } from '../../base/index.ts';
import { hexToBytes } from '../../base/index.ts';

/** A parameter is missing or of another type: JSON-RPC error −32602, HTTP 400 on a path call. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** An answer that is an error object of JSON-RPC, with the reference's code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of core_rpc_server_error_codes.h. */
export const RPC_WRONG_PARAM = -1;
export const RPC_TOO_BIG_HEIGHT = -2;
export const RPC_WRONG_WALLET_ADDRESS = -4;
export const RPC_INTERNAL_ERROR = -5;
export const RPC_WRONG_BLOCKBLOB = -6;
export const RPC_BLOCK_NOT_ACCEPTED = -7;

/** The fields of a request, read by type. A missing field takes its fallback, as epee leaves defaults in place. */
export class Params {
  readonly #fields: JsonObject;
  readonly positional: readonly JsonValue[];

  constructor(value: JsonValue | undefined) {
    this.positional = Array.isArray(value) ? value : [];
    this.#fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  }

  string(name: string, fallback = ''): string {
    const value = this.#fields[name];
    if (value === undefined) return fallback;
    if (typeof value !== 'string') throw new ParamsError(`expected "${name}" to be a string`);
    return value;
  }

  boolean(name: string, fallback = false): boolean {
    const value = this.#fields[name];
    if (value === undefined) return fallback;
    if (typeof value !== 'boolean') throw new ParamsError(`expected "${name}" to be a boolean`);
    return value;
  }

  /** 0 … 2^53−1. */
  number(name: string, fallback = 0): number {
    const value = this.#fields[name];
    if (value === undefined) return fallback;
    return toNumber(value, name);
  }

  numbers(name: string): number[] {
    return this.#list(name).map((value) => toNumber(value, name));
  }

  /** 0 … 2^64−1. */
  amounts(name: string): bigint[] {
    return this.#list(name).map((value) => toAmount(value, name));
  }

  strings(name: string): string[] {
    return this.#list(name).map((value) => {
      if (typeof value !== 'string') throw new ParamsError(`expected "${name}" to hold strings`);
      return value;
    });
  }

  objects(name: string): Params[] {
    return this.#list(name).map((value) => new Params(value));
  }

  amount(name: string): bigint {
    const value = this.#fields[name];
    return value === undefined ? 0n : toAmount(value, name);
  }

  #list(name: string): JsonValue[] {
    const value = this.#fields[name];
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw new ParamsError(`expected "${name}" to be a list`);
    return value;
  }
}

function toNumber(value: JsonValue, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ParamsError(`expected "${name}" to be an integer from 0 to 2^53-1`);
}

function toAmount(value: JsonValue, name: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value;
  throw new ParamsError(`expected "${name}" to be an integer from 0 to 2^64-1`);
}

/** Bytes of a hex text; undefined when it is none. */
export function fromHex(text: string): Uint8Array | undefined {
  try {
    return hexToBytes(text.toLowerCase());
  } catch {
    return undefined;
  }
}

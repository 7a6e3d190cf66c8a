import { RpcError } from '../../src/rpc/errors.ts';
import type { RpcService } from '../../src/rpc/service.ts';
import { type Program, RpcFailure } from './programs.ts';

/**
 * A reply in a comparable form: all integers as digits, names in order, undefined fields left out as when printed. An error is its code and
 * message.
 */
export type Comparable = string | boolean | null | readonly Comparable[] | { readonly [name: string]: Comparable };

export function comparable(value: unknown): Comparable {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const inOrder = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([name, field]) => [name, comparable(field)]));
}

/** The same with sorted lists: for lists whose order in the reference depends on its hash tables. */
export function unordered(value: Comparable): Comparable {
  if (typeof value !== 'object' || value === null) return value;
  if (!isList(value)) return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unordered(field)]));
  return value.map(unordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** The same without some fields, at any depth. */
export function without(value: Comparable, names: readonly string[]): Comparable {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((one) => without(one, names));
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, without(field, names)]));
}

const isList = (value: object): value is readonly Comparable[] => Array.isArray(value);

/** The reference's answer. */
export async function theirAnswer(program: Program, method: string, params: unknown): Promise<Comparable> {
  try {
    return comparable(await program.rpc(method, params));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { code: String(error.code), message: error.message.replace(`${method}: `, '') };
  }
}

/** Our answer. */
export async function ourAnswer(service: RpcService, method: string, params: unknown): Promise<Comparable> {
  try {
    return comparable(await service.call(method, params));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { code: String(error.code), message: error.message };
  }
}

import { expect } from 'vitest';
import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import { RpcError } from '../../src/rpc/errors.ts';
import type { RpcService } from '../../src/rpc/service.ts';
import { callRpc, RpcFailure } from './rpc.ts';

/** A service's answer: its result with every integer as a bigint, or its error. */
export type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** One wallet in both services. */
export interface RpcPair {
  ours(method: string, params?: unknown): Promise<Answer>;
  theirs(method: string, params?: unknown): Promise<Answer>;
}

export function rpcPair(service: RpcService, url: string): RpcPair {
  return {
    ours: (method, params) => answered(service.call(method, params)),
    theirs: (method, params) => answered(callRpc(url, method, params), method),
  };
}

async function answered(call: Promise<unknown>, method = ''): Promise<Answer> {
  try {
    return { result: withBigints(await call) };
  } catch (error) {
    if (error instanceof RpcError) return { error: { code: error.code, message: error.message } };
    if (error instanceof RpcFailure) return { error: { code: error.code, message: error.message.replace(`${method}: `, '') } };
    throw error;
  }
}

function withBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withBigints(field)]));
}

/** The result; an error fails the test with its message. */
export function resultOf<T = Record<string, unknown>>(answer: Answer): T {
  if ('error' in answer) throw new Error(`expected a result, got ${answer.error.code} ${answer.error.message}`);
  return answer.result as T;
}

/** Replaces every string, number and boolean by its type: hex strings by their length, lists by the types in them. For random values. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => stringifyJson(shapeOf(one) as JsonInput)))];
  if (typeof value === 'string') return shapeOfText(value);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, shapeOf(field)]),
  );
}

function shapeOfText(text: string): string {
  if (text === '') return 'nothing';
  if (!/^[0-9a-f]+$/.test(text)) return text.slice(0, 3);
  return text.length > 500 ? 'long hex' : `hex ${text.length}`;
}

/** Both answers have the same form. Returns both, ours first. */
export async function expectSameShape(pair: RpcPair, method: string, params?: unknown): Promise<readonly [Answer, Answer]> {
  const answers = [await pair.ours(method, params), await pair.theirs(method, params)] as const;
  if (answers.some((answer) => 'error' in answer)) expect(answers[0], method).toEqual(answers[1]);
  expect(shapeOf(answers[0]), method).toEqual(shapeOf(answers[1]));
  return answers;
}

/** Both answers to a request are the same, field for field. Returns the answer. */
export async function expectSame(pair: RpcPair, method: string, params?: unknown): Promise<Answer> {
  const [ours, theirs] = [await pair.ours(method, params), await pair.theirs(method, params)];
  expect(ours, `${method}`).toEqual(theirs);
  return ours;
}

import { isProtocolError } from '../../protocol/index.ts';
import { answerBinary } from './binary.ts';
import type { RpcContext } from './context.ts';
import { type EpeeValue, isInteger, isList, isSection, parseEpeeJson } from './epee-json.ts';
import { type Call, JSON_RPC_METHODS, PATH_METHODS } from './methods.ts';
import { AbortedCall, ParamsError, RpcError, readParams } from './params.ts';
import { Double, encodeReply, type Reply, type ReplyValue } from './reply.ts';

/** A complete answer of the service: HTTP status, media type and body. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

const EMPTY = new Uint8Array();
/** Media type of JSON answers, which are not always UTF-8: see {@link encodeReply}. */
export const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** Codes of the JSON-RPC protocol itself. */
const PARSE_ERROR = { code: -32700, message: 'Parse error' };
const INVALID_REQUEST = { code: -32600, message: 'Invalid Request' };
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };
const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };

/** An answer without a body. */
export function failure(status: number): HttpAnswer {
  return { status, type: 'text/plain', body: EMPTY };
}

const isOpenTo = (call: Call, context: RpcContext): boolean => call.callers === 'all' || context.restricted !== true;

/** Counts a call with the time that it took. */
async function tracked<T>(context: RpcContext, call: Call, answer: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await answer();
  } finally {
    context.service.track(call.name, Math.round((performance.now() - began) * 1000));
  }
}

/** Any id is returned as the reference stores it. */
function echoOf(id: EpeeValue): ReplyValue {
  if (isInteger(id)) return id.integer;
  if (isList(id)) return id.map(echoOf);
  if (typeof id === 'number') return new Double(id);
  return isSection(id) ? Object.fromEntries([...id].map(([name, value]) => [name, echoOf(value)])) : id;
}

function envelope(id: ReplyValue, outcome: Reply): HttpAnswer {
  return { status: 200, type: JSON_TYPE, body: encodeReply({ id, jsonrpc: '2.0', ...outcome }) };
}

async function answerJsonRpc(context: RpcContext, body: Uint8Array): Promise<HttpAnswer> {
  const request = parseEpeeJson(body);
  if (request === undefined) return envelope(0, { error: PARSE_ERROR });
  const name = request.get('method');
  if (name === undefined) return envelope(0, { error: INVALID_REQUEST });
  if (typeof name !== 'string') return failure(500);
  const requestId = request.get('id');
  const call = JSON_RPC_METHODS.get(name);
  if (call === undefined || !isOpenTo(call, context))
    return envelope(requestId === undefined ? '' : echoOf(requestId), { error: METHOD_NOT_FOUND });
  const version = request.get('jsonrpc');
  if (version !== undefined && typeof version !== 'string') return envelope(0, { error: INVALID_PARAMS });
  const id = requestId === undefined ? 0 : echoOf(requestId);
  try {
    const rawParams = request.get('params');
    const section = call.isPositional ? request : isSection(rawParams) ? rawParams : undefined;
    const params = readParams(section, call.fields) as never;
    return envelope(id, { result: await tracked(context, call, () => call.answer(context, params)) });
  } catch (error) {
    if (error instanceof RpcError) return envelope(id, { error: { code: error.code, message: error.message } });
    if (error instanceof ParamsError) return envelope(id, { error: INVALID_PARAMS });
    throw error;
  }
}

async function answerPath(context: RpcContext, call: Call, body: Uint8Array): Promise<HttpAnswer> {
  const request = parseEpeeJson(body);
  if (request === undefined) return failure(400);
  try {
    const params = readParams(request, call.fields) as never;
    const reply = (await tracked(context, call, () => call.answer(context, params))) as Reply;
    return { status: 200, type: JSON_TYPE, body: encodeReply(reply) };
  } catch (error) {
    if (error instanceof ParamsError) return failure(400);
    if (error instanceof AbortedCall) return failure(500);
    throw error;
  }
}

/** Answers one request of the daemon's RPC. @param path with its slash; one with a query is not served */
export async function answer(context: RpcContext, path: string, body: Uint8Array): Promise<HttpAnswer> {
  const name = path.slice(1);
  if (name === 'json_rpc') return answerJsonRpc(context, body);
  const call = PATH_METHODS.get(name);
  if (call !== undefined) return isOpenTo(call, context) ? answerPath(context, call, body) : failure(404);
  try {
    const reply = answerBinary(context, name, body);
    return reply === undefined ? failure(404) : { status: 200, type: BINARY_TYPE, body: reply };
  } catch (error) {
    if (isProtocolError(error)) return failure(400);
    if (error instanceof AbortedCall) return failure(500);
    throw error;
  }
}

import type { Log } from '../base/index.ts';
import { RPC_CODE, type RpcError } from './errors.ts';

/**
 * Lines of the log about requests. Anything a client sends may be a secret: of parameters only numbers, booleans and lengths are logged.
 */

const CATEGORY = 'wallet.rpc';

/** Before a method runs: its name, and at level TRACE the shape of its parameters. */
export function logCall(log: Log | undefined, method: string, params: unknown): void {
  log?.('INFO', CATEGORY, () => `Calling RPC method ${method}`);
  log?.('TRACE', CATEGORY, () => `${method}: ${shapeOf(params)}`);
}

/** After it has answered. @param milliseconds that it took */
export function logAnswer(log: Log | undefined, method: string, milliseconds: number): void {
  log?.('DEBUG', CATEGORY, () => `${method}: answered in ${milliseconds.toFixed(1)} ms`);
}

/**
 * Clients only learn that there is no connection; the operator needs the reason. Messages of errors may repeat what the client sent, so
 * only their codes are logged.
 */
export function logFailure(log: Log | undefined, method: string, { code, data }: RpcError): void {
  // A failure of the daemon, not of the client's request.
  const level = data !== undefined || code === RPC_CODE.daemonBusy ? 'ERROR' : 'INFO';
  const kind = Object.entries(RPC_CODE).find(([, value]) => value === code)?.[0] ?? 'nothing';
  const why = data === undefined ? '' : `: ${data.code}: ${data.message}`;
  log?.(level, CATEGORY, () => `${method}: error ${code} (${kind})${why}`);
}

function shapeOf(params: unknown): string {
  if (typeof params !== 'object' || params === null) return 'no parameters';
  const fields = Object.entries(params).slice(0, 30);
  return fields.map(([name, value]) => `${/^[a-z_]{1,40}$/.test(name) ? name : '(a field)'}=${shapeOfValue(value)}`).join(' ');
}

function shapeOfValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return `(${value.length} characters)`;
  if (Array.isArray(value)) return `(${value.length} elements)`;
  return value === null ? 'null' : '(an object)';
}

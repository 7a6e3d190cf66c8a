import type { Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';

/** Refuses calls that a hardware device cannot serve. @throws RpcError `unknown`, with the reference's message if it has one */
export function requireNoDevice({ device }: Pick<Wallet, 'device'>): void {
  if (device.isNeeded) throw new RpcError('unknown', 'command not supported by HW wallet');
}

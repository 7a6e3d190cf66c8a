import type { Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';

/** Refuses what no device can do. @throws RpcError `unknown`, in the reference's words where it says any */
export function requireNoDevice({ device }: Pick<Wallet, 'device'>): void {
  if (device.isNeeded) throw new RpcError('unknown', 'command not supported by HW wallet');
}

import { type Network, readAddress } from '../protocol/index.ts';
import { RpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';

/**
 * The address that a text is, or that it stands for as an OpenAlias name.
 * @throws RpcError `wrongAddress`
 */
export async function resolvedAddress(host: ServiceHost, network: Network, text: string): Promise<string> {
  if (readAddress(text, network) !== undefined) return text;
  if (host.resolveAlias === undefined) throw new RpcError('wrongAddress', `WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: ${text}`);
  if (!text.includes('.')) throw new RpcError('wrongAddress', `No Monero address found at ${text}`);
  const { verified, address } = await host.resolveAlias(text);
  if (!verified) throw new RpcError('wrongAddress', `Invalid DNSSEC for ${text}`);
  if (address === undefined) throw new RpcError('wrongAddress', `No Monero address found at ${text}`);
  if (readAddress(address, network) === undefined)
    throw new RpcError('wrongAddress', `WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: ${text}`);
  return address;
}

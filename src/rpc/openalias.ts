import { type Network, readAddress } from '../protocol/index.ts';
import { RpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';

/**
 * The address in a text, or of the OpenAlias name in it; undefined for any other text (cryptonote_basic_impl.cpp,
 * get_account_address_from_str_or_url).
 * @throws RpcError `wrongAddress` for an address that was found but not verified
 */
export async function resolveAddress(host: ServiceHost, network: Network, text: string): Promise<string | undefined> {
  if (readAddress(text, network) !== undefined) return text;
  const answer = await host.resolveAlias?.(text);
  if (answer?.found === true && !answer.verified) throw new RpcError('wrongAddress', `Invalid DNSSEC for ${text}`);
  return answer?.address !== undefined && readAddress(answer.address, network) !== undefined ? answer.address : undefined;
}

/** As {@link resolveAddress}, for a text that must be an address or a name. @throws RpcError `wrongAddress` */
export async function requireResolvedAddress(host: ServiceHost, network: Network, text: string): Promise<string> {
  const address = await resolveAddress(host, network, text);
  if (address === undefined) throw new RpcError('wrongAddress', `WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: ${text}`);
  return address;
}

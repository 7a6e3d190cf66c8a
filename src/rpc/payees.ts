import { type Address, readAddress, toAtomicAmount } from '../protocol/index.ts';
import type { Destination } from '../wallet/index.ts';
import { RpcError } from './errors.ts';
import type { RpcContext } from './method.ts';
import { requireAddress } from './methods/addresses.ts';
import { requireResolvedAddress, resolveAddress } from './openalias.ts';

/**
 * An address, or that of a name. @throws RpcError `wrongAddress`, like `verify` of the reference: with an empty message if there is none
 */
export async function requireAddressOrName({ host, wallet }: RpcContext, text: string): Promise<Address> {
  const { network } = wallet.description;
  const address = readAddress((await resolveAddress(host, network, text)) ?? '', network);
  if (address === undefined) throw new RpcError('wrongAddress', '');
  return address;
}

/**
 * Recipients of a request (wallet_rpc_server.cpp, validate_transfer).
 * @throws RpcError `wrongAddress`, `wrongPaymentId`, `zeroDestination`
 */
export async function readPayees(
  { host, wallet }: RpcContext,
  destinations: readonly { readonly address: string; readonly amount: bigint }[],
  paymentId: string,
): Promise<Destination[]> {
  const { network } = wallet.description;
  const payees: Destination[] = [];
  let integrated = false;
  for (const { address: text, amount } of destinations) {
    const address = await requireResolvedAddress(host, network, text);
    const own = requireAddress(address, network).paymentId;
    if (own !== undefined) {
      if (integrated || paymentId !== '') {
        throw new RpcError('wrongPaymentId', 'A single payment id is allowed per transaction');
      }
      integrated = own.some((byte) => byte !== 0);
    }
    payees.push({ address, amount: toAtomicAmount(amount) });
  }
  if (payees.length === 0) throw new RpcError('zeroDestination', 'Transaction has no destination');
  if (paymentId !== '') {
    const message = 'Standalone payment IDs are obsolete. Use subaddresses or integrated addresses instead';
    throw new RpcError('wrongPaymentId', message);
  }
  return payees;
}

import { type BlockHash, NETWORKS, type Network, nettypeOf } from '../../protocol/index.ts';
import { WalletError } from '../errors.ts';

/** Id of the first block of a network's chain. */
export const genesisIdOf = (network: Network): BlockHash => NETWORKS[network].genesisId as BlockHash;

/** @param nettype what the daemon claims to serve @throws WalletError `wrong-network` */
export function requireNetwork(nettype: string, network: Network): void {
  const expected = nettypeOf(network);
  if (nettype === expected) return;
  throw new WalletError('wrong-network', `expected a daemon of ${expected}, this one serves ${nettype}`, {
    expected,
    got: nettype,
  });
}

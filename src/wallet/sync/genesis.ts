import type { BlockHash, Network } from '../../protocol/model.ts';
import { NETWORKS } from '../../protocol/network.ts';

/** Id of the first block of a network's chain. */
export const genesisIdOf = (network: Network): BlockHash => NETWORKS[network].genesisId as BlockHash;

/** The word a daemon uses for a network (`get_info`, nettype). */
export const nettypeOf = (network: Network): string => (network === 'regtest' ? 'fakechain' : network);

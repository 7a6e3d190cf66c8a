import type { Network } from './model.ts';

/** Kind of an address: a wallet's primary one, one derived from it, or the primary one with a payment id in it. */
export type AddressKind = 'standard' | 'subaddress' | 'integrated';

/** Constants that tell one network from another (cryptonote_config.h). */
export interface NetworkConfig {
  readonly prefixes: Readonly<Record<AddressKind, number>>;
  /** Id of block 0, 64 hex digits. */
  readonly genesisId: string;
  /** Default port of the daemon's RPC. */
  readonly rpcPort: number;
}

const MAINNET: NetworkConfig = {
  prefixes: { standard: 18, integrated: 19, subaddress: 42 },
  genesisId: '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3',
  rpcPort: 18_081,
};

/** Regtest has mainnet's prefixes and its genesis. */
export const NETWORKS: Readonly<Record<Network, NetworkConfig>> = {
  mainnet: MAINNET,
  regtest: MAINNET,
  stagenet: {
    prefixes: { standard: 24, integrated: 25, subaddress: 36 },
    genesisId: '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb',
    rpcPort: 38_081,
  },
  testnet: {
    prefixes: { standard: 53, integrated: 54, subaddress: 63 },
    genesisId: '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b',
    rpcPort: 28_081,
  },
};

/** A daemon's name for a network, in `nettype` of its `get_info`. */
export const nettypeOf = (network: Network): string => (network === 'regtest' ? 'fakechain' : network);

import type { Network } from './model.ts';

/** What tells one network's texts and chain from another's (cryptonote_config.h). */
export interface NetworkConfig {
  readonly standardPrefix: number;
  readonly integratedPrefix: number;
  readonly subaddressPrefix: number;
  /** Id of block 0, 64 hex digits. */
  readonly genesisId: string;
  /** Default port of the daemon's RPC. */
  readonly rpcPort: number;
}

const MAINNET: NetworkConfig = {
  standardPrefix: 18,
  integratedPrefix: 19,
  subaddressPrefix: 42,
  genesisId: '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3',
  rpcPort: 18_081,
};

/** Regtest has mainnet's prefixes and its genesis. */
export const NETWORKS: Readonly<Record<Network, NetworkConfig>> = {
  mainnet: MAINNET,
  regtest: MAINNET,
  stagenet: {
    standardPrefix: 24,
    integratedPrefix: 25,
    subaddressPrefix: 36,
    genesisId: '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb',
    rpcPort: 38_081,
  },
  testnet: {
    standardPrefix: 53,
    integratedPrefix: 54,
    subaddressPrefix: 63,
    genesisId: '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b',
    rpcPort: 28_081,
  },
};

import { m } from '../paraglide/messages.js';

const NAMES: Readonly<Record<string, () => string>> = {
  mainnet: m.network_mainnet,
  stagenet: m.network_stagenet,
  testnet: m.network_testnet,
  regtest: m.network_regtest,
};

/** What people call a network; one that has no words here keeps its own name. */
export const networkName = (network: string): string => NAMES[network]?.() ?? network;

/** Kind and network of a wallet in words. */
export const walletWords = (kind: string, network: string): string =>
  `${kind === 'view' ? m.kind_view() : m.kind_full()} · ${networkName(network)}`;

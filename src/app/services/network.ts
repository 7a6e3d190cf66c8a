import type { Network } from '../../protocol/model.ts';
import { writeFacts } from '../language/formats.ts';
import { m } from '../language/messages.ts';

const NAMES: Readonly<Record<string, () => string>> = {
  mainnet: m.network_mainnet,
  stagenet: m.network_stagenet,
  testnet: m.network_testnet,
  regtest: m.network_regtest,
};

/** Whether a text, wherever it was kept, names a network. */
export const isNetwork = (text: string): text is Network => Object.hasOwn(NAMES, text);

/** Name of a network; an unknown one keeps its own. */
export const networkName = (network: string): string => NAMES[network]?.() ?? network;

const KINDS: Readonly<Record<string, () => string>> = { view: m.kind_view, multisig: m.kind_multisig, device: m.kind_device };

/** Kind and network of a wallet in words. */
export const walletWords = (kind: string, network: string): string =>
  writeFacts((KINDS[kind] ?? m.kind_full)(), networkName(network));

/** The kind of a wallet that cannot spend alone; empty for one that can. */
export const unusualKind = (kind: string): string => KINDS[kind]?.() ?? '';

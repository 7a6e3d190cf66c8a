import type { Network } from '../../protocol/model.ts';
import { writeFacts } from '../language/formats.ts';
import { m } from '../language/messages.ts';

const NAMES: Readonly<Record<string, () => string>> = {
  mainnet: m.network_mainnet,
  stagenet: m.network_stagenet,
  testnet: m.network_testnet,
  regtest: m.network_regtest,
};

/** Type guard for stored text. */
export const isNetwork = (text: string): text is Network => Object.hasOwn(NAMES, text);

/** Translated name of a network; unknown names are returned as they are. */
export const networkName = (network: string): string => NAMES[network]?.() ?? network;

const KINDS: Readonly<Record<string, () => string>> = { view: m.kind_view, multisig: m.kind_multisig, device: m.kind_device };

/** Kind and network of a wallet, translated. */
export const walletKindText = (kind: string, network: string): string =>
  writeFacts((KINDS[kind] ?? m.kind_full)(), networkName(network));

/** Translated kind of a wallet that cannot spend by itself (view-only, multisig, device); empty for others. */
export const unusualKind = (kind: string): string => KINDS[kind]?.() ?? '';

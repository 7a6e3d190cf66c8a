import { loadCrypto } from '../../crypto/index.ts';
import { assemble, type Birth, DEFAULT_LANGUAGE, type NewWallet } from '../create-wallet.ts';
import type { GroupPlan } from '../group-api.ts';
import type { WalletEvent } from '../state/events.ts';
import type { MultisigAccount } from './account.ts';
import { groupAddress } from './become-signer.ts';
import { ENABLED } from './multisig.ts';
import { accountFromSeed } from './seed.ts';
import { storedAccount } from './stored-account.ts';
import { planEvent } from './stored-plan.ts';

/**
 * The wallet of a signer, from its seed.
 * @param seed hex @param passphrase that it was encrypted with; empty for none
 * @throws MultisigError `bad-seed`
 */
export async function walletFromMultisigSeed(seed: string, birth: Birth, passphrase = ''): Promise<NewWallet> {
  await loadCrypto();
  return walletOfSigner(await accountFromSeed(seed, passphrase), birth, true);
}

/**
 * The wallet of a signer, at any stage of the key exchange.
 * @param enabled whether the person has enabled multisig
 */
export function walletOfSigner(account: MultisigAccount, birth: Birth, enabled: boolean): NewWallet {
  const secrets = { spendKey: undefined, viewKey: account.commonSecret.slice(), seedLanguage: DEFAULT_LANGUAGE };
  const { first, ...made } = assemble(secrets, groupAddress(account, birth.network), birth, 'multisig');
  const [created, ...rest] = first;
  const round: WalletEvent = { type: 'MultisigRound', account: storedAccount(account) };
  const word: WalletEvent[] = enabled ? [{ type: 'AttributeSet', key: ENABLED, value: '1' }] : [];
  return { ...made, first: [created!, round, ...word, ...rest] };
}

/** A new wallet with the plan of the group that it will join as a signer. @throws MultisigError `bad-signer-count`, `bad-threshold` */
export function asGroupSigner({ secrets, first }: NewWallet, plan: GroupPlan): NewWallet {
  return { secrets, first: [...first, planEvent(plan), { type: 'AttributeSet', key: ENABLED, value: '1' }] };
}

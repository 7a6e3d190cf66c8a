import * as v from 'valibot';
import { type Wallet, WalletError } from '../../wallet/index.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { params, result, text } from '../fields.ts';
import { MethodGroup, READS } from '../method.ts';
import { notFinalized } from '../multisig-wallet.ts';
import { requireNoBackground } from './background-sync.ts';

export const keyMethods = new MethodGroup('Balances, addresses, accounts');

/** The reference's placeholders for the keys of a wallet on a device. */
const STAND_INS: Readonly<Record<string, string>> = { view_key: '0'.repeat(64), spend_key: 'f'.repeat(64) };

keyMethods.define({
  name: 'query_key',
  summary: 'A secret of the wallet: its words (mnemonic), view_key or spend_key.',
  params: params({ key_type: text() }),
  result: v.object({ key: result.text }),
  ...READS,
  restricted: 'denied',
  revealsSecret: () => true,
  errors: ['watchOnly', 'notMultisig', 'nonDeterministic'],
  async handler({ wallet }, { key_type }) {
    if (['mnemonic', 'spend_key'].includes(key_type)) requireNoBackground(wallet);
    if (wallet.device.isNeeded && STAND_INS[key_type] !== undefined) return { key: STAND_INS[key_type] };
    if (key_type === 'mnemonic') return { key: await words(wallet) };
    if (key_type === 'view_key') return { key: await wallet.secrets.viewKey() };
    if (key_type !== 'spend_key') throw new RpcError('nothing', `key_type ${key_type} not found`);
    const key = await wallet.secrets.spendKey();
    if (key === undefined) throw new RpcError('watchOnly', 'The wallet is watch-only. Cannot retrieve spend key.');
    return { key };
  },
});

async function words({ secrets, multisig, device }: Wallet): Promise<string> {
  if (multisig.group !== undefined) {
    if (!multisig.group.ready) throw notFinalized();
    return multisig.seed();
  }
  if (device.isNeeded) throw withoutWords();
  return withErrorsMapped(
    () => secrets.words('25-words'),
    (error) => {
      const code = error instanceof WalletError ? error.code : undefined;
      if (code === 'view-only') return new RpcError('watchOnly', 'The wallet is watch-only. Cannot retrieve seed.');
      return code === 'bad-seed' ? withoutWords() : undefined;
    },
  );
}

const withoutWords = (): RpcError => new RpcError('nonDeterministic', 'The wallet is non-deterministic. Cannot display seed.');

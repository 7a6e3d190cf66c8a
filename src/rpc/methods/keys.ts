import * as v from 'valibot';
import { bytesToHex } from '../../base/index.ts';
import { WalletError } from '../../wallet/errors.ts';
import { wordsOf } from '../../wallet/make.ts';
import type { WalletSecrets } from '../../wallet/model.ts';
import { RpcError } from '../errors.ts';
import { params, result, text } from '../fields.ts';
import { defineMethod, group } from '../method.ts';
import { backgroundSyncing } from './background-sync.ts';

const queryKey = defineMethod({
  name: 'query_key',
  summary: 'A secret of the wallet: its words (mnemonic), view_key or spend_key.',
  params: params({ key_type: text() }),
  result: v.object({ key: result.text }),
  needs: 'wallet',
  restricted: 'denied',
  access: 'read',
  revealsSecret: () => true,
  errors: ['watchOnly', 'nonDeterministic'],
  async handler({ wallet }, { key_type }) {
    const { secrets } = wallet.room;
    if (wallet.isBackgroundSyncing && ['mnemonic', 'spend_key'].includes(key_type)) throw backgroundSyncing();
    if (key_type === 'mnemonic') return { key: await words(secrets) };
    if (key_type === 'view_key') return { key: bytesToHex(secrets.viewKey) };
    if (key_type !== 'spend_key') throw new RpcError('nothing', `key_type ${key_type} not found`);
    if (secrets.spendKey === undefined) throw new RpcError('watchOnly', 'The wallet is watch-only. Cannot retrieve spend key.');
    return { key: bytesToHex(secrets.spendKey) };
  },
});

async function words(secrets: WalletSecrets): Promise<string> {
  try {
    return await wordsOf(secrets);
  } catch (error) {
    if (error instanceof WalletError && error.code === 'view-only')
      throw new RpcError('watchOnly', 'The wallet is watch-only. Cannot retrieve seed.');
    if (error instanceof WalletError && error.code === 'bad-seed')
      throw new RpcError('nonDeterministic', 'The wallet is non-deterministic. Cannot display seed.');
    throw error;
  }
}

export const keyMethods = group('Balances, addresses, accounts', [queryKey]);

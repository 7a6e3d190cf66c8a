import { systemRandom } from '../../../src/crypto/index.ts';
import { encodeAddress } from '../../../src/protocol/index.ts';
import { primaryAddressOf, WalletKeys } from '../../../src/wallet/keys.ts';
import type { OfflineContext } from '../../../src/wallet/offline-signing/context.ts';
import { KeySigner } from '../../../src/wallet/spend/index.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { applyEvent, initialState } from '../../../src/wallet/state/fold.ts';
import { SubaddressTable } from '../../../src/wallet/subaddresses.ts';
import { reference } from '../../wallet2/fixture.ts';

export interface Half extends OfflineContext {
  readonly events: readonly WalletEvent[];
}

/** A half of the fixture's wallet: cold with the spend key, view-only without; no chain, no daemon. */
export async function halfOf(kind: 'full' | 'view', spendKey = reference.spendKey, viewKey = reference.viewKey): Promise<Half> {
  const network = 'regtest' as const;
  const primaryAddress = primaryAddressOf(spendKey, viewKey, network);
  const secrets = { spendKey: kind === 'full' ? spendKey : undefined, viewKey, seedLanguage: 'English' };
  const keys = WalletKeys.of(secrets, { network, primaryAddress });
  const state = initialState({ kind, network, primaryAddress, restoreHeight: 0, createdAt: 0 });
  const table = new SubaddressTable(keys);
  await table.grow(state, async () => undefined);
  const events: WalletEvent[] = [];
  return {
    state,
    keys,
    find: (key) => table.find(key),
    append: async (appended) => {
      for (const event of appended) applyEvent(state, event);
      events.push(...appended);
    },
    signer: kind === 'full' ? new KeySigner({ spendKey, viewKey }, systemRandom) : undefined,
    random: systemRandom,
    clock: { now: () => 1_700_000_000_000 },
    events,
  };
}

/** The address of some keys, as the fixture's chain writes it. */
export const addressText = (keys: { spendKey: Uint8Array; viewKey: Uint8Array }): string =>
  encodeAddress({ network: 'regtest', kind: 'standard', ...keys });

import { beforeAll, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { type TransactionEntry, Untrusted } from '../../src/daemon/index.ts';
import type { WalletKeys } from '../../src/wallet/keys.ts';
import type { OwnedOutput } from '../../src/wallet/model.ts';
import { heightToScanFrom } from '../../src/wallet/scan-tx.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import { foldEvents } from '../support/fold.ts';
import { created, hash, keysOf, newRegtestWallet, output, synced } from './support.ts';

let keys: WalletKeys;

beforeAll(async () => {
  await loadCrypto();
  keys = keysOf(await newRegtestWallet());
});

/** The first transaction of the main network. */
const OTHER =
  '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1';

/** Asks for a transaction of a block that was scanned. */
function asked(answer: Partial<TransactionEntry> | undefined, ...ours: OwnedOutput[]) {
  const state = foldEvents([created(), synced(100, 200, ours, [])]);
  const entry: TransactionEntry = {
    ...{ hash: hash('asked'), prunable: undefined, inPool: false, doubleSpendSeen: false, height: 150, timestamp: 0 },
    ...{ outputIndices: [], whole: hexToBytes(OTHER), pruned: undefined, prunableHash: new Uint8Array(), ...answer },
  };
  const given = answer === undefined ? { transactions: [], missed: [hash('asked')] } : { transactions: [entry], missed: [] };
  const daemon = { getTransactions: async () => new Untrusted(given) };
  return heightToScanFrom(contextOf(state), daemon, [hash('asked')]);
}

/** What belongs to another transaction is not looked for in this wallet. */
const contextOf = (state: WalletState) => ({ state, keys, find: undefined as never, ready: async () => undefined });

it.each([
  ['the bytes of another one', {}],
  ['no bytes', { whole: undefined }],
  ['nothing', undefined],
])('T24 a transaction for which a daemon gives %s was not given: nobody is told that it is none of theirs', async (_, answer) => {
  await expect(asked(answer)).rejects.toMatchObject({ code: 'not-found' });
});

it('nothing is scanned again for a transaction that the wallet has, will come to, or that is in no block', async () => {
  expect(await asked({}, output({ seed: 1, height: 150, tx: 'asked' }))).toBeUndefined();
  expect(await asked({ height: 201 })).toBeUndefined();
  expect(await asked({ height: undefined, inPool: true })).toBeUndefined();
});

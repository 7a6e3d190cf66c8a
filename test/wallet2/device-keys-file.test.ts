import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto, scalarMulBase, systemRandom } from '../../src/crypto/index.ts';
import { ledgerConnector } from '../../src/device/index.ts';
import { walletFromKeysFile } from '../../src/wallet/offline-signing/reference-files.ts';
import { type KeysFile, openKeysFile, sealKeysFile } from '../../src/wallet2/index.ts';
import { liveApp, transportTo } from '../support/ledger/device.ts';

// A .keys file of a wallet on a Ledger holds no key: only whose it is.

const PASSWORD = 'pw';
const HEIGHT = 3_210_000;
let keys: KeysFile;
let file: Uint8Array;

beforeAll(async () => {
  await loadCrypto();
  const said = { seedLanguage: 'English', restoreHeight: HEIGHT, network: 'mainnet', createdAt: 1_700_000_000 } as const;
  const more = { lookahead: { major: 5, minor: 20 }, defaultPriority: 0 };
  keys = { spendKey: undefined, viewKey: new Uint8Array(32), account: liveApp().publicKeys, device: 'Ledger', ...said, ...more };
  file = await sealKeysFile(keys, PASSWORD, systemRandom);
});

const connector = (account = 0, owner = () => true) =>
  ledgerConnector(async () => transportTo(liveApp({ account, owner })), { random: systemRandom });
const open = (connect?: ReturnType<typeof connector>) =>
  walletFromKeysFile({ keys: file }, PASSWORD, 'mainnet', 0, systemRandom, 1, connect);

describe('the .keys file of a wallet on a device', () => {
  it('is read as it was written, and holds no key', async () => {
    expect(await openKeysFile(file, PASSWORD)).toEqual(keys);
    await expect(openKeysFile(file, 'other')).rejects.toMatchObject({ code: 'wrong-password' });
  });

  it('becomes a wallet on the device: its address, its height, the view key that the device tells', async () => {
    const made = await open(connector());
    const primaryAddress = '49vDbkSo7eve3J41sBdjvjaBUyz8qHohsQcGtRf63qEUTMBvmA45fpp5pSacMdSg7A3b71RejLzB8EkGbfjp5PELVF2N4Zn';
    expect(made.first[0]).toMatchObject({ wallet: { kind: 'device', restoreHeight: HEIGHT, primaryAddress } });
    expect(scalarMulBase(made.secrets.viewKey)).toEqual(keys.account.viewKey);
    expect(made.secrets.spendKey).toBeUndefined();
  });

  it('needs its device: a missing device, another device and its owner’s refusal are different errors', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'no-device' });
    await expect(open(connector(1))).rejects.toMatchObject({ code: 'wrong-device' });
    await expect(open(connector(0, () => false))).rejects.toMatchObject({ code: 'refused' });
  });
});

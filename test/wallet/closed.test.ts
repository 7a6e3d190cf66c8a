import { beforeAll, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { Wallet } from '../../src/wallet/index.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { newRegtestWallet } from './support.ts';

beforeAll(loadCrypto);

it('a closed wallet connects to nothing, tells nothing that is sealed, and changes nothing', async () => {
  const wallet = await Wallet.create(quickEnvironment(), 'closed', 'pw', await newRegtestWallet());
  const daemon = { url: 'http://127.0.0.1:1', trusted: false };
  await wallet.close();
  const calls: Record<string, () => Promise<unknown>> = {
    setDaemon: () => wallet.setDaemon(daemon),
    leaveDaemon: () => wallet.leaveDaemon(),
    tryDaemon: () => wallet.tryDaemon(daemon),
    setSecondDaemon: () => wallet.setSecondDaemon(daemon.url),
    compareSecondDaemon: () => wallet.compareSecondDaemon(),
    pause: () => wallet.pause(),
    resume: () => wallet.resume(),
    rescan: () => wallet.rescan(0),
    addAccount: () => wallet.addAccount('more'),
    seedWritten: () => wallet.seedWritten(),
    giveUpRefused: () => wallet.giveUpRefused('0'.repeat(64)),
    giveUpRings: () => wallet.giveUpRings([]),
    checkPassword: () => wallet.checkPassword('pw'),
    changePassword: () => wallet.changePassword('pw', 'other'),
    backup: () => wallet.backup(),
    exportKeysFile: () => wallet.exportKeysFile('pw'),
    prepareSweep: () => wallet.payments.prepareSweep({ address: wallet.description.primaryAddress, account: 0, priority: 1 }),
  };
  for (const [name, call] of Object.entries(calls))
    await expect(call(), name).rejects.toMatchObject({ name: 'WalletError', code: 'closed' });
});

import { beforeAll, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DaemonError } from '../../src/daemon/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { StorageError } from '../../src/storage/index.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

beforeAll(loadCrypto);

it.each([
  ['a full disk by its name', new StorageError('full', 'the disk is full'), 'the disk is full'],
  [
    'a daemon’s silence in the reference’s words',
    new DaemonError('timeout', 'no answer'),
    'Failed to get transaction from daemon',
  ],
])('scan_tx tells %s', async (_, failure, message) => {
  const chain = { scanTransactions: () => Promise.reject(failure) };
  const wallet = { chain, backgroundSync: { isOn: false }, description: { kind: 'full' } } as unknown as Wallet;
  const service = new RpcService(oneWalletHost(wallet), { checkResults: true });
  await expect(service.call('scan_tx', { txids: ['ab'.repeat(32)] })).rejects.toThrow(message);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { DaemonClient, DaemonError } from '../../src/daemon/index.ts';
import { createInlineScanPool } from '../../src/protocol/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import type { DaemonSettings } from '../../src/wallet/api.ts';
import { environment } from '../../src/wallet/environment.ts';
import type { NewWallet } from '../../workers/host.ts';
import { Host } from '../../workers/wallet-host.ts';
import { CHEAP_KDF } from '../storage/samples.ts';

// The one place where wallets are opened and closed, over a journal in memory and a daemon that is not there.

const PASSWORD = 'a password';
let host: Host;

const made = (daemon: Partial<DaemonSettings> = {}): NewWallet => ({
  name: 'mine',
  password: PASSWORD,
  network: 'regtest',
  daemon: { url: '/daemon', trusted: false, ...daemon },
});

/** As a secure page does, which may not reach every daemon that was named elsewhere. */
function connect({ url }: DaemonSettings): DaemonClient {
  if (url.startsWith('http://plain')) throw new DaemonError('mixed-content', 'expected https');
  return DaemonClient.connect({ url: 'http://127.0.0.1:1' });
}

beforeEach(() => {
  host = new Host(environment({ store: new MemoryJournalStore({ kdf: CHEAP_KDF }), scanPool: createInlineScanPool, connect }));
});

describe('a host of one wallet', () => {
  it('T17 a wallet unlocked while it is still being locked waits its turn, and is not taken for a second tab’s', async () => {
    await host.draftSeed();
    await host.createFromDraft(made());
    const locked = host.lock();
    await host.open('mine', PASSWORD);
    await locked;
    expect((await host.wallet.view()).name).toBe('mine');
    await host.lock();
    expect(() => host.wallet).toThrow('expected an open wallet');
  });

  it('a wallet whose daemon cannot be named here does not stay open behind a page that shows it closed', async () => {
    await host.draftSeed();
    await expect(host.createFromDraft(made({ url: 'http://plain.example' }))).rejects.toMatchObject({ code: 'mixed-content' });
    expect(() => host.wallet).toThrow('expected an open wallet');
    await host.open('mine', PASSWORD);
    await host.lock();
  });

  it('a drawn seed is forgotten when the person turns away', async () => {
    expect(await host.draftSeed()).toHaveLength(25);
    await host.dropDraft();
    await expect(host.createFromDraft(made())).rejects.toMatchObject({ code: 'no-draft' });
  });
});

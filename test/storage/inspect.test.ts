import { describe, expect, it } from 'vitest';
import type { TxHash } from '../../src/protocol/model.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { inspectJournal } from '../../src/storage/inspect.ts';
import { describeEvent, OutputNames } from '../../src/wallet/state/describe-event.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { CHEAP_KDF, created, noted, output, secrets, synced } from './samples.ts';

const accounts: WalletEvent = { type: 'AccountsSet', accounts: [['Primary account']], used: [] };

/** The bytes of a wallet that was written anew once, and once more to. */
async function compacted(events: readonly WalletEvent[]): Promise<Uint8Array> {
  const journal = await new MemoryJournalStore({ kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created]);
  await journal.append([synced(1)], 'relaxed');
  await journal.compact(events);
  await journal.append([noted(1)], 'relaxed');
  const bytes = await journal.backup();
  await journal.close();
  return bytes;
}

describe('inspecting a journal', () => {
  it('says which records are a snapshot', async () => {
    const many = Array.from({ length: 300 }, (_, n) => noted(n));
    const { header, records, snapshot } = await inspectJournal(await compacted([created, accounts, ...many]), 'pass');
    expect([header.generation, records.length, snapshot]).toEqual([1, 3, 2]);
    const journal = await new MemoryJournalStore({ kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created, accounts]);
    expect((await inspectJournal(await journal.backup(), 'pass')).snapshot).toBe(0);
  });

  it('tells every byte of a file: header, frames, records, a torn tail', async () => {
    const bytes = await compacted([created]);
    for (const cut of [0, 1, 40]) {
      const { headerSize, records, torn, size } = await inspectJournal(bytes.subarray(0, bytes.length - cut), 'pass');
      expect(size).toBe(bytes.length - cut);
      expect(headerSize + records.reduce((sum, record) => sum + 12 + record.bytes, 0) + torn).toBe(size);
      expect(torn > 0).toBe(cut > 0);
    }
  });

  it('names a damaged record and reads the ones before it', async () => {
    const bytes = await compacted([created]);
    bytes[bytes.length - 20]! ^= 1;
    const { records, damage, torn } = await inspectJournal(bytes, 'pass');
    expect([records.length, damage?.data.record, torn]).toEqual([1, 1, 0]);
    await expect(inspectJournal(bytes.subarray(0, 30), 'pass')).rejects.toMatchObject({ code: 'damaged' });
    await expect(inspectJournal(bytes, 'other')).rejects.toMatchObject({ code: 'wrong-password' });
  });
});

describe('an event in words', () => {
  const tell = (event: unknown, all = false, names = new OutputNames()): string =>
    describeEvent(event as WalletEvent, names, { labels: all, amounts: all });

  it('T17 holds no secret key, no mask, no value of a setting', () => {
    const txHash = 'ab'.repeat(32) as TxHash;
    const key = 'c0ffee'.padEnd(64, '0');
    const told = { txHash, txKeys: [key], destinations: [], change: undefined, paymentId: undefined };
    const events: WalletEvent[] = [
      { type: 'TransactionSigned', txHash, txKeys: [key, key] },
      { type: 'TransactionsTold', transactions: [told] },
      { type: 'AttributeSet', key: 'daemon', value: key },
      { type: 'AttributeSet', key: `rpc:${key}`, value: key },
    ];
    for (const event of events) expect(tell(event)).not.toContain('c0ffee');
    expect(tell(synced(1), true)).not.toContain(output(1).mask);
    expect(tell(events[0])).toBe(`${txHash}, 2 keys kept`);
  });

  it('names an output by the transaction that made it', () => {
    const names = new OutputNames();
    const { key, txHash, outputIndex } = output(2);
    expect(tell({ type: 'Frozen', key }, false, names)).toBe('an output that is not told before');
    tell(synced(2), false, names);
    expect(tell({ type: 'Frozen', key }, false, names)).toBe(`output ${outputIndex} of ${txHash}`);
    expect(tell({ type: 'OutputNamed', key, name: 'bonus' }, false, names)).not.toContain('bonus');
    expect(tell({ type: 'OutputNamed', key, name: 'bonus' }, true, names)).toContain('bonus');
  });

  it('keeps what others wrote on one line', () => {
    expect(tell({ type: 'TransactionFailed', txHash: 'a', at: 0, reason: 'no\n\u001b[2J' })).toBe(
      'a, 1970-01-01T00:00:00Z: "no  [2J"',
    );
  });

  it('tells what it does not know by its kind alone', () => {
    expect(tell({ type: 'Multiplied' })).toBe('of a later version');
    expect(tell({ type: 'Rewound' })).toContain('undefined');
    expect(tell({ type: 'Synced' })).toBe('cannot be read');
  });
});

import type { WalletEvent } from '../wallet/state/events.ts';
import { wipeSecrets } from '../wallet/wallet-secrets.ts';
import { FRAME_BYTES, readContainer } from './container.ts';
import { isStorageError, type StorageError } from './errors.ts';
import { EVENTS_A_RECORD } from './journal.ts';
import { decodeHeader, type Header, openHeader } from './seal/header.ts';
import { openRecord } from './seal/records.ts';

/** One record of a journal as it lies in its file. */
export interface InspectedRecord {
  /** Offset of its frame from the beginning of the file. */
  readonly offset: number;
  /** Sealed, without the frame. */
  readonly bytes: number;
  /** Events appended together, or why they cannot be read. */
  readonly content: readonly WalletEvent[] | StorageError;
}

/** A journal laid open: for people who look for a fault. It holds what its wallet holds but its keys. */
export interface InspectedJournal {
  readonly header: Pick<Header, 'generation' | 'network' | 'kind' | 'kdf'>;
  /** Bytes of the file: all, of the header, and of a last write that was cut short and counts for nothing. */
  readonly size: number;
  readonly headerSize: number;
  readonly torn: number;
  readonly records: readonly InspectedRecord[];
  /** How many records, from the first on, were written at once in place of a longer journal; 0 where nothing shows that. */
  readonly snapshot: number;
  /** Why reading stopped; undefined when the whole file was read. Records before the damage are listed. */
  readonly damage: StorageError | undefined;
}

/**
 * Reads the bytes of a wallet's file without its lock and without writing: a wallet that is open elsewhere may be looked at.
 * A damaged record is told in its place.
 * @throws StorageError `wrong-password`, `newer-version`; `damaged` where the header is
 */
export async function inspectJournal(bytes: Uint8Array, password: string): Promise<InspectedJournal> {
  const container = readContainer(bytes);
  const header = decodeHeader(container.header);
  const { masterKey, secrets } = await openHeader(header, password);
  wipeSecrets(secrets);
  const seal = { masterKey, walletId: header.walletId, generation: header.generation };
  let offset = container.header.length;
  const records = container.records.map((record, position): InspectedRecord => {
    const inspected = { offset, bytes: record.length, content: orDamage(() => openRecord(seal, position, record)) };
    offset += FRAME_BYTES + record.length;
    return inspected;
  });
  masterKey.fill(0);
  const { generation, network, kind, kdf } = header;
  return {
    header: { generation, network, kind, kdf },
    size: bytes.length,
    headerSize: container.header.length,
    torn: container.damage === undefined ? bytes.length - container.length : 0,
    records,
    snapshot: snapshotRecords(generation, records),
    damage: container.damage,
  };
}

function orDamage(open: () => readonly WalletEvent[]): readonly WalletEvent[] | StorageError {
  try {
    return open();
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
}

/** A snapshot has all its accounts in one event, in a record of the first run of full ones or in the one that ends the run. */
function snapshotRecords(generation: number, records: readonly InspectedRecord[]): number {
  const events = records.map(({ content }) => (Array.isArray(content) ? (content as readonly WalletEvent[]) : []));
  const last = events.findIndex(({ length }) => length < EVENTS_A_RECORD);
  const run = events.slice(0, last + 1);
  return generation > 0 && run.some((record) => record.some(({ type }) => type === 'AccountsSet')) ? run.length : 0;
}

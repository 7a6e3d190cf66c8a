import type { WalletEvent } from '../wallet/state/events.ts';
import { wipeSecrets } from '../wallet/wallet-secrets.ts';
import { FRAME_BYTES, readContainer } from './container.ts';
import { isStorageError, type StorageError } from './errors.ts';
import { EVENTS_A_RECORD } from './journal.ts';
import { decodeHeader, type Header, openHeader } from './seal/header.ts';
import { openRecord } from './seal/records.ts';

/** One record of a journal. */
export interface InspectedRecord {
  /** Offset of its frame in the file. */
  readonly offset: number;
  /** Sealed size, without the frame. */
  readonly bytes: number;
  /** The events appended together, or why they cannot be read. */
  readonly content: readonly WalletEvent[] | StorageError;
}

/** A decrypted journal, for debugging. It has everything of the wallet except its keys. */
export interface InspectedJournal {
  readonly header: Pick<Header, 'generation' | 'network' | 'kind' | 'kdf'>;
  /** Bytes of the file, of the header, and of an incomplete last write, which is ignored. */
  readonly size: number;
  readonly headerSize: number;
  readonly torn: number;
  readonly records: readonly InspectedRecord[];
  /** Number of records at the beginning that were written at once in place of a longer journal; 0 if nothing shows that. */
  readonly snapshot: number;
  /** Why reading stopped; undefined when the whole file was read. Records before the damage are listed. */
  readonly damage: StorageError | undefined;
}

/**
 * Reads the bytes of a wallet's file without its lock and without writing, so a wallet that is open elsewhere can be inspected. Damaged
 * records are reported in their place.
 * @throws StorageError `wrong-password`, `newer-version`; `damaged` for a damaged header
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

/** A snapshot has all its accounts in one event, in the first run of full records or in the record that ends it. */
function snapshotRecords(generation: number, records: readonly InspectedRecord[]): number {
  const events = records.map(({ content }) => (Array.isArray(content) ? (content as readonly WalletEvent[]) : []));
  const last = events.findIndex(({ length }) => length < EVENTS_A_RECORD);
  const run = events.slice(0, last + 1);
  return generation > 0 && run.some((record) => record.some(({ type }) => type === 'AccountsSet')) ? run.length : 0;
}

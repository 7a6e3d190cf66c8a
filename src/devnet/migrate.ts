import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DevnetNode } from './node.ts';
import { type LogRecord, readLog } from './store/old-log.ts';
import { countOf, countValue, nameKey } from './store/records.ts';

/** Offset up to which the old file was imported. */
const TAKEN = nameKey('old-log');
/** Records imported in one transaction. */
const BATCH = 500;

/**
 * Imports the chain from the log file of folders from before there was a database. If it is killed, it continues where it stopped. The file
 * stays under another name, for a return to an older version.
 */
export function migrateLog(node: DevnetNode, folder: string): void {
  const path = join(folder, 'chain.log');
  const backup = `${path}.old`;
  const properties = node.database.table('properties');
  const taken = properties.get(TAKEN);
  // A chain that has grown since is not overwritten from a file that somebody put there, or that an earlier release began again.
  if (!existsSync(path) || existsSync(backup) || (taken === undefined && node.chain.height > 1)) return;
  let batch: LogRecord[] = [];
  const flush = (): void => {
    const end = batch.at(-1)?.end;
    if (end === undefined) return;
    node.batch(() => {
      for (const { events } of batch)
        for (const event of events) {
          if (event.type === 'pop') node.popBlocks(event.count);
          else node.append(event.block, event.transactions);
        }
      node.pool.clear();
      properties.put(TAKEN, countValue(end));
    });
    batch = [];
  };
  for (const record of readLog(path, countOf(taken))) {
    batch.push(record);
    if (batch.length === BATCH) flush();
  }
  flush();
  renameSync(path, backup);
}

import type { RestorePoint } from '../../../workers/client.ts';
import { GENESIS_DAY } from '../services/recovery.ts';

/** Milliseconds before the chosen day at which the scan starts, as a safety margin. */
export const DAY_MARGIN = 2 * 24 * 60 * 60 * 1000;

/** Form fields for the restore point of a wallet (T23): a date, a block height, or the whole chain. */
export class RestoreStart {
  /** `start` scans the whole chain, which takes long, so it is never the default. */
  kind: 'start' | 'date' | 'height' = $state('date');
  date = $state('');
  height = $state('');
  readonly today = new Date().toISOString().slice(0, 10);
  heightGood = $derived(/^\d{1,9}$/.test(this.height.trim()));
  dateGood = $derived(/^\d{4}-\d{2}-\d{2}$/.test(this.date) && this.date >= GENESIS_DAY && this.date <= this.today);

  /** Day on which the scan starts, as milliseconds at local noon; undefined while the date is invalid. */
  get searchFrom(): number | undefined {
    return this.dateGood ? Math.max(Date.parse(GENESIS_DAY), Date.parse(`${this.date}T12:00:00`) - DAY_MARGIN) : undefined;
  }

  /** Takes it from a code; nothing happens where the code says none. */
  take(point: RestorePoint | undefined): void {
    if (point === undefined || point.kind === 'tip') return;
    this.kind = point.kind;
    if (point.kind === 'height') this.height = String(point.height);
    else this.date = point.date;
  }

  /** undefined while the input is invalid. */
  get point(): RestorePoint | undefined {
    if (this.kind === 'start') return { kind: 'height', height: 0 };
    if (this.kind === 'date') return this.dateGood ? { kind: 'date', date: this.date } : undefined;
    return this.heightGood ? { kind: 'height', height: Number(this.height.trim()) } : undefined;
  }
}

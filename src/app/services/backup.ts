import { m } from '../language/messages.ts';

/** When a backup was last saved from this browser. @param days since then; undefined for never */
export function lastBackupText(days: number | undefined): string {
  if (days === undefined) return m.safety_backup_never();
  if (days === 0) return m.safety_backup_today();
  return days === 1 ? m.safety_backup_yesterday() : m.safety_backup_days({ count: days });
}

/** Read limit; larger than any file of a wallet with 100,000 outputs. */
const MOST_BYTES = 64_000_000;

/** The bytes of a file, up to {@link MOST_BYTES}: a longer file cannot be valid, and its beginning is rejected by the parser. */
export const fileBytes = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());

/** Read limit for backups, in bytes. */
const MOST_BACKUP = 1 << 30;

/** The bytes of a backup file, which may be larger than other files and is unusable if truncated. */
export const backupFileBytes = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, MOST_BACKUP).arrayBuffer());

/** Whether a file has the magic bytes of our backups (docs/storage.md). A `.keys` file of the reference begins with random bytes. */
export const isBackup = async (file: File): Promise<boolean> => (await file.slice(0, 8).text()) === 'nightjar';

/** The name of the wallet in a file, from the file's name: ours begin with the wallet's name and the day. Empty for other files. */
export const walletNameOf = (file: string): string =>
  /^(?<name>.+?)(?: \d{4}-\d\d-\d\d)?(?: \(\d+\))?\.(?:nightjar|keys)$/i.exec(file)?.groups?.name ?? '';

/** Downloads bytes as a file. */
export function saveFile(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

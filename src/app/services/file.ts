/** Why a chosen file was not read: it is no longer what was chosen, or is a folder; or it is longer than anything expected. */
export type FileErrorCode = 'file-unreadable' | 'file-too-large';

/** A file that was not read. */
class FileError extends Error {
  override readonly name = 'FileError';

  constructor(readonly code: FileErrorCode) {
    super(code);
  }
}

/** Read limit; larger than any file of a wallet with 100,000 outputs. */
const MOST_BYTES = 64_000_000;

/** The bytes of a file, up to {@link MOST_BYTES}: a longer file cannot be valid, and its beginning is rejected by the parser. @throws FileError */
export const fileBytes = (file: File): Promise<Uint8Array<ArrayBuffer>> => firstBytes(file, MOST_BYTES);

/** Read limit for backups, in bytes. */
const MOST_BACKUP = 1 << 30;

/** The bytes of a backup file, which may be larger than other files and is unusable if truncated. @throws FileError */
export const backupFileBytes = (file: File): Promise<Uint8Array<ArrayBuffer>> => firstBytes(file, MOST_BACKUP);

/**
 * The text of a file, for a form: text of the size of other files would stop the page.
 * @param most bytes
 * @throws FileError
 */
export async function fileText(file: File, most: number): Promise<string> {
  if (file.size > most) throw new FileError('file-too-large');
  return new TextDecoder().decode(await firstBytes(file, most));
}

/** Whether a file has the magic bytes of our backups (docs/storage.md). A `.keys` file of the reference begins with random bytes. @throws FileError */
export const isBackup = async (file: File): Promise<boolean> =>
  new TextDecoder().decode(await firstBytes(file, 8)) === 'nightjar';

async function firstBytes(file: File, most: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(0, most).arrayBuffer());
  } catch {
    throw new FileError('file-unreadable');
  }
}

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

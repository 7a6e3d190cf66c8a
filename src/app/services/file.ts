/** More than a wallet with a hundred thousand outputs says. */
const MOST_BYTES = 64_000_000;

/** The bytes of a chosen file; of one that is too large to be ours, only the beginning, which is refused for what it is. */
export const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());

/** More than any record of a backup has. */
const MOST_BACKUP = 1 << 30;

/** The bytes of a backup, whole: one that was cut short is restored by nobody, and a wallet of years may be larger than its other files. */
export const backupBytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, MOST_BACKUP).arrayBuffer());

/** Whether a file begins as a backup of this program does (storage.md); a `.keys` file of the reference begins with chance. */
export const isBackup = async (file: File): Promise<boolean> => (await file.slice(0, 8).text()) === 'nightjar';

/** Hands bytes to the person as a file in their downloads. */
export function saveFile(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

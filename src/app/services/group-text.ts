const PRINTABLE_FROM = 0x20;
const PRINTABLE_TO = 0x7e;

/** A message as text to copy: as is if it is printable ASCII, otherwise in hex. */
export function bytesToText(bytes: Uint8Array): string {
  const isText = bytes.every((byte) => byte >= PRINTABLE_FROM && byte <= PRINTABLE_TO);
  if (isText) return new TextDecoder().decode(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

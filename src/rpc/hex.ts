/** Whether a text is hexadecimal digits of a number of bytes, in either case. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === 2 * bytes && /^[0-9a-fA-F]*$/.test(text);
}

/** Whether a text is hexadecimal digits of whole bytes, in either case. */
export function isWholeHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}

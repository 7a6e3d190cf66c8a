import type { JsonBytes } from '../../src/base/index.ts';

/** The printed text. @param look sees each piece @throws TypeError if it is not UTF-8 */
export function jsonText(printed: JsonBytes, look: (piece: Uint8Array) => void = () => undefined): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (const piece of printed instanceof Uint8Array ? [printed] : printed) {
    look(piece);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

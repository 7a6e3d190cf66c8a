import { concatBytes } from './bytes.ts';

/** The body of an answer over HTTP. @param most bytes @throws RangeError above that, with nothing more read */
export async function readAtMost(answer: Response, most: number): Promise<Uint8Array> {
  const reader = answer.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    length += part.value.length;
    if (length > most) {
      await reader?.cancel();
      throw new RangeError(`expected an answer of at most ${most} bytes`);
    }
    parts.push(part.value);
  }
  return concatBytes(...parts);
}

import { fromBytewords } from './bytewords.ts';
import { decodePart, type Part } from './cbor.ts';
import { UrError } from './errors.ts';

/** A uniform resource in one piece. */
export interface WholeUr {
  readonly type: string;
  readonly message: Uint8Array;
}

/** One part of a uniform resource. */
export interface UrPart {
  readonly type: string;
  readonly part: Part;
}

const WHOLE = /^ur:([a-z0-9-]+)\/([a-z]+)$/;
const PART = /^ur:([a-z0-9-]+)\/(\d{1,10})-(\d{1,10})\/([a-z]+)$/;

/** Reads the text of one code, in upper or lower case. @throws UrError `not-ur`, `torn` */
export function readUr(text: string): WholeUr | UrPart {
  const lower = text.trim().toLowerCase();
  if (!lower.startsWith('ur:')) throw new UrError('not-ur', 'expected a text that begins with ur:');
  const whole = WHOLE.exec(lower);
  if (whole) return { type: whole[1]!, message: fromBytewords(whole[2]!) };
  const match = PART.exec(lower);
  if (!match) throw new UrError('torn', 'expected a type, a number of a part and letters');
  const part = decodePart(fromBytewords(match[4]!));
  if (part.seqNum !== Number(match[2]) || part.seqLen !== Number(match[3]))
    throw new UrError('torn', 'expected the same numbers inside and outside');
  return { type: match[1]!, part };
}

/** A number with a fraction or an exponent: a `double` of the reference. Other numbers of a reply are integers. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  /** Six significant digits, no trailing zeros, and from 10^6 on or below 10^-4 an exponent of two digits (C++, `ostream << double`). */
  toString(): string {
    if (this.value === 0) return Object.is(this.value, -0) ? '-0' : '0';
    const [digits, power] = this.value.toExponential(DOUBLE_DIGITS - 1).split('e') as [string, string];
    const exponent = Number(power);
    if (exponent >= -4 && exponent < DOUBLE_DIGITS) return String(Number(`${digits}e${power}`));
    return `${Number(digits)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
}

const DOUBLE_DIGITS = 6;

/** Values of a JSON reply. Bytes become a string that holds them raw, as the reference writes binary fields into JSON. */
export type ReplyValue =
  | string
  | number
  | Double
  | bigint
  | boolean
  | Uint8Array
  | undefined
  | readonly ReplyValue[]
  | { readonly [name: string]: ReplyValue };

/** An answer, with monerod's field names. */
export type Reply = { readonly [name: string]: ReplyValue };

/**
 * Writes a reply as the reference does: fields sorted by name, empty lists omitted, bytes of binary fields raw except those that end or
 * break a string. The text is not always UTF-8.
 */
export const encodeReply = (reply: Reply): Buffer => Buffer.from(written(reply), 'latin1');

/** A value as JSON, one character for each byte. */
function written(value: ReplyValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value instanceof Double) return String(value);
  if (value instanceof Uint8Array) return `"${escaped(value)}"`;
  if (isList(value)) return `[${value.map(written).join(',')}]`;
  let fields = '';
  for (const name of Object.keys(value).sort()) {
    const field = value[name];
    if (isLeftOut(field)) continue;
    fields += `${fields === '' ? '' : ','}${quoted(name)}:${written(field)}`;
  }
  return `{${fields}}`;
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  const isAscii = Buffer.byteLength(json) === json.length;
  return isAscii ? json : Buffer.from(json).toString('latin1');
}

const isList = (value: ReplyValue): value is readonly ReplyValue[] => Array.isArray(value);
const isLeftOut = (value: ReplyValue): boolean =>
  value === undefined || ((isList(value) || value instanceof Uint8Array) && value.length === 0);

/** Escape letters by byte (parserse_base_utils.cpp, transform_to_escape_sequence); all others are raw. */
const ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r' };

const escaped = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\b\t\n\v\f\r"/\\]/g, (byte) => `\\${ESCAPES[byte] ?? byte}`);

/** What a JSON reply is made of. Bytes become a string that holds them raw, as the reference writes binary fields into JSON. */
export type ReplyValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | undefined
  | readonly ReplyValue[]
  | { readonly [name: string]: ReplyValue };

export type Reply = { readonly [name: string]: ReplyValue };

/**
 * Writes a reply as the reference does: fields by name, empty lists left out, bytes of binary fields as they are except for
 * those that end or break a string. Such a text is not always UTF-8.
 */
export function encodeReply(reply: Reply): Buffer {
  const parts: (string | Uint8Array)[] = [];
  writeValue(parts, reply);
  return join(parts);
}

function join(parts: readonly (string | Uint8Array)[]): Buffer {
  const buffers: Uint8Array[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      buffers.push(Buffer.from(text, 'utf8'), part);
      text = '';
    }
  }
  buffers.push(Buffer.from(text, 'utf8'));
  return Buffer.concat(buffers);
}

function writeValue(parts: (string | Uint8Array)[], value: Exclude<ReplyValue, undefined>): void {
  if (typeof value === 'string') parts.push(JSON.stringify(value));
  else if (typeof value !== 'object') parts.push(String(value));
  else if (value instanceof Uint8Array) parts.push('"', escapeBytes(value), '"');
  else if (isList(value)) writeList(parts, value);
  else writeObject(parts, value);
}

function isList(value: readonly ReplyValue[] | Reply): value is readonly ReplyValue[] {
  return Array.isArray(value);
}

function writeList(parts: (string | Uint8Array)[], list: readonly ReplyValue[]): void {
  parts.push('[');
  list.forEach((item, i) => {
    if (i > 0) parts.push(',');
    if (item !== undefined) writeValue(parts, item);
  });
  parts.push(']');
}

function writeObject(parts: (string | Uint8Array)[], object: Reply): void {
  let separator = '{';
  for (const name of Object.keys(object).sort()) {
    const value = object[name];
    if (value === undefined || ((Array.isArray(value) || value instanceof Uint8Array) && value.length === 0)) continue;
    parts.push(`${separator}${JSON.stringify(name)}:`);
    writeValue(parts, value);
    separator = ',';
  }
  parts.push(separator === '{' ? '{}' : '}');
}

const ESCAPED = new Map<number, number>([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0b, 0x76],
  [0x0c, 0x66],
  [0x0d, 0x72],
  [0x22, 0x22],
  [0x2f, 0x2f],
  [0x5c, 0x5c],
]);

/** parserse_base_utils.cpp transform_to_escape_sequence: a backslash and a letter for nine bytes, all others raw. */
function escapeBytes(bytes: Uint8Array): Uint8Array {
  const escaped: number[] = [];
  for (const byte of bytes) {
    const letter = ESCAPED.get(byte);
    if (letter === undefined) escaped.push(byte);
    else escaped.push(0x5c, letter);
  }
  return Uint8Array.from(escaped);
}

import { ProtocolError } from './errors.ts';

/** Texts and parameters of `monero:` and `monero-wallet:` URIs. */

const UNSAFE = new Set('"<>%\\^[]`+$,@:;!#&');
const UTF8 = new TextEncoder();

/** Percent-encodes as the reference does: everything that may have a meaning in a URI, with upper-case digits. */
export function encodeText(text: string): string {
  let encoded = '';
  for (const byte of UTF8.encode(text)) {
    const letter = String.fromCharCode(byte);
    const plain = byte > 32 && byte < 123 && !UNSAFE.has(letter);
    encoded += plain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** Decodes valid percent escapes and leaves anything else unchanged; bytes that are not UTF-8 become U+FFFD. */
export function decodeText(text: string): string {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; ) {
    const digits = text[i] === '%' ? text.slice(i + 1, i + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(digits)) {
      bytes.push(Number.parseInt(digits, 16));
      i += 3;
      continue;
    }
    const letter = String.fromCodePoint(text.codePointAt(i)!);
    bytes.push(...UTF8.encode(letter));
    i += letter.length;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

interface Parameter {
  readonly name: string;
  readonly value: string;
  /** Name and value as written in the URI. */
  readonly parameter: string;
}

/**
 * The parameters of a query, in order.
 * @throws ProtocolError `bad-uri` for one without "=", or one that is repeated (`data.repeated` is its name)
 */
export function* parametersOf(query: string): Generator<Parameter> {
  const seen = new Set<string>();
  for (const parameter of query === '' ? [] : query.split('&')) {
    // The reference does not encode "=" in texts, and then cannot read them; here everything after the first one is the value.
    const equals = parameter.indexOf('=');
    if (equals < 0) throw new ProtocolError('bad-uri', 'expected parameters of the form name=value', { parameter });
    const name = parameter.slice(0, equals);
    if (seen.has(name))
      throw new ProtocolError('bad-uri', `expected each parameter once, ${JSON.stringify(name)} is repeated`, { repeated: name });
    seen.add(name);
    yield { name, value: parameter.slice(equals + 1), parameter };
  }
}

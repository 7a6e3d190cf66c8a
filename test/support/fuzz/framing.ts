import type { TestSampler } from '../random-sampler.ts';
import { framed } from './wire.ts';

/** One use of a connection. */
export interface Framing {
  readonly name: string;
  readonly pieces: readonly (Uint8Array | string)[];
  /**
   * The expected outcome: `answered` this many replies of 200 with JSON; `replied` one reply of any status or the end of the connection; `reset`
   * nothing, because we end it.
   */
  readonly wants: { readonly answered: number } | 'replied' | 'reset';
}

type Maker = (body: Uint8Array, sampler: TestSampler) => Framing;

const text = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const POST = 'POST /json_rpc HTTP/1.1';
const HOST = 'Host: 127.0.0.1';

function chunks(body: Uint8Array, sampler: TestSampler): string[] {
  const parts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const size = sampler.between(1, Math.max(1, body.length >> 1));
    const part = Buffer.from(body.slice(at, at + size));
    parts.push(`${part.length.toString(16)}\r\n`, part.toString('latin1'), '\r\n');
    at += size;
  }
  return [...parts, '0\r\n\r\n'];
}

function cut(bytes: Uint8Array, sampler: TestSampler): Uint8Array[] {
  const places = Array.from({ length: sampler.between(1, 4) }, () => sampler.below(bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.slice(from, places[i] ?? bytes.length)).filter((piece) => piece.length > 0);
}

/** A TLS record with an incomplete handshake. */
const HELLO = Uint8Array.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3, ...new Uint8Array(194)]);

/** Valid HTTP framing, in various forms. */
const WELL_FRAMED: readonly Maker[] = [
  (body) => ({ name: 'plain', pieces: [framed(body)], wants: { answered: 1 } }),
  (body, sampler) => ({ name: 'in pieces', pieces: cut(framed(body), sampler), wants: { answered: 1 } }),
  (body, sampler) => {
    const count = sampler.between(2, 8);
    return {
      name: 'pipelined',
      pieces: [Buffer.concat(Array.from({ length: count }, () => framed(body)))],
      wants: { answered: count },
    };
  },
  (body, sampler) => ({
    name: 'chunked',
    pieces: [
      text([POST, HOST, 'Transfer-Encoding: chunked']),
      ...chunks(body, sampler).map((part) => Buffer.from(part, 'latin1')),
    ],
    wants: { answered: 1 },
  }),
  (body) => ({ name: 'expects 100', pieces: [framed(body, ['Expect: 100-continue'])], wants: { answered: 1 } }),
  (body, sampler) => ({
    name: 'many headers',
    pieces: [
      framed(
        body,
        Array.from({ length: sampler.between(1, 300) }, (_, i) => `X-${i}: ${'y'.repeat(sampler.below(30))}`),
      ),
    ],
    wants: { answered: 1 },
  }),
  (body) => ({
    name: 'odd headers',
    pieces: [framed(body, ['X-Odd: \x80\xff\t;=,"', 'cOOKIE: a=b', 'Accept:'])],
    wants: { answered: 1 },
  }),
  (body) => ({
    name: 'another type',
    pieces: [framed(body, ['Content-Encoding: gzip', 'Accept-Encoding: br'])],
    wants: { answered: 1 },
  }),
];

/** Requests that HTTP allows and the service does not serve, and bytes that are not HTTP. */
const OTHERWISE: readonly Maker[] = [
  (body, sampler) => {
    const verb = sampler.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT', 'post', 'FOO']);
    return { name: `verb ${verb}`, pieces: [framed(body, [], `${verb} /json_rpc HTTP/1.1`)], wants: 'replied' };
  },
  (body, sampler) => {
    const path = sampler.pick([
      '/',
      '/json_rpc/',
      '/json_rpc?x',
      '//json_rpc',
      '/get_info',
      '*',
      'http://x/json_rpc',
      `/${'a'.repeat(9000)}`,
      '/%00',
      '/../etc',
    ]);
    return { name: `path ${path.slice(0, 20)}`, pieces: [framed(body, [], `POST ${path} HTTP/1.1`)], wants: 'replied' };
  },
  (body, sampler) => {
    const version = sampler.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', 'http/1.1', 'HTTP/1.1.1', '']);
    return { name: `version ${version}`, pieces: [framed(body, [], `POST /json_rpc ${version}`)], wants: 'replied' };
  },
  (body, sampler) => {
    const length = sampler.pick(['-1', '+5', '1e3', '0x10', '5,6', '18446744073709551616', '99999999999', '', ' ', 'abc']);
    return { name: `length ${length}`, pieces: [text([POST, HOST, `Content-Length: ${length}`]), body], wants: 'replied' };
  },
  (body, sampler) => ({
    name: 'too short a length',
    pieces: [text([POST, HOST, `Content-Length: ${sampler.below(body.length)}`]), body],
    wants: 'replied',
  }),
  (body, sampler) => ({
    name: 'too long a length',
    pieces: [text([POST, HOST, `Content-Length: ${body.length + sampler.between(1, 1000)}`]), body],
    wants: 'replied',
  }),
  (body) => ({
    name: 'two lengths',
    pieces: [text([POST, HOST, `Content-Length: ${body.length}`, 'Content-Length: 1']), body],
    wants: 'replied',
  }),
  (body) => ({
    name: 'a length and chunks',
    pieces: [text([POST, HOST, `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']), '0\r\n\r\n'],
    wants: 'replied',
  }),
  (body, sampler) => ({
    name: 'broken chunks',
    pieces: [
      text([POST, HOST, 'Transfer-Encoding: chunked']),
      sampler.pick([
        'zz\r\n',
        '-5\r\n',
        'ffffffffffffffff\r\n',
        '5;ext\r\nab',
        '5\r\nabcdefgh\r\n',
        `5;${'x'.repeat(20_000)}\r\n`,
      ]),
      body,
    ],
    wants: 'replied',
  }),
  (body, sampler) => ({
    name: 'another transfer coding',
    pieces: [
      text([POST, HOST, `Transfer-Encoding: ${sampler.pick(['gzip', 'identity', 'chunked, gzip', ' chunked', 'x'])}`]),
      body,
    ],
    wants: 'replied',
  }),
  (body, sampler) => ({
    name: 'huge headers',
    pieces: [
      text([POST, HOST, `X-Big: ${'z'.repeat(sampler.between(16_000, 200_000))}`, `Content-Length: ${body.length}`]),
      body,
    ],
    wants: 'replied',
  }),
  (body, sampler) => ({
    name: 'headers that are none',
    pieces: [
      text([
        POST,
        HOST,
        sampler.pick(['no colon', ': empty', 'a b: c', 'X:\u0000', ' folded: x', '\u007f: x']),
        `Content-Length: ${body.length}`,
      ]),
      body,
    ],
    wants: 'replied',
  }),
  (body) => ({
    name: 'line feeds alone',
    pieces: [`POST /json_rpc HTTP/1.1\nContent-Length: ${body.length}\n\n`, body],
    wants: 'replied',
  }),
  (body) => ({ name: 'no host', pieces: [text([POST, `Content-Length: ${body.length}`]), body], wants: 'replied' }),
  (body) => ({ name: 'an upgrade', pieces: [framed(body, ['Connection: Upgrade', 'Upgrade: websocket'])], wants: 'replied' }),
  (body) => ({ name: 'expects more', pieces: [framed(body, ['Expect: more'])], wants: 'replied' }),
  (body, sampler) => ({
    name: 'a page',
    pieces: [framed(body, [`Origin: ${sampler.pick(['https://evil.example', 'null', '', 'http://127.0.0.1'])}`])],
    wants: 'replied',
  }),
  (_, sampler) => ({
    name: 'any bytes',
    pieces: [Uint8Array.from({ length: sampler.between(1, 400) }, (_, i) => sampler.below(256) | (i === 0 ? 0x80 : 0))],
    wants: 'replied',
  }),
  (_, sampler) => ({ name: 'TLS', pieces: [HELLO.slice(0, sampler.between(1, HELLO.length))], wants: 'reset' }),
  () => ({ name: 'nothing', pieces: [], wants: 'replied' }),
  (body, sampler) => ({ name: 'cut off', pieces: [framed(body).slice(0, sampler.below(100 + body.length))], wants: 'reset' }),
  (body) => ({ name: 'gone before the answer', pieces: [framed(body)], wants: 'reset' }),
];

export const wellFramed = (body: Uint8Array, sampler: TestSampler): Framing => sampler.pick(WELL_FRAMED)(body, sampler);
export const otherwise = (body: Uint8Array, sampler: TestSampler): Framing => sampler.pick(OTHERWISE)(body, sampler);

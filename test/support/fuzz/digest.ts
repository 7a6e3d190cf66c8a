import { createHash } from 'node:crypto';
import type { TestSampler } from '../random-sampler.ts';

const md5 = (...parts: readonly string[]): string => createHash('md5').update(parts.join(':')).digest('hex');

/** The answer with name and password to a service's challenge, for one use of its nonce and one path. @param qop as the client writes it */
export function digestHeader(
  challenge: string,
  name: string,
  password: string,
  count = 1,
  uri = '/json_rpc',
  qop = 'auth',
): string {
  const nonce = /nonce="([^"]*)"/.exec(challenge)?.[1] ?? '';
  const realm = /realm="([^"]*)"/.exec(challenge)?.[1] ?? '';
  const [nc, cnonce] = [count.toString(16).padStart(8, '0'), 'abcdef'];
  const response = md5(md5(name, realm, password), nonce, nc, cnonce, qop, md5('POST', uri));
  return [
    `Digest username="${name}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    `qop=${qop}`,
    `nc=${nc}`,
    `cnonce="${cnonce}"`,
  ].join(', ');
}

/** The header with a mistake that makes it invalid however it is read. */
export function mangled(header: string, sampler: TestSampler): string {
  const flip = (field: string) =>
    header.replace(new RegExp(`${field}="[^"]*"`), `${field}="${'f'.repeat(sampler.between(0, 40))}"`);
  switch (sampler.below(10)) {
    case 0:
      return flip('response');
    case 1:
      return flip('nonce');
    case 2:
      return flip('username');
    case 3:
      return flip('uri');
    case 4:
      return header.replace(/nc=\d+/, `nc=${sampler.pick(['00000000', '00000002', 'ffffffff', 'x', '-1', ''])}`);
    case 5:
      return header.replace('qop=auth', `qop=${sampler.pick(['auth-int', 'none', '"'])}`);
    case 6:
      return header.slice(0, sampler.between(6, header.indexOf('response=')));
    case 7:
      return header.replace('Digest', sampler.pick(['Basic', 'Bearer', 'digestx', 'D', '']));
    case 8:
      return `${header.replaceAll('"', '')}${'\\"'.repeat(sampler.below(2000))}`.replace(/response=/, 'answer=');
    default:
      return header.replace(/cnonce="[^"]*"/, `cnonce="${sampler.below(1000)}"`);
  }
}

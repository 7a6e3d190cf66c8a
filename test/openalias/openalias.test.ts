import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { addressInRecord, aliasResolver, dnsName } from '../../src/openalias/index.ts';

const ADDRESS = `4${'A'.repeat(94)}`;
const RECORD = `oa1:xmr recipient_address=${ADDRESS}; recipient_name=Somebody;`;

const answering = (answer: unknown, status = 200) => {
  const asked: URL[] = [];
  const how: (RequestInit | undefined)[] = [];
  const fetch = (async (url: URL, init?: RequestInit) => {
    asked.push(url);
    how.push(init);
    const body = typeof answer === 'string' ? answer : stringifyJson(answer as never);
    return new Response(body, { status });
  }) as typeof globalThis.fetch;
  return { asked, how, resolve: aliasResolver({ url: 'https://dns.example/query', fetch }) };
};

describe('OpenAlias', () => {
  it.each([
    [RECORD, ADDRESS],
    [`something oa1:xmr  recipient_address=${ADDRESS};`, ADDRESS],
    [`oa1:xmr recipient_address=${ADDRESS}${'A'.repeat(11)};`, ADDRESS + 'A'.repeat(11)],
    [`oa1:xmr recipient_address=${ADDRESS}`, undefined],
    [`oa1:xmr recipient_address=${ADDRESS}A;`, undefined],
    [`oa1:btc recipient_address=${ADDRESS};`, undefined],
    [`recipient_address=${ADDRESS}; oa1:xmr`, undefined],
    ['', undefined],
  ])('of the record %j', (record, address) => {
    expect(addressInRecord(record)).toBe(address);
  });

  it.each([
    ['donate@Example.ORG', 'donate.example.org'],
    ['donate.example.org.', 'donate.example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['example', undefined],
    ['a..example', undefined],
    ['10.0.0.1', undefined],
    ['a b.example', undefined],
    ['example.org/?x=.y', undefined],
    [`${'a'.repeat(64)}.example`, undefined],
  ])('the name %j', (alias, name) => {
    expect(dnsName(alias)).toBe(name);
  });

  it('asks the service for the TXT records of the name and takes the first address', async () => {
    const other = { name: 'x', type: 5, data: 'elsewhere.example.' };
    const split = `"oa1:xmr recipient_address=${ADDRESS.slice(0, 9)}" "${ADDRESS.slice(9)}; recipient_name=\\"A\\"\\; B;"`;
    const { asked, resolve } = answering({
      Status: 0,
      AD: true,
      Answer: [other, { type: 16, data: '"spf"' }, { type: 16, data: split }],
    });
    expect(await resolve('donate@example.org')).toEqual({ answered: true, verified: true, found: true, address: ADDRESS });
    expect(asked.map(String)).toEqual(['https://dns.example/query?name=donate.example.org&type=TXT&do=true']);
  });

  it('T26 asks without cookies or referrer, and goes to nobody else', async () => {
    const { how, resolve } = answering({ Status: 0, AD: true });
    await resolve('donate@example.org');
    expect(how).toMatchObject([{ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error', cache: 'no-store' }]);
  });

  it.each([
    ['not verified', { Status: 0, AD: false, Answer: [{ type: 16, data: RECORD }] }, 200],
    ['without a word on it', { Status: 0, Answer: [{ type: 16, data: RECORD }] }, 200],
    ['of another form', { Status: 0, AD: true, Answer: [{ type: 16, data: 5 }] }, 200],
    ['that is no JSON', '<html>', 200],
    ['that is too long', `"${'x'.repeat(70_000)}"`, 200],
    ['of failure', { Status: 0, AD: true, Answer: [{ type: 16, data: RECORD }] }, 500],
  ])('an answer %s is not believed', async (what, answer, status) => {
    const got = await answering(answer, status).resolve('donate.example.org');
    expect(got).toMatchObject({ verified: false, address: undefined });
    const unprotected = what.startsWith('not') || what.startsWith('without');
    expect([got.answered, got.found], 'a person is told which of the two it is').toEqual([unprotected, unprotected]);
  });

  it.each([
    ['that is not there', { Status: 3, AD: true }],
    ['whose lookup failed', { Status: 2, AD: true, Answer: [{ type: 16, data: RECORD }] }],
    ['without an address', { Status: 0, AD: true, Answer: [{ type: 16, data: '"spf"' }] }],
  ])('a name %s stands for none', async (_what, answer) => {
    expect(await answering(answer).resolve('donate.example.org')).toEqual({
      ...{ answered: true, verified: true, found: false, address: undefined },
    });
  });

  it('a bare record is read as well, over https alone', async () => {
    const { resolve } = answering({ Status: 0, AD: true, Answer: [{ type: 16, data: RECORD }] });
    expect((await resolve('donate.example.org')).address).toBe(ADDRESS);
    expect(() => aliasResolver({ url: 'http://dns.example' })).toThrow('https:');
  });
});

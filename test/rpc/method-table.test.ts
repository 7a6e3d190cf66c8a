import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asArray, asObject, asText, changedCategories, parseJson, stringifyJson } from '../../src/base/index.ts';
import { METHODS, methodsByName } from '../../src/rpc/method-table.ts';
import { openRpcDocument } from '../../src/rpc/openrpc.ts';

/** The methods of the specification of the reference's wallet RPC, each with its alias where it has one. */
const SPECIFIED = readFileSync(new URL('../fixtures/wallet-rpc-methods.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Beyond the specification, the reference's version 0.18.0.0 has these. */
const BEYOND = ['set_log_level', 'set_log_categories'];

describe('the table of methods', () => {
  it('has every method of the specification, with its aliases', () => {
    const byName = methodsByName();
    const entries = SPECIFIED.map((line) => line.split(' '));
    expect(entries.flat().filter((name) => !byName.has(name))).toEqual([]);
    for (const [name, alias] of entries) if (alias !== undefined) expect(byName.get(alias)?.name).toBe(name);
  });

  it('has what the reference adds to it', () => {
    for (const name of BEYOND) expect(methodsByName().has(name), name).toBe(true);
  });

  it('has one definition a name', () => {
    expect(() => methodsByName([...METHODS, METHODS[0]!])).toThrow(/expected one method/);
  });

  it('is what docs/openrpc.json says', () => {
    const kept = readFileSync(new URL('../../docs/openrpc.json', import.meta.url), 'utf8');
    expect(parseJson(kept)).toEqual(parseJson(stringifyJson(openRpcDocument(METHODS))));
  });

  it('shows defaults, types and errors of every method', () => {
    const document = openRpcDocument(METHODS);
    const transfers = asArray(parseJson(stringifyJson(document.methods))).map((method) => asObject(method));
    const find = (name: string) => transfers.find((method) => asText(method.name) === name);
    expect(find('get_balance')).toMatchObject({
      params: [
        { name: 'account_index', schema: { type: 'integer', minimum: 0, maximum: 4_294_967_295, default: 0 } },
        { name: 'address_indices', schema: { type: 'array', items: { type: 'integer' } } },
        { name: 'all_accounts', schema: { type: 'boolean', default: false } },
        { name: 'strict', schema: { type: 'boolean', default: false } },
      ],
    });
    expect(find('getbalance')).toMatchObject({ description: 'The same as get_balance.' });
    for (const method of transfers) expect(method).toHaveProperty('result.schema.type', 'object');
  });
});

describe('log categories', () => {
  it.each([
    ['*:WARNING', '2', '*:DEBUG'],
    ['*:WARNING', '2,foo:ERROR', '*:DEBUG,foo:ERROR'],
    ['*:WARNING', '7', '*:WARNING'],
    ['*:WARNING', '+wallet:INFO', '*:WARNING,wallet:INFO'],
    ['', '+wallet:INFO', 'wallet:INFO'],
    ['*:WARNING,a:INFO,b:INFO', '-a:INFO,b:INFO', '*:WARNING,,'],
    ['*:WARNING', 'x:TRACE', 'x:TRACE'],
    ['*:WARNING', '', ''],
  ])('from "%s" by "%s"', (before, change, after) => {
    expect(changedCategories(before, change)).toBe(after);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson, type JsonInput, LazyList, parseJson, stringifyJson } from '../../src/base/index.ts';
import { answerJsonRpc } from '../../src/rpc/json-edge.ts';
import type { RpcService } from '../../src/rpc/service.ts';
import { jsonText } from '../support/json-text.ts';
import { serviceOf } from './support.ts';

/** A service of two methods that give the same: one as most are, one that keeps empty arrays. */
const twoOf = (handler: () => object) => serviceOf({ usual: { handler }, keeping: { handler, keepsEmptyArrays: true } });

async function printed(service: RpcService, request: string): Promise<string> {
  return jsonText(await answerJsonRpc(service, new TextEncoder().encode(request)));
}

const onWire = (reply: JsonInput): string => jsonText(encodeJson(reply, { maxDepth: 100 }));

const result = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,3}$/),
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.bigInt(), fc.boolean(), fc.array(tie('value')), tie('list'), tie('object')),
    list: fc.array(tie('value')).map((items) => LazyList.of(items, (item) => item)),
    object: fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
  })).value,
  { noNullPrototype: true },
);

describe('results of the service', () => {
  it('are the same in a reply as in a call: empty arrays left out, but where the method keeps them', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (value) => {
        const service = twoOf(() => value);
        for (const method of ['usual', 'keeping']) {
          const called = (await service.call(method, {})) as JsonInput;
          expect(await printed(service, stringifyJson({ id: 7, method }))).toBe(
            onWire({ id: 7, jsonrpc: '2.0', result: called }),
          );
        }
      }),
    );
  });

  it('empty arrays and objects', async () => {
    const value = { none: [], empty: {}, list: [{ none: [], left: 1 }], deep: { none: [] } };
    const service = twoOf(() => value);
    expect(await service.call('usual', {})).toEqual({ empty: {}, list: [{ left: 1 }], deep: {} });
    expect(await service.call('keeping', {})).toEqual(value);
    expect(value.none).toEqual([]);
  });

  it('with lists are made of one instant: printed before anything else of the program runs', async () => {
    let now = 0;
    const service = twoOf(() => ({ list: LazyList.of([1, 2], (item) => item + now) }));
    const reply = printed(service, '{"id":7,"method":"usual"}');
    now = 10;
    expect(await reply).toBe(onWire({ id: 7, jsonrpc: '2.0', result: { list: [1, 2] } }));
    expect(await service.call('usual', {})).toEqual({ list: [11, 12] });
  });

  it('that cannot be printed are an error in the reply', async () => {
    const reply = await printed(
      twoOf(() => ({ list: LazyList.of([1], () => Number.NaN) })),
      '{"id":7,"method":"usual"}',
    );
    expect(reply).toBe(onWire({ error: { code: -1, message: 'expected a finite number' }, id: 7, jsonrpc: '2.0' }));
  });

  it('come with the id as it was sent, to its depth, and without its empty arrays', async () => {
    const idWith = (more: string): string => `{"a":${'{"b":'.repeat(90)}{"c":5${more}}${'}'.repeat(90)}}`;
    const reply = await printed(
      twoOf(() => ({ none: [] })),
      `{"id":${idWith(',"d":[]')},"method":"usual"}`,
    );
    expect(reply).toBe(onWire({ id: parseJson(idWith(''), { maxDepth: 100 }), jsonrpc: '2.0', result: {} }));
    expect(parseJson(reply, { maxDepth: 100 })).toHaveProperty('result', {});
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonInput, parseJson, stringifyJson } from '../../src/protocol/json.ts';
import { NO_PARAMS } from '../../src/rpc/fields.ts';
import type { WalletHost } from '../../src/rpc/host.ts';
import { answerJsonRpc } from '../../src/rpc/json-edge.ts';
import { defineMethod, group } from '../../src/rpc/method.ts';
import { RpcService } from '../../src/rpc/service.ts';

const host = { restricted: false, wallet: undefined } as unknown as WalletHost;

/** A service of two methods that give the same result: one as most are, one that keeps empty arrays. */
function serviceOf(result: object): RpcService {
  const common = {
    summary: '',
    params: NO_PARAMS,
    result: NO_PARAMS,
    needs: 'nothing',
    restricted: 'allowed',
    access: 'read',
    errors: [],
    handler: () => result,
  } as const;
  const methods = group('Service', [
    defineMethod({ ...common, name: 'usual' }),
    defineMethod({ ...common, name: 'keeping', keepsEmptyArrays: true }),
  ]);
  return new RpcService(host, {}, new Map(methods.map((method) => [method.name, method])));
}

async function printed(service: RpcService, request: JsonInput): Promise<string> {
  return new TextDecoder().decode(await answerJsonRpc(service, new TextEncoder().encode(stringifyJson(request))));
}

const result = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,3}$/),
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.bigInt(), fc.boolean(), fc.array(tie('value')), tie('object')),
    object: fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
  })).value,
  { noNullPrototype: true },
);

describe('results of the service', () => {
  it('are the same in a reply as in a call: empty arrays left out, but where the method keeps them', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (value) => {
        const service = serviceOf(value);
        for (const method of ['usual', 'keeping']) {
          const called = (await service.call(method, {})) as JsonInput;
          expect(await printed(service, { id: 7, method })).toBe(`{"id":7,"jsonrpc":"2.0","result":${stringifyJson(called)}}`);
        }
      }),
    );
  });

  it('of arrays and objects without elements', async () => {
    const value = { none: [], empty: {}, list: [{ none: [], left: 1 }], deep: { none: [] } };
    const service = serviceOf(value);
    expect(await service.call('usual', {})).toEqual({ empty: {}, list: [{ left: 1 }], deep: {} });
    expect(await service.call('keeping', {})).toEqual(value);
    expect(value.none).toEqual([]);
  });

  it('come with the id as it was sent, its empty arrays and its depth', async () => {
    const id = `{"a":${'{"b":'.repeat(90)}[]${'}'.repeat(90)}}`;
    const request = new TextEncoder().encode(`{"id":${id},"method":"usual"}`);
    const reply = new TextDecoder().decode(await answerJsonRpc(serviceOf({ none: [] }), request));
    expect(reply).toBe(`{"id":${id},"jsonrpc":"2.0","result":{}}`);
    expect(parseJson(reply, { maxDepth: 100 })).toHaveProperty('result', {});
  });
});

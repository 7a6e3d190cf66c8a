import * as v from 'valibot';
import { NO_PARAMS } from '../fields.ts';
import { defineMethod, group, type Method, READS } from '../method.ts';
import { openRpcDocument } from '../openrpc.ts';

/** The method that describes the others, and itself. */
export function discoverMethods(others: readonly Method[]): readonly Method[] {
  const methods = group('Service', [
    defineMethod({
      name: 'rpc.discover',
      summary: 'This service as an OpenRPC document.',
      params: NO_PARAMS,
      result: v.looseObject({ openrpc: v.string() }),
      ...READS,
      needs: 'nothing',
      keepsEmptyArrays: true,
      handler: () => openRpcDocument([...others, ...methods]) as { openrpc: string },
    }),
  ]);
  return methods;
}

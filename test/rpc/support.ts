import { NO_PARAMS } from '../../src/rpc/fields.ts';
import type { ServiceHost } from '../../src/rpc/host.ts';
import { MethodGroup, READS } from '../../src/rpc/method.ts';
import { RpcService } from '../../src/rpc/service.ts';

/** A method of a service that has no wallet. */
interface TestMethod {
  readonly handler: () => object;
  readonly keepsEmptyArrays?: true;
}

/** A service of these methods alone, by name: no parameters, and no wallet behind it. */
export function serviceOf(methods: Readonly<Record<string, TestMethod>>): RpcService {
  const group = new MethodGroup('Service');
  const common = { ...READS, needs: 'nothing', summary: '', result: NO_PARAMS, errors: [] } as const;
  for (const [name, method] of Object.entries(methods)) group.define({ ...common, ...method, name });
  const host = { restricted: false, wallet: undefined } as unknown as ServiceHost;
  return new RpcService(host, {}, new Map(group.methods.map((method) => [method.name, method])));
}

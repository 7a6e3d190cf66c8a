import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRpcServer } from '../src/cli/wallet-rpc/server.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { serviceOf } from './rpc-wallet.ts';

/** A service over HTTP with a wallet of some size, in a separate process: `rpc-wait-node.ts <outputs>`. Prints its port; ends with its input. */

await loadCrypto();
const { service } = await serviceOf(Number(process.argv[2]));
const server = createRpcServer({
  service,
  login: undefined,
  origins: [],
  connectionLimits: { all: 10, eachNear: undefined, eachFar: undefined },
  stall: 60_000,
  tls: { mode: 'disabled', keyFile: '', certificateFile: '', clients: { fingerprints: [], authoritiesFile: '', chained: false } },
  afterReply: () => undefined,
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log((server.address() as AddressInfo).port);
process.stdin.resume();
await once(process.stdin, 'end');
process.exit(0);

import { expect, it } from 'vitest';
import { DaemonClient } from '../../src/daemon/index.ts';
import type { DaemonTransport } from '../../src/daemon/transport/port.ts';

/** A reply as daemons write one: raw bytes inside a JSON text. */
const replying = (backlog: readonly (readonly [weight: bigint, fee: bigint, age: bigint])[]): DaemonClient =>
  withBytes(Buffer.from(BigUint64Array.from(backlog.flat()).buffer));

function withBytes(bytes: Buffer): DaemonClient {
  const raw = bytes.toString('latin1');
  const transport: DaemonTransport = {
    request: async () => ({
      status: 200,
      body: Uint8Array.from(Buffer.from(`{"id":"0","result":{"status":"OK","backlog":"${raw}"}}`, 'latin1')),
    }),
  };
  return new DaemonClient({ transport });
}

it('reads how long the pool has had a transaction, also of releases that write it below 0', async () => {
  const client = replying([
    [1500n, 3_000_000n, 75n],
    [1600n, 4_000_000n, 2n ** 64n - 75n],
  ]);
  expect((await client.getTxPoolBacklog()).check((value) => value)).toEqual([
    { weight: 1500, fee: 3_000_000n, timeInPool: 75 },
    { weight: 1600, fee: 4_000_000n, timeInPool: 75 },
  ]);
});

it('T6 refuses a backlog that ends within an entry', async () => {
  const client = withBytes(Buffer.alloc(24 + 23, 1));
  await expect(client.getTxPoolBacklog()).rejects.toMatchObject({ code: 'malformed' });
  expect((await withBytes(Buffer.alloc(48, 1)).getTxPoolBacklog()).check((value) => value)).toHaveLength(2);
});

import { pathCalls } from './daemon-path-requests.ts';
import type { Call, DaemonQuestion, Kind, KnownChain } from './daemon-request-types.ts';
import { rpcCalls } from './daemon-rpc-requests.ts';

/** Requests for every call of a daemon, valid and invalid, sent to two daemons to compare their answers. */

const WRONG: Readonly<Record<Kind, readonly string[]>> = {
  uint: ['-1', '"5"', '"x"', '1.5', 'true', 'null', '{}', '[]', '18446744073709551616', '""'],
  int: ['"5"', '"x"', '1.5', 'true', 'null', '{}', '[1]', '9223372036854775808'],
  text: ['5', 'null', 'true', '[]', '{}', '-1'],
  bool: ['1', '0', '2', '"true"', 'null', '{}', '-1'],
  uints: ['{}', '"x"', '[null]', '["5"]', '[1.5]', '[-1]', '5', '[true]', '[[]]', '[1,"a"]'],
  texts: ['{}', '"x"', '[null]', '[5]', '[true]', '5', '[{}]', '["a",5]'],
  objects: ['{}', '"x"', '[5]', '["a"]', '5', '[null]', '[[]]'],
  object: ['[]', '"x"', '5', 'null'],
};

const BANS: readonly Call[] = [
  {
    kind: 'rpc',
    names: ['set_bans'],
    fields: { bans: 'objects' },
    good: [
      '',
      '{}',
      '{"bans":[]}',
      '{"bans":[{"host":"1.2.3.4","ban":true,"seconds":100000}]}',
      '{"bans":[{"ip":16909061,"ban":true,"seconds":50000}]}',
      '{"bans":[{"host":"x","ban":true,"seconds":5}]}',
      '{"bans":[{"host":"10.0.0.0/8","ban":true,"seconds":70000}]}',
      '{"bans":[{"host":"9.9.9.9"}]}',
      '{"bans":[{"host":"9.9.9.9","seconds":"x"}]}',
      '{"bans":[{"ban":true}]}',
      '{"bans":[{"host":"1.2.3.5","ban":true}]}',
      '{"bans":[{"host":"::1","ban":true,"seconds":90000}]}',
      '{"bans":[{"host":"300.1.1.1","ban":true,"seconds":90000}]}',
    ],
  },
  { kind: 'rpc', names: ['get_bans'], good: ['{}'] },
  {
    kind: 'rpc',
    names: ['banned'],
    good: [
      '{"address":"1.2.3.4"}',
      '{"address":"10.1.2.3"}',
      '{"address":"9.9.9.9"}',
      '{"address":"1.2.3.5"}',
      '{"address":"5.4.2.1"}',
      '{"address":"5.2.2.1"}',
      '{"address":"1.2.4.5"}',
      '{"address":"5.4.2.1"}',
    ],
  },
  {
    kind: 'rpc',
    names: ['set_bans'],
    good: ['{"bans":[{"host":"1.2.3.4","ban":false,"seconds":10},{"host":"10.0.0.0/8","ban":false}]}'],
  },
  { kind: 'rpc', names: ['get_bans'], good: ['{}'] },
  { kind: 'rpc', names: ['banned'], good: ['{"address":"1.2.3.4"}', '{"address":"10.1.2.3"}'] },
];

const POOL: readonly Call[] = [
  {
    kind: 'rpc',
    names: ['flush_txpool'],
    fields: { txids: 'texts' },
    good: ['', '{}', '{"txids":["zz"]}', '{"txids":["00"]}', `{"txids":["${'00'.repeat(32)}"]}`, '{"txids":[]}'],
  },
  { kind: 'path', names: ['get_transaction_pool_stats'], good: ['{}'] },
];

function* questionsOf(calls: readonly Call[]): Generator<DaemonQuestion> {
  for (const { kind, names, fields = {}, good } of calls) {
    for (const name of names) for (const params of good) yield params === '' ? { kind, name } : { kind, name, params };
    const [name] = names as [string];
    for (const [field, type] of Object.entries(fields))
      for (const value of WRONG[type]) yield { kind, name, params: `{${JSON.stringify(field)}:${value}}` };
    // Some calls identify a paying client, and require a string.
    for (const value of ['"x"', '5', '{}']) yield { kind, name, params: `{"client":${value}}` };
    if (kind === 'rpc') for (const params of ['5', '"x"', 'null', 'true', '[]']) yield { kind, name, params };
  }
}

/** Requests sent while both daemons have the same chain and an empty pool. They do not change the chain. */
export function questionsFor(known: KnownChain): DaemonQuestion[] {
  return [...questionsOf([...rpcCalls(known), ...pathCalls(known), ...BANS, ...POOL])];
}

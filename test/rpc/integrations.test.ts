import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { answerJsonRpc } from '../../src/rpc/json-edge.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { newWallet } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { jsonText } from '../support/json-text.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

// Requests in the very form in which known clients write them: numbers as PHP and JavaScript print them, nulls, fields of old.

let wallet: Wallet;
let service: RpcService;

beforeAll(async () => {
  await loadCrypto();
  const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
  const env = environment({ store, scanPool: createInlineScanPool });
  wallet = await Wallet.create(
    env,
    'one',
    'pw',
    await newWallet(systemRandom, { network: 'mainnet', from: { height: 0 }, now: 0 }),
  );
  service = new RpcService(oneWalletHost(wallet), { checkResults: true });
});

afterAll(() => wallet?.close());

const REQUESTS: readonly (readonly [client: string, body: string, answer: object])[] = [
  ['monerophp, without parameters', '{"jsonrpc":"2.0","method":"get_balance","params":null,"id":1}', { result: { balance: 0 } }],
  ['monerophp, an empty array of them', '{"jsonrpc":"2.0","method":"get_height","params":[],"id":2}', { id: 2 }],
  [
    'monerophp, an amount that was multiplied',
    '{"jsonrpc":"2.0","method":"transfer","params":{"destinations":[{"amount":500000000000.0,"address":"ADDRESS"}],"priority":2,"account_index":0,"subaddr_indices":"","mixin":15,"get_tx_key":true,"do_not_relay":false},"id":3}',
    { error: { code: -4 } },
  ],
  [
    'monerophp of old, the same in powers of ten',
    '{"jsonrpc":"2.0","method":"transfer","params":{"destinations":[{"amount":1.0e+12,"address":"ADDRESS"}]},"id":4}',
    { error: { code: -4 } },
  ],
  [
    'monero-ts, an amount as a text',
    '{"id":"0","jsonrpc":"2.0","method":"transfer","params":{"destinations":[{"address":"ADDRESS","amount":"1000000000000"}],"account_index":0,"get_tx_key":true}}',
    { error: { code: -4 } },
  ],
  [
    'monero-python, no label',
    '{"jsonrpc": "2.0", "id": 0, "method": "create_address", "params": {"account_index": 0, "label": null}}',
    { result: { address_index: 1 } },
  ],
  [
    'monero-python, fields of old',
    '{"jsonrpc": "2.0", "id": 0, "method": "transfer_split", "params": {"account_index": 0, "destinations": [{"address": "ADDRESS", "amount": 1}], "priority": 0, "unlock_time": 0, "get_tx_keys": true, "get_tx_hex": true, "new_algorithm": true, "do_not_relay": true}}',
    { error: { code: -4 } },
  ],
  [
    'monero-python, a transfer by id with fields of another method',
    `{"jsonrpc": "2.0", "id": 0, "method": "get_transfer_by_txid", "params": {"account_index": 0, "pending": false, "in": true, "out": false, "pool": true, "txid": "${'ab'.repeat(32)}"}}`,
    { error: { code: -8 } },
  ],
  [
    'BTCPay',
    '{"jsonrpc":"2.0","id":"6f2b8a4e-3d53-4f53-a0a5-5d3b4c9d8a11","method":"create_address","params":{"account_index":0,"label":"btcpay invoice #1"}}',
    { id: '6f2b8a4e-3d53-4f53-a0a5-5d3b4c9d8a11', result: { address_index: 2 } },
  ],
  ['a swap daemon', '{"jsonrpc":"2.0","id":"0","method":"get_accounts","params":{"tag":""}}', { id: '0' }],
  [
    'a swap daemon, its transfer',
    '{"jsonrpc":"2.0","id":"0","method":"transfer","params":{"account_index":0,"destinations":[{"amount":1000000000000,"address":"ADDRESS"}],"get_tx_key":true}}',
    { error: { code: -4 } },
  ],
];

describe('requests as known clients write them', () => {
  it.each(REQUESTS)('%s', async (_, body, answer) => {
    const request = body.replace('ADDRESS', inside(wallet).state.description.primaryAddress);
    const reply = await answerJsonRpc(service, new TextEncoder().encode(request));
    expect(parseJson(jsonText(reply))).toMatchObject(answer);
  });
});

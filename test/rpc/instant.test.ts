import { beforeAll, expect, it } from 'vitest';
import type { JsonBytes } from '../../src/base/index.ts';
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
import { hash, output, sentTx, spend, synced } from '../wallet/support.ts';

// A long reply is printed while the wallet moves on: what it shows is the wallet as it was when it was asked.

const OUTPUTS = 3000;
const SPENT = 1500;
const HEIGHT = 200;
const made = Array.from({ length: OUTPUTS }, (_, seed) =>
  output({ seed, height: HEIGHT, amount: BigInt(seed + 1), minor: seed % 7 }),
);
const spends = made.slice(0, SPENT).map(({ keyImage }, i) => spend(keyImage!, `spend ${i}`, HEIGHT + 1));

const REQUESTS = [
  ['incoming_transfers', '{"transfer_type":"all"}'],
  ['incoming_transfers', '{"transfer_type":"available","subaddr_indices":[0,1,2,3,4,5,6]}'],
  ['get_transfers', '{"in":true}'],
  ['get_transfers', '{"out":true,"pending":true,"failed":true,"pool":true}'],
  ['get_bulk_payments', '{}'],
] as const;

beforeAll(() => loadCrypto());

/** A wallet that has received, spent and sent, with a note on every other transaction. */
async function walletWithPast(): Promise<Wallet> {
  const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
  const env = environment({ store, scanPool: createInlineScanPool });
  const wallet = await Wallet.create(
    env,
    'one',
    'pw',
    await newWallet(systemRandom, { network: 'regtest', from: { height: HEIGHT }, now: 0 }),
  );
  const notes = made.filter((_, i) => i % 2 === 0).map(({ txHash }) => ({ type: 'Noted', txHash, note: 'before €' }) as const);
  const sent = sentTx('under way', [made.at(-1)!.keyImage!]);
  await inside(wallet).append(
    [
      synced(HEIGHT, HEIGHT, made, []),
      synced(HEIGHT + 1, HEIGHT + 20, [], spends),
      ...notes,
      { type: 'Frozen', key: made.at(-2)!.key },
      { type: 'TransactionBuilt', tx: sent },
      { type: 'TransactionSending', txHash: sent.txHash, at: 5 },
    ],
    'strict',
  );
  return wallet;
}

/** Everything that a reply could show changes. */
async function moveOn(wallet: Wallet): Promise<void> {
  const late = made.slice(SPENT).map(({ keyImage }, i) => spend(keyImage!, `late ${i}`, HEIGHT + 21));
  await inside(wallet).append(
    [
      ...made.map(({ txHash }) => ({ type: 'Noted', txHash, note: 'after' }) as const),
      ...made.map(({ key }) => ({ type: 'Frozen', key }) as const),
      { type: 'Thawed', key: made.at(-2)!.key },
      { type: 'TransactionFailed', txHash: hash('under way'), at: 6, reason: 'refused' },
      synced(HEIGHT + 21, HEIGHT + 50, [output({ seed: OUTPUTS, height: HEIGHT + 30 })], late),
      { type: 'Rewound', height: HEIGHT, parent: hash('parent') },
    ],
    'strict',
  );
  await wallet.close();
}

it('a long reply shows one instant, whatever the wallet does while it is taken', async () => {
  const wallet = await walletWithPast();
  const service = new RpcService(oneWalletHost(wallet));
  const ask = ([method, params]: (typeof REQUESTS)[number]): Promise<JsonBytes> =>
    answerJsonRpc(service, new TextEncoder().encode(`{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params}}`));
  const expected: string[] = [];
  for (const request of REQUESTS) expected.push(jsonText(await ask(request)));
  const replies = await Promise.all(REQUESTS.map(ask));
  await moveOn(wallet);
  for (const [i, reply] of replies.entries()) {
    expect(reply).not.toBeInstanceOf(Uint8Array);
    expect(jsonText(reply), REQUESTS[i]!.join(' ')).toBe(expected[i]);
  }
});

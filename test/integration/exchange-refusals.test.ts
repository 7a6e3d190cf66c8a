import { afterAll, beforeAll, expect, it } from 'vitest';
import { asciiToBytes, bytesToHex } from '../../src/base/index.ts';
import { randomScalar, scalarMulBase, systemRandom } from '../../src/crypto/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { walletFromWords } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { type ExportedTransfer, type OutputsExport, outputsFile, unsignedSetFile } from '../../src/wallet2/index.ts';
import { inside } from '../support/inside.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { expectSame, type RpcPair, rpcPair } from '../support/rpc-pair.ts';

// One cold wallet in both services, no chain: what neither takes, in the same words.
let theirs: MoneroWalletRpc;
let wallet: Wallet;
let pair: RpcPair;

beforeAll(async () => {
  theirs = await startWalletRpc();
  await theirs.createWallet('cold');
  const env = environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
  });
  wallet = await Wallet.create(
    env,
    'cold',
    'pw',
    await walletFromWords(await theirs.seed(), { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  pair = rpcPair(new RpcService(oneWalletHost(wallet), { checkResults: true }), theirs.url);
});

afterAll(async () => {
  await wallet?.close();
  await theirs?.stop();
});

/** Bytes of the words and the version before a file of outputs, and of the nonce and the signature that seal it. */
const MAGIC_SIZE = 'Monero output export'.length + 1;
const SEAL_SIZE = 8 + 64;

const point = () => scalarMulBase(randomScalar(systemRandom));

function foreignOutput(): ExportedTransfer {
  const sizes = { outputIndex: 0n, globalIndex: 1n, flags: 4, amount: 5n };
  return { key: point(), txPublicKey: point(), additionalPublicKeys: [], ...sizes };
}

async function madeFile(made: Partial<OutputsExport>): Promise<string> {
  const { primary, viewKey } = inside(wallet).keys;
  return bytesToHex(await outputsFile.seal({ account: primary, offset: 0, outputs: [], ...made }, viewKey, systemRandom));
}

it('outputs of another account, outputs left out, foreign ones, and files that were changed', async () => {
  const outputs = [foreignOutput()];
  const good = await madeFile({ outputs });
  for (const outputs_data_hex of [
    await madeFile({ account: { spendKey: point(), viewKey: point() } }),
    await madeFile({ offset: 1, outputs }),
    await madeFile({ outputs, total: 0 }),
    await madeFile({}),
    good,
    good.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    good.replace(/04/, '03'),
    // Shorter than what seals it: not long enough to be looked at, and just long enough.
    good.slice(0, 2 * (MAGIC_SIZE + SEAL_SIZE) - 2),
    good.slice(0, 2 * (MAGIC_SIZE + SEAL_SIZE)),
    'ab',
    'x',
  ]) {
    await expectSame(pair, 'import_outputs', { outputs_data_hex });
  }
  expect(inside(wallet).state.imported).toEqual([]);
});

it('exports of nothing, or from a position on of new outputs alone', async () => {
  for (const params of [{ count: 0 }, { all: true, count: 0 }, { start: 1 }, { start: 1, count: 0 }]) {
    await expectSame(pair, 'export_outputs', params);
  }
  // Behind the last one: the reference counts below 0 as it makes room.
  expect(await pair.theirs('export_outputs', { all: true, start: 5 })).toMatchObject({ error: { code: -1 } });
  expect(await pair.ours('export_outputs', { all: true, start: 5 })).toHaveProperty('result');
});

it('sets that tell of outputs left out, or of foreign ones', async () => {
  const { viewKey } = inside(wallet).keys;
  // The reference makes room before it looks: it counts what it refused above.
  for (const offset of [9, 0]) {
    const set = await unsignedSetFile.seal({ transactions: [], offset, outputs: [foreignOutput()] }, viewKey, systemRandom);
    await expectSame(pair, 'sign_transfer', { unsigned_txset: bytesToHex(set) });
  }
  const set = await unsignedSetFile.seal(
    { transactions: [], offset: 0, outputs: [foreignOutput()], total: 0 },
    viewKey,
    systemRandom,
  );
  await expectSame(pair, 'sign_transfer', { unsigned_txset: bytesToHex(set) });
});

it('sets that are none', async () => {
  const magic = bytesToHex(asciiToBytes('Monero unsigned tx set'));
  for (const unsigned_txset of ['', 'x', 'ab', `${magic}05`, `${magic}05${'00'.repeat(200)}`, `${magic}04${'00'.repeat(80)}`]) {
    for (const method of ['describe_transfer', 'sign_transfer']) await expectSame(pair, method, { unsigned_txset });
  }
});

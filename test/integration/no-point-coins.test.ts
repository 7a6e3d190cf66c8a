import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  derivePublicKey,
  deriveViewTag,
  generateKeyDerivation,
  IDENTITY,
  loadCrypto,
  randomScalar,
  scalarMulBase,
  systemRandom,
} from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { decodeAddress, serializeBlock, serializeExtra, type TransactionV2 } from '../../src/protocol/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { type NewWallet, walletFromKeys, walletFromViewKey, walletFromWords } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { expectSame, expectSameShape, type RpcPair, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// A stranger pays with a transaction key that is no point. wallet2 takes such a coin, and so must whatever handles it after it was found:
// one coin that cannot be opened would else stop the spending of all.
const NO_POINT = Uint8Array.of(2, ...new Uint8Array(31));
const env = environment({
  store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
  scanPool: createInlineScanPool,
  sync: { pollEvery: 60_000, retryFirst: 50, retryMost: 200 },
});

interface Both {
  readonly theirs: MoneroWalletRpc;
  readonly wallet: Wallet;
  readonly pair: RpcPair;
}

let devnet: ServedDevnet;
let offline: MoneroWalletRpc;
let full: Both;
let hot: Both;
let cold: Both;
let address: string;
const wallets: Wallet[] = [];

async function open(name: string, made: NewWallet, theirs: MoneroWalletRpc, online = true): Promise<Both> {
  const wallet = await Wallet.create(env, name, 'pw', made);
  wallets.push(wallet);
  if (online) await wallet.setDaemon({ url: devnet.url, trusted: true });
  return { theirs, wallet, pair: rpcPair(new RpcService(oneWalletHost(wallet), { checkResults: true }), theirs.url) };
}

/** A block whose coinbase pays an address with these transaction keys, one of which gave what is shared with the receiver. */
function pay(text: string, keys: readonly Uint8Array[], shared: Readonly<Uint8Array>): void {
  const { node, minerWallet } = devnet;
  const { block } = node.template(minerWallet).parsed;
  const { spendKey } = decodeAddress(text, 'regtest');
  const minerTx = block.minerTx as TransactionV2;
  const output = {
    key: derivePublicKey(shared as Uint8Array, 0, spendKey)!,
    viewTag: deriveViewTag(shared as Uint8Array, 0),
  };
  const extra = serializeExtra(keys.map((key) => ({ type: 'pubKey', key }) as const));
  const outputs = minerTx.outputs.map((made) => ({ ...made, ...output }));
  node.append(serializeBlock({ ...block, minerTx: { ...minerTx, extra, outputs }, txHashes: [] }), []);
}

async function caughtUp(): Promise<void> {
  const { height } = devnet.node.chain;
  await Promise.all([full, hot].map(({ theirs }) => theirs.refreshToHeight({ height: async () => height })));
  await Promise.all([full, hot].map(({ wallet }) => refreshToTip(wallet, height)));
}

beforeAll(async () => {
  await loadCrypto();
  offline = await startWalletRpc();
  address = await offline.createWallet('own');
  const { address: subaddress } = await offline.rpc<{ address: string }>('create_address', {});
  const seed = await offline.seed();
  const key = async (kind: string) => (await offline.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  const [viewKey, spendKey] = [await key('view_key'), await key('spend_key')];
  devnet = await serveDevnet({ history: { blocks: 30, transactions: 0 } });
  const secret = randomScalar(systemRandom);
  const point = scalarMulBase(secret);
  pay(address, [NO_POINT], IDENTITY);
  pay(subaddress, [point, NO_POINT], IDENTITY);
  pay(address, [point], generateKeyDerivation(decodeAddress(address, 'regtest').viewKey, secret)!);
  for (let i = 0; i < 65; i++) devnet.node.mine(devnet.minerWallet);
  const birth = { network: 'regtest', from: { height: 0 }, now: 0 } as const;
  const theirs = () => startWalletRpc({ daemon: devnet.url });
  full = await open('full', await walletFromWords(seed, birth), await theirs());
  await full.theirs.restoreWallet('full', seed);
  hot = await open('hot', await walletFromViewKey(address, viewKey, birth), await theirs());
  await hot.theirs.restoreFromKeys('hot', { address, viewKey });
  cold = await open('cold', await walletFromKeys(spendKey, viewKey, birth), offline, false);
  await caughtUp();
});

afterAll(async () => {
  await Promise.all(wallets.map((wallet) => wallet.close()));
  await Promise.all([offline, full?.theirs, hot?.theirs].map((program) => program?.stop()));
  await devnet?.stop();
});

describe('T10 coins whose transaction key is no point', () => {
  it('are found beside others, and their key images told, as by monero-wallet-rpc', async () => {
    const answer = await expectSame(full.pair, 'incoming_transfers', { transfer_type: 'available' });
    expect(resultOf<{ transfers: unknown[] }>(answer).transfers).toHaveLength(3);
  });

  it('go to the half without a network with the others, and their key images come back', async () => {
    const { outputs_data_hex } = resultOf<{ outputs_data_hex: string }>(await hot.pair.ours('export_outputs', { all: true }));
    await expectSame(cold.pair, 'import_outputs', { outputs_data_hex });
    const images = resultOf<{ signed_key_images: unknown[] }>(await cold.pair.ours('export_key_images', { all: true }));
    expect(images.signed_key_images).toHaveLength(3);
    await expectSame(hot.pair, 'import_key_images', { signed_key_images: images.signed_key_images });
  });

  it('are left out of a proof of reserve, which holds of all others', async () => {
    const { signature } = resultOf<{ signature: string }>(await full.pair.ours('get_reserve_proof', { all: true }));
    const verdict = resultOf(await full.pair.theirs('check_reserve_proof', { address, signature }));
    const { transfers } = resultOf<{ transfers: readonly { readonly amount: bigint }[] }>(
      await full.pair.theirs('incoming_transfers', { transfer_type: 'available' }),
    );
    expect(verdict).toEqual({ good: true, spent: 0n, total: transfers[2]!.amount });
  });

  it('are spent with the others, also where the key stands behind one that is a point', async () => {
    const asked = { address, subaddr_indices: [0, 1] };
    const [answer] = await expectSameShape(full.pair, 'sweep_all', { ...asked, do_not_relay: true });
    const { spent_key_images_list: spent } = resultOf<{ spent_key_images_list: readonly { key_images: string[] }[] }>(answer);
    expect(spent.flatMap(({ key_images }) => key_images)).toHaveLength(3);
    const sent = resultOf<{ tx_hash_list: string[] }>(await full.pair.ours('sweep_all', asked));
    devnet.node.mine(devnet.minerWallet);
    await caughtUp();
    const txid = sent.tx_hash_list[0];
    for (const told of [
      await full.pair.ours('get_transfer_by_txid', { txid }),
      await full.pair.theirs('get_transfer_by_txid', { txid }),
    ])
      expect(resultOf(told)).toMatchObject({ transfer: { type: 'out', confirmations: 1n } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { toAtomicAmount } from '../../src/protocol/model.ts';
import { type NewWallet, walletFromKeys, walletFromViewKey } from '../../src/wallet/create-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { refreshToTip } from '../support/two-wallets.ts';
import { makeWalletCli, type WalletCli } from '../support/wallet-cli.ts';

// One wallet in six halves on the devnet: ours, the command line's of today through files, and those of 0.18.0 through hex.
let devnet: ServedDevnet;
let ourHot: Wallet;
let ourCold: Wallet;
let cliHot: WalletCli;
let cliCold: WalletCli;
let oldHot: MoneroWalletRpc;
let oldCold: MoneroWalletRpc;
let keys: { address: string; spendKey: string; viewKey: string };

const XMR = 1_000_000_000_000n;
const env = quickEnvironment();
const create = (name: string, made: NewWallet) => Wallet.create(env, name, 'pw', made);
const height = { height: async () => devnet.node.chain.height };

beforeAll(async () => {
  [devnet, oldCold] = await Promise.all([
    serveDevnet({ history: { blocks: 320, transactions: 3 } }),
    startWalletRpc({ release: '0.18.0.0' }),
  ]);
  await oldCold.createWallet('cold');
  const secret = async (kind: string) => (await oldCold.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  keys = { address: await oldCold.address(), spendKey: await secret('spend_key'), viewKey: await secret('view_key') };
  const { address, viewKey, spendKey } = keys;
  ourHot = await create('hot', await walletFromViewKey(address, viewKey, { network: 'regtest', from: { height: 0 }, now: 0 }));
  ourCold = await create('cold', await walletFromKeys(spendKey, viewKey, { network: 'regtest', from: { height: 0 }, now: 0 }));
  await ourHot.setDaemon({ url: devnet.url, trusted: true });
  const watching = { address, viewKey };
  [cliCold, cliHot, oldHot] = await Promise.all([
    makeWalletCli({ keys }),
    makeWalletCli({ keys: watching, daemon: devnet.url }),
    startWalletRpc({ release: '0.18.0.0', daemon: devnet.url }),
  ]);
  await oldHot.restoreFromKeys('hot', watching);
  for (const coins of [2n, 3n, 4n]) devnet.faucet.give(keys.address, coins * XMR);
  await mine();
});

afterAll(async () => {
  await Promise.all([ourHot?.close(), ourCold?.close()]);
  await Promise.all([oldHot?.stop(), oldCold?.stop()]);
  for (const cli of [cliHot, cliCold]) cli?.remove();
  await devnet?.stop();
});

/** Deep enough to spend, and everybody who follows the chain at its tip; the command line refreshes when it is asked to. */
async function mine(): Promise<void> {
  for (let i = 0; i < 12; i++) devnet.node.mine(devnet.minerWallet);
  await oldHot.refreshToHeight(height);
  await refreshToTip(ourHot, devnet.node.chain.height);
}

/** What a transaction pays the miner's wallet, whose keys the devnet holds: the difference it makes for ours, less the fee. */
const ourTotal = async () => (await ourHot.view()).balance.total;
const pay = (amount: bigint) => ({
  destinations: [{ address: devnet.minerWallet.address, amount: toAtomicAmount(amount) }],
  account: 0,
  priority: 1 as const,
});
const mined = (hash: string) => devnet.node.chain.transaction(hash)?.height;

describe('monero-wallet-cli 0.18.5.3, by files', () => {
  it('cold: takes our outputs, and we its key images', async () => {
    cliCold.write('outputs', await ourHot.offline.exportOutputs());
    expect(await cliCold.run(['import_outputs', 'outputs'])).toBe('3 outputs imported');
    await cliCold.run(['export_key_images', 'all', 'images']);
    expect(await ourHot.offline.importKeyImages(cliCold.read('images'))).toMatchObject({
      count: 3,
      unspent: 9n * XMR,
      spent: 0n,
    });
  });

  it('hot: we take its outputs, and it our key images', async () => {
    await cliHot.run(['refresh']);
    await cliHot.run(['export_outputs', 'all', 'outputs']);
    expect(await ourCold.offline.importOutputs(cliHot.read('outputs'))).toBe(3);
    cliHot.write('images', await ourCold.offline.exportKeyImages());
    expect(await cliHot.run(['import_key_images', 'images'])).toMatch(/imported to height \d+, 0\.0+ spent, 9\.0+ unspent/);
  });

  it('cold: signs our set', async () => {
    const { file, review } = await ourHot.offline.prepareUnsigned(pay(XMR));
    cliCold.write('unsigned_monero_tx', file);
    const said = await cliCold.run(['sign_transfer'], 'Y\n');
    expect(said).toContain(`sending 1.000000000000 to ${devnet.minerWallet.address}`);
    expect(said).toContain('Transaction successfully signed to file signed_monero_tx');
    const signed = cliCold.read('signed_monero_tx');
    expect(await ourHot.offline.reviewSigned(signed)).toMatchObject({ recipients: review.recipients, fee: review.fee });
    const before = await ourTotal();
    const [hash] = await ourHot.offline.submitSigned(signed);
    await mine();
    expect(mined(hash!)).toBeGreaterThan(0);
    expect(await ourTotal()).toBe(before - XMR - review.fee);
  });

  it('hot: we sign its set, and it sends what we signed', async () => {
    await cliHot.run(['refresh']);
    await cliHot.run(['transfer', devnet.minerWallet.address, '0.5'], 'Y\nY\n');
    const unsigned = cliHot.read('unsigned_monero_tx');
    const { recipients } = await ourCold.offline.reviewUnsigned(unsigned);
    expect(recipients).toEqual([{ address: devnet.minerWallet.address, amount: XMR / 2n }]);
    const { file, txHashes } = await ourCold.offline.signUnsigned(unsigned);
    cliHot.write('signed_monero_tx', file);
    expect(await cliHot.run(['submit_transfer'], 'Y\nY\n')).toContain(
      `Transaction successfully submitted, transaction <${txHashes[0]}>`,
    );
    await mine();
    expect(mined(txHashes[0]!)).toBeGreaterThan(0);
  });
});

describe('programs before 0.18.1.1, by hex', () => {
  const compat = '0.18.0' as const;
  const taken = async (outputs: Uint8Array) => {
    const { num_imported } = await oldCold.rpc('import_outputs', { outputs_data_hex: bytesToHex(outputs) });
    return num_imported;
  };

  it('cold: take our outputs in their form and not in today’s, and we their key images', async () => {
    const known = inside(ourHot).state.outputs.size;
    expect(await taken(await ourHot.offline.exportOutputs({ compat }))).toBe(known);
    expect(await taken(await ourHot.offline.exportOutputs())).toBe(0);
    expect(await taken(await ourHot.offline.exportOutputs({ compat }))).toBe(known);
    const { signed_key_images } = await oldCold.rpc<{ signed_key_images: { key_image: string; signature: string }[] }>(
      'export_key_images',
      { all: true },
    );
    const keyImages = signed_key_images.map(({ key_image, signature }) => ({
      keyImage: hexToBytes(key_image),
      signature: hexToBytes(signature),
    }));
    await ourHot.offline.importKeyImages({ offset: 0, keyImages });
    expect([...inside(ourHot).state.outputs.values()].map(({ output }) => output.keyImage)).toEqual(
      signed_key_images.map(({ key_image }) => key_image),
    );
  });

  it('hot: we take their outputs, and they our key images', async () => {
    const { outputs_data_hex } = await oldHot.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
    expect(await ourCold.offline.importOutputs(hexToBytes(outputs_data_hex))).toBe(inside(ourHot).state.outputs.size);
    const { offset, keyImages } = await ourCold.offline.keyImages(true);
    const signed_key_images = keyImages.map(({ keyImage, signature }) => ({
      key_image: bytesToHex(keyImage),
      signature: bytesToHex(signature),
    }));
    await oldHot.rpc('import_key_images', { offset, signed_key_images });
    expect((await oldHot.balance()).total).toBe(await ourTotal());
  });

  it('cold: sign our set in their form, and cannot load today’s', async () => {
    const sign = (file: Uint8Array) =>
      oldCold.rpc<{ signed_txset: string }>('sign_transfer', { unsigned_txset: bytesToHex(file) });
    const today = await ourHot.offline.prepareUnsigned(pay(XMR));
    await expect(sign(today.file)).rejects.toThrow();
    const { file, review } = await ourHot.offline.prepareUnsigned({ ...pay(XMR), compat });
    const before = await ourTotal();
    const [hash] = await ourHot.offline.submitSigned(hexToBytes((await sign(file)).signed_txset));
    await mine();
    expect(mined(hash!)).toBeGreaterThan(0);
    expect(await ourTotal()).toBe(before - XMR - review.fee);
  });

  it('hot: we sign their set, and they send what we signed', async () => {
    const asked = await oldHot.rpc<{ unsigned_txset: string }>('transfer', {
      destinations: [{ address: devnet.minerWallet.address, amount: Number(XMR / 4n) }],
      ring_size: 16,
    });
    const { file, txHashes } = await ourCold.offline.signUnsigned(hexToBytes(asked.unsigned_txset));
    const { tx_hash_list } = await oldHot.rpc<{ tx_hash_list: string[] }>('submit_transfer', { tx_data_hex: bytesToHex(file) });
    expect(tx_hash_list).toEqual(txHashes);
    await mine();
    expect(mined(tx_hash_list[0]!)).toBeGreaterThan(0);
    expect((await oldHot.balance()).total).toBe(await ourTotal());
  });
});

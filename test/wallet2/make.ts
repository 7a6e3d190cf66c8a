/**
 * Makes reference.json (today's release) or reference-0.18.0.json: files of monero-wallet-rpc, with the keys to open them, so that the
 * decoders are held against them where the programs are missing. Run with `npx tsx test/wallet2/make.ts [0.18.0.0]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, stringifyJson } from '../../src/base/index.ts';
import { RULING_RELEASE } from '../support/child.ts';
import { type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';

const XMR = 1_000_000_000_000;
const DEPTH = 12;

async function main(older: boolean): Promise<void> {
  const release = older ? '0.18.0.0' : RULING_RELEASE;
  const daemon = await startMonerod({ release });
  const [payer, cold, hot, full] = await Promise.all([
    startWalletRpc({ release, daemon: daemon.url }),
    startWalletRpc({ release }),
    startWalletRpc({ release, daemon: daemon.url }),
    startWalletRpc({ release, daemon: daemon.url }),
  ]);
  try {
    const payerAddress = await payer.createWallet('payer');
    await cold.createWallet('cold');
    const secret = async (kind: string) => (await cold.rpc<{ key: string }>('query_key', { key_type: kind })).key;
    const keys = { address: await cold.address(), spendKey: await secret('spend_key'), viewKey: await secret('view_key') };
    await hot.restoreFromKeys('hot', { address: keys.address, viewKey: keys.viewKey });
    await full.restoreFromKeys('full', keys);
    const { address: subaddress } = await hot.rpc<{ address: string }>('create_address', { account_index: 0 });
    const mine = async () => {
      await daemon.generateBlocks(DEPTH, payerAddress);
      await Promise.all([payer, hot, full].map((wallet) => wallet.refreshToHeight(daemon)));
    };
    for (let mined = 0; mined < 420; mined += 60) await daemon.generateBlocks(60, payerAddress);
    await payer.refreshToHeight(daemon);
    await payer.transfer([
      { address: keys.address, amount: BigInt(2 * XMR) },
      { address: subaddress, amount: BigInt(3 * XMR) },
    ]);
    await mine();
    const answers = await exchange({ payerAddress, cold, hot, full });
    const fixture = { ...keys, subaddress, ...answers, keysFiles: await keysFiles(cold) };
    const path = new URL(older ? './reference-0.18.0.json' : './reference.json', import.meta.url);
    writeFileSync(path, `${stringifyJson(fixture, 1)}\n`);
  } finally {
    await Promise.all([payer, cold, hot, full].map((wallet) => wallet.stop()));
    await daemon.stop();
  }
}

interface Wallets {
  readonly payerAddress: string;
  readonly cold: MoneroWalletRpc;
  readonly hot: MoneroWalletRpc;
  readonly full: MoneroWalletRpc;
}

async function exchange({ payerAddress, cold, hot, full }: Wallets) {
  const { outputs_data_hex: outputs } = await hot.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
  await cold.rpc('import_outputs', { outputs_data_hex: outputs });
  const { signed_key_images: keyImages } = await cold.rpc<{ signed_key_images: never[] }>('export_key_images', { all: true });
  const { integrated_address } = await cold.rpc<{ integrated_address: string }>('make_integrated_address', {
    standard_address: payerAddress,
    payment_id: '0123456789abcdef',
  });
  const { unsigned_txset: unsigned } = await hot.rpc<{ unsigned_txset: string }>('transfer', {
    destinations: [{ address: integrated_address, amount: 4 * XMR }],
    ring_size: 16,
  });
  const described = await cold.rpc<Record<string, never>>('describe_transfer', { unsigned_txset: unsigned });
  const { signed_txset: signed, tx_hash_list: signedHashes } = await cold.rpc<{ signed_txset: string; tx_hash_list: string[] }>(
    'sign_transfer',
    { unsigned_txset: unsigned },
  );
  const made = await full.rpc<{ tx_metadata: string; tx_hash: string; tx_key: string }>('transfer', {
    destinations: [{ address: payerAddress, amount: XMR }],
    do_not_relay: true,
    get_tx_metadata: true,
    get_tx_key: true,
    ring_size: 16,
  });
  const { tx_metadata: metadata, tx_hash: metadataHash, tx_key: metadataKey } = made;
  return { outputs, keyImages, unsigned, described, signed, signedHashes, metadata, metadataHash, metadataKey };
}

async function keysFiles(rpc: MoneroWalletRpc) {
  await rpc.rpc('create_wallet', { filename: 'secret', password: 'pässword', language: 'Deutsch' });
  const query = async (kind: string) => (await rpc.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  const keys = { address: await rpc.address(), spendKey: await query('spend_key'), viewKey: await query('view_key') };
  const { address, viewKey: viewkey } = keys;
  await rpc.rpc('generate_from_keys', { filename: 'watching', password: '', address, viewkey, restore_height: 123 });
  const file = (name: string) => bytesToHex(new Uint8Array(readFileSync(join(rpc.walletDir, `${name}.keys`))));
  return { ...keys, password: 'pässword', full: file('secret'), watching: file('watching') };
}

await main(process.argv[2] === '0.18.0.0');

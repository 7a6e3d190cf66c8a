import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { toAtomicAmount, transactionHash } from '../../src/protocol/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { type NewWallet, walletFromKeys, walletFromViewKey } from '../../src/wallet/create-wallet.ts';
import type { ExportedKeyImages } from '../../src/wallet/offline-signing/key-images.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { decodeTxMetadata } from '../../src/wallet2/index.ts';
import { inside } from '../support/inside.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc, toBigint } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { expectSame, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// One wallet in four halves: view-only and cold, ours and the reference's. A fifth pays it. In turn: each step stands on those before.
let daemon: Monerod;
let payer: MoneroWalletRpc;
let theirCold: MoneroWalletRpc;
let theirHot: MoneroWalletRpc;
let ourCold: Wallet;
let ourHot: Wallet;
let payerAddress: string;
let keys: { address: string; spendKey: string; viewKey: string };

const XMR = 1_000_000_000_000n;
const env = quickEnvironment();
const create = (name: string, made: NewWallet) => Wallet.create(env, name, 'pw', made);

async function secretsOf(rpc: MoneroWalletRpc): Promise<typeof keys> {
  const secret = async (kind: string) => (await rpc.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  return { address: await rpc.address(), spendKey: await secret('spend_key'), viewKey: await secret('view_key') };
}

beforeAll(async () => {
  daemon = await startMonerod({ premined: true });
  [payer, theirCold, theirHot] = await Promise.all([
    startWalletRpc({ daemon: daemon.url }),
    startWalletRpc(),
    startWalletRpc({ daemon: daemon.url }),
  ]);
  payerAddress = await payer.restoreWallet('payer', MINER_SEED);
  await theirCold.createWallet('cold');
  keys = await secretsOf(theirCold);
  await theirHot.restoreFromKeys('hot', { address: keys.address, viewKey: keys.viewKey });
  const from = { height: 0 };
  ourHot = await create('hot', await walletFromViewKey(keys.address, keys.viewKey, { network: 'regtest', from, now: 0 }));
  ourCold = await create('cold', await walletFromKeys(keys.spendKey, keys.viewKey, { network: 'regtest', from, now: 0 }));
  await ourHot.setDaemon({ url: daemon.url, trusted: true });
});

afterAll(async () => {
  await Promise.all([ourHot?.close(), ourCold?.close()]);
  await Promise.all([payer?.stop(), theirCold?.stop(), theirHot?.stop()]);
  await daemon?.stop();
});

/** Mines what waits, and at least so many blocks, and brings both view-only halves to the tip. */
async function mine(blocks: number): Promise<void> {
  const mined = await daemon.minePool(payerAddress);
  if (mined < blocks) await daemon.generateBlocks(blocks - mined, payerAddress);
  await Promise.all([theirHot.refreshToHeight(daemon), payer.refreshToHeight(daemon)]);
  await refreshToTip(ourHot, await daemon.height());
}

async function fund(addresses: readonly string[]): Promise<void> {
  await payer.refreshToHeight(daemon);
  await payer.transfer(addresses.map((address, i) => ({ address, amount: XMR * BigInt(2 + i) })));
  await mine(12);
}

const ourAddress = async (account: number, minor: number) => (await ourHot.subaddresses(account))[minor]!.address;
const hex = async (bytes: Promise<Uint8Array>) => bytesToHex(await bytes);
const ourTotal = async () => (await ourHot.view()).balance.total;

async function theirTotal(): Promise<bigint> {
  const answer = await theirHot.rpc('get_balance', { all_accounts: true, account_index: 0, strict: false });
  return toBigint(answer.balance);
}

async function theirKeyImages(all = true): Promise<ExportedKeyImages & { json: { key_image: string; signature: string }[] }> {
  const answer = await theirCold.rpc<{ offset?: number; signed_key_images?: { key_image: string; signature: string }[] }>(
    'export_key_images',
    { all },
  );
  const json = answer.signed_key_images ?? [];
  const keyImages = json.map(({ key_image, signature }) => ({
    keyImage: hexToBytes(key_image),
    signature: hexToBytes(signature),
  }));
  return { offset: Number(answer.offset ?? 0), keyImages, json };
}

const pairOf = (ours: Wallet, theirs: MoneroWalletRpc) =>
  rpcPair(new RpcService(oneWalletHost(ours), { checkResults: true }), theirs.url);

/** Recipients in one order: the reference tells them by a hash of their keys. */
function inOrder(described: Record<string, unknown>): unknown {
  type Told = { recipients: { address: string }[] };
  const sorted = (told: Told) => ({ ...told, recipients: told.recipients.toSorted((a, b) => (a.address < b.address ? -1 : 1)) });
  const { desc, summary } = described as unknown as { desc: Told[]; summary: Told };
  return { ...described, desc: desc.map(sorted), summary: sorted(summary) };
}

async function receivedByPayer(txHash: string): Promise<bigint> {
  const { transfer } = await payer.rpc<{ transfer: { amount: bigint | number } }>('get_transfer_by_txid', { txid: txHash });
  return toBigint(transfer.amount);
}

describe('outputs and key images between the halves', () => {
  it('our view-only half exports outputs that the reference imports, and takes its key images', async () => {
    await ourHot.addAccount('second');
    await ourHot.addresses.make(0, 'sub');
    await fund([keys.address, await ourAddress(0, 1), keys.address, await ourAddress(1, 0)]);
    expect(await ourTotal()).toBe(14n * XMR);
    const outputs = await hex(ourHot.offline.exportOutputs());
    const { num_imported } = await theirCold.rpc('import_outputs', { outputs_data_hex: outputs });
    expect(num_imported).toBe(4);
    const run = await theirKeyImages(false);
    expect(run.keyImages.length).toBe(4);
    const imported = await ourHot.offline.importKeyImages(run);
    expect(imported).toMatchObject({ spent: 0n, unspent: 14n * XMR, scanFrom: undefined });
    expect([...inside(ourHot).state.outputs.values()].map(({ output }) => output.keyImage)).toEqual(
      run.json.map((one) => one.key_image),
    );
    expect(inside(ourHot).state.predicted.size).toBe(0);
  });

  it('the reference exports outputs that our cold half imports, and takes our key images', async () => {
    const { outputs_data_hex } = await theirHot.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
    expect(await ourCold.offline.importOutputs(hexToBytes(outputs_data_hex))).toBe(4);
    const run = await ourCold.offline.keyImages();
    const theirs = await theirKeyImages();
    expect(run.keyImages.map(({ keyImage }) => bytesToHex(keyImage))).toEqual(theirs.json.map((one) => one.key_image));
    const signed = run.keyImages.map(({ keyImage, signature }) => ({
      key_image: bytesToHex(keyImage),
      signature: bytesToHex(signature),
    }));
    const answer = await theirHot.rpc('import_key_images', { offset: run.offset, signed_key_images: signed });
    expect(toBigint(answer.unspent)).toBe(14n * XMR);
    expect(answer.height).toBe([...inside(ourHot).state.outputs.values()].at(-1)!.output.height);
  });

  it('nothing is new: a second export is empty on both sides, and changes nothing in either cold half', async () => {
    const { outputs_data_hex } = await theirHot.rpc<{ outputs_data_hex: string }>('export_outputs', {});
    expect(await ourCold.offline.importOutputs(hexToBytes(outputs_data_hex))).toBe(0);
    const outputs = await hex(ourHot.offline.exportOutputs({ all: false }));
    expect((await theirCold.rpc('import_outputs', { outputs_data_hex: outputs })).num_imported).toBe(0);
    const [ours, theirs] = [await ourCold.offline.keyImages(), await theirKeyImages(false)];
    expect(ours.offset).toBe(theirs.offset);
    expect(ours.keyImages.map(({ keyImage }) => keyImage)).toEqual(theirs.keyImages.map(({ keyImage }) => keyImage));
  });

  it('outputs travel in parts, both ways; a part behind a gap is refused on both sides', async () => {
    const half = await create(
      'parts',
      await walletFromKeys(keys.spendKey, keys.viewKey, { network: 'regtest', from: { height: 0 }, now: 0 }),
    );
    const [cold, hot] = [pairOf(half, theirCold), pairOf(ourHot, theirHot)];
    const images = (await theirKeyImages()).json.map((one) => one.key_image);
    for (const side of [hot.theirs, hot.ours]) {
      for (const start of [0, 2]) {
        const part = resultOf(await side('export_outputs', { all: true, start, count: 2 }));
        for (const taken of [await cold.ours('import_outputs', part), await cold.theirs('import_outputs', part)]) {
          expect([2n, 4n]).toContain(resultOf(taken).num_imported);
        }
      }
      expect(inside(half).state.imported.map((output) => output?.keyImage)).toEqual(images);
    }
    const fresh = await create(
      'gap',
      await walletFromKeys(keys.spendKey, keys.viewKey, { network: 'regtest', from: { height: 0 }, now: 0 }),
    );
    const behind = await ourHot.offline.exportOutputs({ all: true, start: 1 });
    await expect(fresh.offline.importOutputs(behind)).rejects.toMatchObject({ code: 'missing-outputs' });
    await Promise.all([half.close(), fresh.close()]);
  });

  it('key images are taken only with the owner’s signature', async () => {
    const run = await theirKeyImages();
    const [first, second] = run.keyImages;
    const swapped = { offset: 0, keyImages: [{ ...first!, keyImage: second!.keyImage }] };
    await expect(ourHot.offline.importKeyImages(swapped)).rejects.toMatchObject({ code: 'bad-signature' });
    const torsion = { offset: 0, keyImages: [{ ...first!, keyImage: new Uint8Array(32) }] };
    await expect(ourHot.offline.importKeyImages(torsion)).rejects.toMatchObject({ code: 'bad-key-image' });
    const many = { offset: 1, keyImages: run.keyImages };
    await expect(ourHot.offline.importKeyImages(many)).rejects.toMatchObject({ code: 'too-many-key-images' });
    const far = { offset: 5, keyImages: [] };
    await expect(ourHot.offline.importKeyImages(far)).rejects.toMatchObject({ code: 'missing-outputs' });
  });

  it('files of another wallet are refused', async () => {
    const { outputs_data_hex } = await payer.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
    await expect(ourCold.offline.importOutputs(hexToBytes(outputs_data_hex))).rejects.toMatchObject({ code: 'not-authentic' });
  });
});

describe('our view-only half, the reference cold', () => {
  it('pays with a set that the reference describes and signs', async () => {
    const amount = toAtomicAmount(3n * XMR);
    const request = { destinations: [{ address: payerAddress, amount }], account: 0, priority: 1 } as const;
    const { file, review, coins } = await ourHot.offline.prepareUnsigned(request);
    const unsigned_txset = bytesToHex(file);
    const { fee } = review;
    const described = await theirCold.rpc<{ desc: Record<string, unknown>[]; summary: Record<string, unknown> }>(
      'describe_transfer',
      { unsigned_txset },
    );
    const ours = await ourCold.offline.describeUnsigned(file);
    expect(described.desc[0]).toMatchObject({ ring_size: 16, dummy_outputs: 0, change_address: keys.address, unlock_time: 0 });
    expect(described.desc[0]!.recipients).toEqual([{ address: payerAddress, amount: Number(amount) }]);
    expect(toBigint(described.summary.fee as number)).toBe(fee);
    expect(ours.summary).toMatchObject({ fee, changeAddress: keys.address, recipients: [{ address: payerAddress, amount }] });
    expect(ours.transactions[0]!.extra).toBe(described.desc[0]!.extra);
    const signed = await theirCold.rpc<{ signed_txset: string; tx_hash_list: string[] }>('sign_transfer', { unsigned_txset });
    const before = await ourTotal();
    expect(await ourHot.offline.submitSigned(hexToBytes(signed.signed_txset))).toEqual(signed.tx_hash_list);
    expect(await ourTotal()).toBe(before - amount - fee);
    await mine(10);
    expect(await receivedByPayer(signed.tx_hash_list[0]!)).toBe(amount);
    expect(await ourTotal()).toBe(before - amount - fee);
    for (const key of coins) expect(inside(ourHot).state.outputs.get(key as never)?.spend?.txHash).toBe(signed.tx_hash_list[0]);
    const change = [...inside(ourHot).state.outputs.values()].find(({ output }) => output.txHash === signed.tx_hash_list[0]);
    expect(change?.output.keyImage).toBeDefined();
    expect((await ourHot.history()).find(({ direction }) => direction === 'out')).toMatchObject({ fee, amount: amount });
  });

  it('sweeps another account to an integrated address, one of its outputs without a known key image', async () => {
    const { integrated_address: address, payment_id } = await payer.rpc<{ integrated_address: string; payment_id: string }>(
      'make_integrated_address',
      {},
    );
    await fund([await ourAddress(1, 0)]);
    const { file, coins } = await ourHot.offline.prepareUnsignedSweep({ address, account: 1, priority: 1 });
    expect(coins.some((key) => inside(ourHot).state.outputs.get(key as never)!.output.keyImage)).toBe(true);
    const unsigned_txset = bytesToHex(file);
    const { desc } = await theirCold.rpc<{ desc: Record<string, unknown>[] }>('describe_transfer', { unsigned_txset });
    const ours = await ourCold.offline.describeUnsigned(file);
    expect(desc[0]).toMatchObject({ payment_id, dummy_outputs: 1, change_amount: 0 });
    expect(desc[0]!.recipients).toEqual(
      ours.transactions[0]!.recipients.map((one) => ({ address: one.address, amount: Number(one.amount) })),
    );
    expect(ours.transactions[0]).toMatchObject({ paymentId: payment_id, dummyOutputs: 1 });
    const signed = await theirCold.rpc<{ signed_txset: string }>('sign_transfer', { unsigned_txset });
    const [hash] = await ourHot.offline.submitSigned(hexToBytes(signed.signed_txset));
    await mine(10);
    const { payments } = await payer.rpc<{ payments: { tx_hash: string }[] }>('get_payments', { payment_id });
    expect(payments.map(({ tx_hash }) => tx_hash)).toEqual([hash]);
    expect(inside(ourHot).state.sent.get(hash as never)?.tx.paymentId).toBe(payment_id);
  });
});

describe('the reference view-only, our cold half', () => {
  it('signs a set of the reference, which submits it; change is known at once', async () => {
    expect(await theirTotal()).toBeGreaterThan(0n);
    const asked = await theirHot.rpc<{ unsigned_txset: string }>('transfer', {
      destinations: [{ address: payerAddress, amount: Number(XMR) }],
      ring_size: 16,
    });
    const file = hexToBytes(asked.unsigned_txset);
    const described = await ourCold.offline.describeUnsigned(file);
    const theirs = await theirCold.rpc<{ desc: Record<string, unknown>[] }>('describe_transfer', {
      unsigned_txset: asked.unsigned_txset,
    });
    expect(described.transactions.map(({ extra, fee }) => [extra, Number(fee)])).toEqual(
      theirs.desc.map(({ extra, fee }) => [extra, fee]),
    );
    expect(described.summary.recipients).toEqual([{ address: payerAddress, amount: XMR }]);
    const signed = await ourCold.offline.signUnsigned(file);
    expect(await ourCold.proofs.txKey(signed.txHashes[0]!)).toMatch(/^[0-9a-f]{64}$/);
    const { tx_hash_list } = await theirHot.rpc<{ tx_hash_list: string[] }>('submit_transfer', {
      tx_data_hex: bytesToHex(signed.file),
    });
    expect(tx_hash_list).toEqual(signed.txHashes);
    await mine(10);
    expect(await receivedByPayer(tx_hash_list[0]!)).toBe(XMR);
    const proof = await payer.rpc('check_tx_key', {
      txid: tx_hash_list[0],
      tx_key: await ourCold.proofs.txKey(signed.txHashes[0]!),
      address: payerAddress,
    });
    expect(toBigint(proof.received as number)).toBe(XMR);
  });

  it('a transfer of a view-only wallet: the reference answers with a stand-in, ours with what is true of it', async () => {
    const pair = pairOf(ourHot, theirHot);
    const wanted = { get_tx_key: true, get_tx_hex: true, get_tx_metadata: true };
    const request = { destinations: [{ address: payerAddress, amount: 1_000_000_000 }], ...wanted };
    const [ours, theirs] = [resultOf(await pair.ours('transfer', request)), resultOf(await pair.theirs('transfer', request))];
    const images = ({ spent_key_images }: Record<string, unknown>) => (spent_key_images as { key_images: string[] }).key_images;
    const hash = /^[0-9a-f]{64}$/;
    for (const answer of [ours, theirs]) {
      expect(answer).toMatchObject({ amount: 1_000_000_000n, multisig_txset: '', tx_hash: expect.stringMatching(hash) });
      expect(answer.unsigned_txset).toMatch(/^4d6f6e65726f20756e7369676e65642074782073657405/);
      expect(Number(answer.weight)).toBeGreaterThan(1_000);
      expect(toBigint(answer.fee)).toBeGreaterThan(0n);
    }
    // Its transaction has no signatures that hold, another key than the one to come, and the neutral element for key images.
    expect(theirs).toMatchObject({
      tx_key: expect.stringMatching(hash),
      tx_blob: expect.stringMatching(/^02/),
      tx_metadata: expect.stringMatching(/^01/),
    });
    expect(new Set(images(theirs))).toEqual(new Set([`01${'0'.repeat(62)}`]));
    expect(ours).toMatchObject({ tx_key: '', tx_blob: '', tx_metadata: '' });
    const known = [...inside(ourHot).state.outputs.values()].map(({ output }) => String(output.keyImage));
    expect(images(ours).length).toBeGreaterThan(0);
    for (const image of images(ours)) expect(known).toContain(image);
    const fields = (answer: Record<string, unknown>) => Object.keys(answer).sort();
    expect(fields(ours)).toEqual(fields(theirs));
  });

  it('signs a sweep of the reference over several subaddresses', async () => {
    await fund([await ourAddress(0, 1), keys.address, await ourAddress(0, 1)]);
    const asked = await theirHot.rpc<{ unsigned_txset: string }>('sweep_all', {
      address: payerAddress,
      account_index: 0,
      subaddr_indices_all: true,
    });
    const signed = await ourCold.offline.signUnsigned(hexToBytes(asked.unsigned_txset));
    const { tx_hash_list } = await theirHot.rpc<{ tx_hash_list: string[] }>('submit_transfer', {
      tx_data_hex: bytesToHex(signed.file),
    });
    await mine(10);
    expect(tx_hash_list.length).toBeGreaterThan(0);
    for (const hash of tx_hash_list) expect(await receivedByPayer(hash)).toBeGreaterThan(0n);
    expect((await theirHot.balance(0)).total).toBe(0n);
  });

  it('describes sets of several transactions as the reference does, field for field, and signs them', async () => {
    await fund([keys.address, keys.address, keys.address]);
    const both = pairOf(ourCold, theirCold);
    const { integrated_address } = await payer.rpc<{ integrated_address: string }>('make_integrated_address', {});
    const many = Array.from({ length: 20 }, (_, i) => ({ address: payerAddress, amount: 1_000_000 + i }));
    const { address } = await payer.rpc<{ address: string }>('create_address', { account_index: 0 });
    const split = [...many, { address, amount: 7 }, { address: keys.address, amount: 9 }];
    const sets: string[] = [];
    for (const destinations of [split, [{ address: integrated_address, amount: 5 }], [{ address: keys.address, amount: 1 }]]) {
      const { unsigned_txset } = await theirHot.rpc<{ unsigned_txset: string }>('transfer_split', { destinations });
      sets.push(unsigned_txset);
    }
    for (const unsigned_txset of sets) {
      const ours = resultOf(await both.ours('describe_transfer', { unsigned_txset }));
      expect(inOrder(ours)).toEqual(inOrder(resultOf(await both.theirs('describe_transfer', { unsigned_txset }))));
    }
    const signed = await ourCold.offline.signUnsigned(hexToBytes(sets[0]!));
    expect(signed.txHashes.length).toBeGreaterThan(1);
    const { tx_hash_list } = await theirHot.rpc<{ tx_hash_list: string[] }>('submit_transfer', {
      tx_data_hex: bytesToHex(signed.file),
    });
    expect(tx_hash_list).toEqual(signed.txHashes);
    await mine(10);
  });

  it('a payment to the wallet’s own primary address, where change goes too: signed by either cold half for either hot one', async () => {
    const total = await theirTotal();
    const asked = await theirHot.rpc<{ unsigned_txset: string; fee: number }>('transfer', {
      destinations: [{ address: keys.address, amount: 1_000_000 }],
    });
    const signed = await ourCold.offline.signUnsigned(hexToBytes(asked.unsigned_txset));
    await theirHot.rpc('submit_transfer', { tx_data_hex: bytesToHex(signed.file) });
    await mine(10);
    expect(await theirTotal()).toBe(total - BigInt(asked.fee));
    // Our view-only half learns what the other one spent, and both cold halves all there is.
    const outputs = await ourHot.offline.exportOutputs();
    await ourCold.offline.importOutputs(outputs);
    await theirCold.rpc('import_outputs', { outputs_data_hex: bytesToHex(outputs) });
    await ourHot.offline.importKeyImages(await ourCold.offline.keyImages(true));
    const destinations = [{ address: keys.address, amount: toAtomicAmount(1_000_000n) }];
    for (const sign of [
      (file: Uint8Array) => ourCold.offline.signUnsigned(file).then((made) => made.file),
      async (file: Uint8Array) => {
        const made = await theirCold.rpc<{ signed_txset: string }>('sign_transfer', { unsigned_txset: bytesToHex(file) });
        return hexToBytes(made.signed_txset);
      },
    ]) {
      const before = await ourTotal();
      const { file, review } = await ourHot.offline.prepareUnsigned({ destinations, account: 0, priority: 1 });
      const [hash] = await ourHot.offline.submitSigned(await sign(file));
      await mine(10);
      expect([...inside(ourHot).state.outputs.values()].filter(({ output }) => output.txHash === hash).length).toBe(2);
      expect(await ourTotal()).toBe(before - review.fee);
    }
  });

  it('refuses a set whose words are not true, before it signs anything', async () => {
    await expect(ourCold.offline.signUnsigned(new Uint8Array(200))).rejects.toMatchObject({ code: 'bad-magic' });
    await expect(ourHot.offline.signUnsigned(new Uint8Array(200))).rejects.toMatchObject({ code: 'view-only' });
  });
});

describe('both halves ours', () => {
  it('outputs, set, signature, submission; a rescan keeps the key images and finds every spend', async () => {
    await fund([keys.address, keys.address]);
    expect(await ourCold.offline.importOutputs(await ourHot.offline.exportOutputs())).toBe(inside(ourHot).state.outputs.size);
    const imported = await ourHot.offline.importKeyImages(await ourCold.offline.keyImages());
    expect(imported.spent).toBeGreaterThan(0n);
    const request = {
      kind: 'transfer',
      destinations: [{ address: payerAddress, amount: toAtomicAmount(XMR / 2n) }],
      account: 0,
      priority: 2,
    } as const;
    const { file } = await ourHot.offline.prepareUnsigned(request);
    const signed = await ourCold.offline.signUnsigned(file);
    const hashes = await ourHot.offline.submitSigned(signed.file);
    await mine(10);
    expect(await receivedByPayer(hashes[0]!)).toBe(XMR / 2n);
    await ourHot.offline.importKeyImages(await ourCold.offline.keyImages(true));
    const total = await ourTotal();
    const images = () => [...inside(ourHot).state.outputs.values()].map(({ output }) => output.keyImage);
    const spent = () => [...inside(ourHot).state.outputs.values()].map(({ spend }) => spend?.txHash);
    const [before, imagesBefore, unplaced] = [spent(), images(), inside(ourHot).state.unplacedSpends.size];
    await ourHot.rescan(0);
    await refreshToTip(ourHot, await daemon.height());
    expect(images()).toEqual(imagesBefore);
    expect(inside(ourHot).state.unplacedSpends.size).toBe(0);
    expect(spent().filter((hash, i) => hash !== before[i]).length).toBe(unplaced);
    expect(await ourTotal()).toBe(total);
  });

  it('a view-only wallet made later learns spends from key images: at once of a trusted daemon, by a scan without one', async () => {
    const outputs = await ourHot.offline.keyImages(true).catch((error) => error);
    expect(outputs).toMatchObject({ code: 'view-only' });
    const run = await ourCold.offline.keyImages(true);
    for (const trusted of [true, false]) {
      const made = await walletFromViewKey(keys.address, keys.viewKey, { network: 'regtest', from: { height: 0 }, now: 0 });
      const late = await create(`late ${trusted}`, made);
      await late.setDaemon({ url: daemon.url, trusted });
      await refreshToTip(late, await daemon.height());
      expect((await late.view()).balance.total).toBeGreaterThan(await ourTotal());
      const imported = await late.offline.importKeyImages(run);
      expect(imported.scanFrom).toBeGreaterThan(0);
      if (trusted) expect((await late.view()).balance.total).toBe(await ourTotal());
      await late.rescan(imported.scanFrom!);
      await refreshToTip(late, await daemon.height());
      expect((await late.view()).balance.total).toBe(await ourTotal());
      expect(inside(late).state.unplacedSpends.size).toBe(0);
      await late.close();
    }
  });
});

describe('metadata of transactions', () => {
  it('of ours relayed by the reference, and of the reference relayed by ours', async () => {
    const full = await create(
      'full',
      await walletFromKeys(keys.spendKey, keys.viewKey, { network: 'regtest', from: { height: 0 }, now: 0 }),
    );
    const theirs = await startWalletRpc({ daemon: daemon.url });
    try {
      await theirs.restoreFromKeys('full', keys);
      await fund([keys.address, keys.address]);
      await full.setDaemon({ url: daemon.url, trusted: true });
      await refreshToTip(full, await daemon.height());
      await theirs.refreshToHeight(daemon);
      const pair = pairOf(full, theirs);
      // All outputs; none, since all key images are known; another wallet's.
      for (const [from, all] of [
        [theirs, true],
        [theirs, false],
        [payer, true],
      ] as const)
        await expectSame(pair, 'import_outputs', await from.rpc('export_outputs', { all }));
      const amount = toAtomicAmount(XMR / 4n);
      const prepared = await full.payments.prepareTransfer({
        destinations: [{ address: payerAddress, amount }],
        account: 0,
        priority: 1,
      });
      const [metadata] = await full.offline.metadata(prepared.id);
      const { tx_hash } = await theirs.rpc<{ tx_hash: string }>('relay_tx', { hex: bytesToHex(metadata!) });
      expect(tx_hash).toBe(bytesToHex(transactionHash(decodeTxMetadata(metadata!).transaction)));
      await expect(full.payments.send(prepared.id), 'what was signed is not signed again').rejects.toMatchObject({
        code: 'not-found',
      });
      await mine(10);
      await theirs.refreshToHeight(daemon);
      await refreshToTip(full, await daemon.height());
      expect(await receivedByPayer(tx_hash)).toBe(amount);
      expect((await theirs.rpc('get_tx_key', { txid: tx_hash })).tx_key).toMatch(/^[0-9a-f]{64}$/);
      const made = await theirs.rpc<{ tx_metadata: string; tx_hash: string; tx_key: string }>('transfer', {
        destinations: [{ address: payerAddress, amount: Number(amount) }],
        do_not_relay: true,
        get_tx_metadata: true,
        get_tx_key: true,
        ring_size: 16,
      });
      expect(await full.offline.relay(hexToBytes(made.tx_metadata))).toBe(made.tx_hash);
      expect(inside(full).state.sent.get(made.tx_hash as never)?.tx.txKeys).toEqual([made.tx_key]);
      await mine(1);
      expect(await receivedByPayer(made.tx_hash)).toBe(amount);
    } finally {
      await full.close();
      await theirs.stop();
    }
  });
});

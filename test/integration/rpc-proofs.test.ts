import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { pointAdd } from '../../src/crypto/index.ts';
import { decodeAddress } from '../../src/protocol/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { walletFromWords } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { decodeReserveProof, encodeReserveProof } from '../../src/wallet/proofs/reserve-text.ts';
import { decodeTxProof } from '../../src/wallet/proofs/tx-proof.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { oldReserveProof, oldSignature, oldTxProof } from '../support/old-proofs.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { type Answer, expectSame, type RpcPair, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// One wallet in both services, and somebody else in the reference's. Every proof is made by one side and checked by both.
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let other: MoneroWalletRpc;
let wallet: Wallet;
let pair: RpcPair;
let otherAddress: string;
let otherSub: string;
let ownSub: string;
let ownAddress: string;

const XMR = 1_000_000_000_000;
type Side = 'ours' | 'theirs';
const SIDES: readonly Side[] = ['ours', 'theirs'];
const otherSide = (side: Side): Side => (side === 'ours' ? 'theirs' : 'ours');

/** Transactions by who sent them: the other side of the same seed does not hold their keys. */
const sent: Record<Side, { plain: string; sub: string; mixed: string }> = {
  ours: { plain: '', sub: '', mixed: '' },
  theirs: { plain: '', sub: '', mixed: '' },
};
let received = '';

async function pay(side: Side, ...addresses: readonly string[]): Promise<string> {
  const destinations = addresses.map((address, i) => ({ address, amount: XMR * (i + 1) }));
  return resultOf<{ tx_hash: string }>(await pair[side]('transfer', { destinations })).tx_hash;
}

/** Mines what waits, and at least so many blocks. */
async function mine(blocks: number): Promise<void> {
  const mined = await daemon.minePool(ownAddress);
  if (mined < blocks) await daemon.generateBlocks(blocks - mined, ownAddress);
  await Promise.all([theirs.refreshToHeight(daemon), other.refreshToHeight(daemon)]);
  await refreshToTip(wallet, await daemon.height());
}

beforeAll(async () => {
  daemon = await startMonerod({ premined: true });
  [theirs, other] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  ownAddress = await theirs.restoreWallet('own', MINER_SEED);
  otherAddress = await other.createWallet('other');
  otherSub = (await other.rpc<{ address: string }>('create_address', { account_index: 0 })).address;
  const env = environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
    sync: { pollEvery: 60_000, retryFirst: 50, retryMost: 200 },
  });
  wallet = await Wallet.create(
    env,
    'own',
    'pw',
    await walletFromWords(await theirs.seed(), { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  await wallet.setDaemon({ url: daemon.url, trusted: true });
  pair = rpcPair(new RpcService(oneWalletHost(wallet), { checkResults: true }), theirs.url);
  ownSub = resultOf<{ address: string }>(await expectSame(pair, 'create_address', { account_index: 0 })).address;
  await mine(1);
  for (const side of SIDES) {
    for (const [kind, to] of [
      ['plain', [otherAddress]],
      ['sub', [otherSub]],
      ['mixed', [otherAddress, otherSub]],
    ] as const) {
      sent[side][kind] = await pay(side, ...to);
      await mine(1);
    }
  }
  await mine(10);
  const back = await other.transfer([
    { address: ownAddress, amount: BigInt(XMR) / 4n },
    { address: ownSub, amount: BigInt(XMR) / 2n },
  ]);
  received = back.tx_hash;
  await mine(10);
});

afterAll(async () => {
  await wallet?.close();
  await Promise.all([theirs?.stop(), other?.stop()]);
  await daemon?.stop();
});

const signatureOf = (answer: Answer) => resultOf<{ signature: string }>(answer).signature;

describe('transaction keys', () => {
  it.each(SIDES)('of %s are checked by both', async (side) => {
    for (const kind of ['plain', 'sub', 'mixed'] as const) {
      const txid = sent[side][kind];
      const { tx_key } = resultOf<{ tx_key: string }>(await pair[side]('get_tx_key', { txid }));
      for (const address of [otherAddress, otherSub, ownAddress, ownSub]) {
        const { received: paid } = resultOf<{ received: bigint }>(
          await expectSame(pair, 'check_tx_key', { txid, tx_key, address }),
        );
        const expected = address === otherAddress ? kind !== 'sub' : address === otherSub && kind !== 'plain';
        // Change is found by the key of a transaction whose own key is made for no subaddress.
        expect(paid > 0n).toBe(expected || (address === ownAddress && kind !== 'sub'));
      }
      expect(await pair[otherSide(side)]('get_tx_key', { txid })).toMatchObject({ error: { code: -24 } });
    }
  });

  it('in bad forms are refused alike', async () => {
    const txid = sent.theirs.plain;
    const tx_key = `01${'0'.repeat(62)}`;
    for (const params of [
      {},
      { txid: 'xy' },
      { txid, tx_key: '', address: otherAddress },
      { txid, tx_key: '12', address: otherAddress },
      { txid, tx_key: 'z'.repeat(64), address: otherAddress },
      { txid, tx_key: `${tx_key}1`, address: otherAddress },
      { txid, tx_key, address: 'nobody' },
      { txid, tx_key: tx_key.repeat(2), address: otherAddress },
      { txid, tx_key: tx_key.repeat(3), address: otherAddress },
      { txid, tx_key: tx_key.repeat(4), address: otherAddress },
      { txid: '0'.repeat(64), tx_key, address: otherAddress },
    ]) {
      await expectSame(pair, 'check_tx_key', params);
    }
    // A number above the group order ends the reference's process.
    const above = await pair.ours('check_tx_key', { txid, tx_key: 'f'.repeat(64), address: otherAddress });
    expect(above).toMatchObject({ error: { code: -1 } });
    for (const id of ['', 'abc', 'g'.repeat(64), '0'.repeat(64)]) await expectSame(pair, 'get_tx_key', { txid: id });
  });
});

describe('proofs of payment', () => {
  it.each(SIDES)('to others by %s are good for both', async (side) => {
    for (const [kind, address] of [
      ['plain', otherAddress],
      ['sub', otherSub],
      ['mixed', otherAddress],
      ['mixed', otherSub],
    ] as const) {
      const txid = sent[side][kind];
      const message = `för ${kind}`;
      const signature = signatureOf(await pair[side]('get_tx_proof', { txid, address, message }));
      expect(signature).toMatch(/^OutProofV2/);
      const good = await expectSame(pair, 'check_tx_proof', { txid, address, message, signature });
      expect(resultOf(good)).toMatchObject({ good: true, in_pool: false });
      expect(resultOf<{ received: bigint }>(good).received).toBeGreaterThanOrEqual(BigInt(XMR));
      const bad = await expectSame(pair, 'check_tx_proof', { txid, address, message: 'another', signature });
      expect(resultOf(bad)).toEqual({ good: false, received: 0n, in_pool: false, confirmations: 0n });
      const elsewhere = { txid: sent[otherSide(side)][kind], address, message, signature };
      expect(resultOf(await expectSame(pair, 'check_tx_proof', elsewhere))).toMatchObject({ good: false });
    }
  });

  it.each(SIDES)('to oneself by %s are good for both', async (side) => {
    for (const address of [ownAddress, ownSub]) {
      const signature = signatureOf(await pair[side]('get_tx_proof', { txid: received, address, message: 'mine' }));
      expect(signature).toMatch(/^InProofV2/);
      const good = await expectSame(pair, 'check_tx_proof', { txid: received, address, message: 'mine', signature });
      const amount = address === ownAddress ? XMR / 4 : XMR / 2;
      expect(resultOf(good)).toMatchObject({ good: true, received: BigInt(amount) });
    }
  });

  it('in bad forms are refused alike', async () => {
    const txid = sent.theirs.plain;
    const proof = signatureOf(await pair.theirs('get_tx_proof', { txid, address: otherAddress }));
    const request = { txid, address: otherAddress };
    for (const signature of [
      proof.slice(0, -1),
      `${proof}1`,
      proof.replace(/.$/, '0'),
      `OutProofV2${'z'.repeat(132)}`,
      proof + proof.slice(10),
      proof.replace('Out', 'In'),
      'OutProofV2',
    ]) {
      await expectSame(pair, 'check_tx_proof', { ...request, signature });
    }
    expect(await pair.ours('check_tx_proof', { ...request, signature: '' })).toMatchObject({ error: { code: -1 } });
    expect(await pair.ours('check_tx_proof', { ...request, signature: proof.replace('V2', 'V3') })).toMatchObject({
      error: { code: -1 },
    });
    for (const params of [
      {},
      { txid: 'x', address: otherAddress },
      { txid, address: 'x' },
      { txid, address: ownSub },
      { txid: '0'.repeat(64), address: otherAddress },
      { txid: received, address: otherAddress },
    ]) {
      await expectSame(pair, 'get_tx_proof', params);
      await expectSame(pair, 'check_tx_proof', { ...params, signature: proof });
    }
  });
});

describe('proofs of spending', () => {
  it.each(SIDES)('by %s are good for both', async (side) => {
    for (const txid of [sent.ours.mixed, sent.theirs.mixed]) {
      const signature = signatureOf(await pair[side]('get_spend_proof', { txid, message: 'spent' }));
      expect(signature).toMatch(/^SpendProofV1/);
      expect(resultOf(await expectSame(pair, 'check_spend_proof', { txid, message: 'spent', signature }))).toEqual({
        good: true,
      });
      expect(resultOf(await expectSame(pair, 'check_spend_proof', { txid, message: '', signature }))).toEqual({ good: false });
      const elsewhere = { txid: sent.ours.plain, message: 'spent', signature };
      expect(resultOf(await expectSame(pair, 'check_spend_proof', elsewhere))).toEqual({ good: false });
    }
  });

  it('in bad forms are refused alike', async () => {
    const txid = sent.theirs.plain;
    const proof = signatureOf(await pair.theirs('get_spend_proof', { txid }));
    for (const signature of [
      '',
      'SpendProofV1',
      'SpendProofV2',
      proof.slice(0, -1),
      proof.replace(/.$/, '0'),
      `${proof.slice(0, -3)}zzz`,
    ]) {
      await expectSame(pair, 'check_spend_proof', { txid, signature });
    }
    for (const id of ['', 'x', '0'.repeat(64), received]) {
      await expectSame(pair, 'get_spend_proof', { txid: id });
      await expectSame(pair, 'check_spend_proof', { txid: id, signature: proof });
    }
  });
});

describe('proofs of reserve', () => {
  it.each(SIDES)('by %s are good for both', async (side) => {
    for (const params of [
      { all: true, message: 'everything' },
      { all: false, account_index: 0, amount: 100 * XMR, message: 'some' },
      { account_index: 0, amount: 1, message: '' },
    ]) {
      const signature = signatureOf(await pair[side]('get_reserve_proof', params));
      expect(signature).toMatch(/^ReserveProofV2/);
      const request = { address: ownAddress, message: params.message, signature };
      const { good, total, spent } = resultOf<{ good: boolean; total: bigint; spent: bigint }>(
        await expectSame(pair, 'check_reserve_proof', request),
      );
      expect({ good, spent }).toEqual({ good: true, spent: 0n });
      expect(total).toBeGreaterThanOrEqual(BigInt(params.amount ?? 400 * XMR));
      // Where it breaks off, nothing is shown: totals of proofs that do not hold are nobody's business.
      const wrong = { ...request, message: 'another' };
      for (const answer of [await pair.ours('check_reserve_proof', wrong), await pair.theirs('check_reserve_proof', wrong)]) {
        expect(resultOf(answer)).toMatchObject({ good: false });
      }
    }
  });

  it('both pick the same outputs for an amount', async () => {
    const lengths = await Promise.all(
      SIDES.map(
        async (side) => signatureOf(await pair[side]('get_reserve_proof', { account_index: 0, amount: 100 * XMR })).length,
      ),
    );
    expect(lengths[0]).toBe(lengths[1]);
  });

  it('show what was spent since, and no output twice', async () => {
    const signature = signatureOf(await pair.ours('get_reserve_proof', { all: true, message: 'before' }));
    await pay('theirs', otherAddress);
    await mine(1);
    const request = { address: ownAddress, message: 'before', signature };
    const { good, spent } = resultOf<{ good: boolean; spent: bigint }>(await expectSame(pair, 'check_reserve_proof', request));
    expect(good).toBe(true);
    expect(spent).toBeGreaterThan(0n);
  });

  it('in bad forms are refused alike', async () => {
    const proof = signatureOf(await pair.theirs('get_reserve_proof', { account_index: 0, amount: 1 }));
    for (const params of [
      {},
      { address: ownSub, signature: proof },
      { address: 'x', signature: proof },
      { address: otherAddress, signature: proof },
      { address: ownAddress, signature: '' },
      { address: ownAddress, signature: proof.slice(0, 14) },
      { address: ownAddress, signature: `${proof.slice(0, -1)}0` },
    ]) {
      await expectSame(pair, 'check_reserve_proof', params);
    }
    const parts = decodeReserveProof(proof);
    const first = parts.entries[0]!;
    const identity = hexToBytes('01'.padEnd(64, '0'));
    const torsioned = pointAdd(first.keyImage, hexToBytes(`ec${'ff'.repeat(30)}7f`));
    const others = [identity, torsioned].map((keyImage) => ({ ...first, keyImage }));
    for (const entries of [[first, first], [first, others[1]!], [others[0]!], [others[1]!]]) {
      const signature = encodeReserveProof({ ...parts, entries });
      for (const address of [ownAddress, otherAddress]) await expectSame(pair, 'check_reserve_proof', { address, signature });
    }
    for (const params of [
      { account_index: 9, amount: 1 },
      { account_index: 0, amount: 0 },
      { account_index: 0, amount: 10 ** 18 },
    ]) {
      await expectSame(pair, 'get_reserve_proof', params);
    }
  });
});

describe('signed messages', () => {
  const indices = [
    { account_index: 0, address_index: 0 },
    { account_index: 0, address_index: 1 },
    { account_index: 3, address_index: 2 },
  ];

  it.each(SIDES)('by %s are good for both, by either key of any address', async (side) => {
    for (const index of indices) {
      const address = inside(wallet).addressOf({ major: index.account_index, minor: index.address_index });
      for (const signature_type of ['spend', 'view', '']) {
        const data = `signed ✓ ${signature_type}`;
        const signature = signatureOf(await pair[side]('sign', { data, ...index, signature_type }));
        const verdict = resultOf(await expectSame(pair, 'verify', { data, address, signature }));
        expect(verdict).toEqual({ good: true, version: 2n, old: false, signature_type: signature_type || 'spend' });
        expect(resultOf(await expectSame(pair, 'verify', { data: 'other', address, signature }))).toMatchObject({ good: false });
        const foreign = resultOf(await expectSame(pair, 'verify', { data, address: otherAddress, signature }));
        expect(foreign).toMatchObject({ good: false });
      }
    }
  });

  it('in bad forms are judged alike', async () => {
    for (const signature of ['', 'Sig', 'SigV2', 'SigV3abc', 'SigV2zzz', `SigV2${'1'.repeat(88)}`, `SigV1${'1'.repeat(88)}`]) {
      await expectSame(pair, 'verify', { data: 'x', address: ownAddress, signature });
    }
    await expectSame(pair, 'sign', { data: 'x', signature_type: 'both' });
    for (const address of ['x', '']) await expectSame(pair, 'verify', { data: 'x', address, signature: 'y' });
  });
});

describe('the first versions', () => {
  const message = 'of old';

  /** Both take it, and neither takes it when anything about it is another. */
  const taken = async (method: string, request: Record<string, unknown>, signature: string, part?: number) => {
    const good = resultOf(await expectSame(pair, method, { ...request, signature }));
    expect(good).toMatchObject({ good: true });
    for (const bad of [
      { ...request, signature: tampered(signature, part) },
      { ...request, signature, message: 'another' },
      { ...request, signature: signature.replace('V1', 'V2') },
    ]) {
      expect(resultOf(await expectSame(pair, method, bad))).toMatchObject({ good: false });
    }
    return good;
  };

  it('of a proof of payment, by who paid', async () => {
    for (const [kind, address] of [
      ['plain', otherAddress],
      ['sub', otherSub],
    ] as const) {
      const txid = sent.theirs[kind];
      const { tx_key } = resultOf<{ tx_key: string }>(await pair.theirs('get_tx_key', { txid }));
      const secrets = (tx_key.match(/.{64}/g) ?? []).map(hexToBytes);
      const now = signatureOf(await pair.theirs('get_tx_proof', { txid, address, message }));
      const old = oldTxProof(now, proofAddress(address), hexToBytes(txid), message, secrets);
      expect(old).toMatch(/^OutProofV1/);
      expect(await taken('check_tx_proof', { txid, address, message }, old, PART)).toMatchObject({ received: BigInt(XMR) });
    }
  });

  it('of a proof of payment, by who was paid', async () => {
    const { viewKey } = inside(wallet).secrets;
    const txid = received;
    for (const [address, paid] of [
      [ownAddress, XMR / 4],
      [ownSub, XMR / 2],
    ] as const) {
      const now = signatureOf(await pair.theirs('get_tx_proof', { txid, address, message }));
      const secrets = decodeTxProof(now).parts.map(() => viewKey);
      const old = oldTxProof(now, proofAddress(address), hexToBytes(txid), message, secrets);
      expect(old).toMatch(/^InProofV1/);
      expect(await taken('check_tx_proof', { txid, address, message }, old, PART)).toMatchObject({ received: BigInt(paid) });
    }
  });

  it('of a proof of reserve', async () => {
    const request = { address: ownAddress, message };
    const now = signatureOf(await pair.theirs('get_reserve_proof', { account_index: 0, amount: XMR, message }));
    const old = oldReserveProof(now, decodeAddress(ownAddress), message, inside(wallet).secrets.viewKey);
    expect(old).toMatch(/^ReserveProofV1/);
    const { total } = (await taken('check_reserve_proof', request, old)) as { total: bigint };
    expect(total >= BigInt(XMR)).toBe(true);
  });

  it('of a signed message', async () => {
    const { spendKey, viewKey } = inside(wallet).secrets;
    const keys = decodeAddress(ownAddress);
    for (const [signature_type, pub, secret] of [
      ['spend', keys.spendKey, spendKey!],
      ['view', keys.viewKey, viewKey],
    ] as const) {
      const signature = oldSignature('data', pub, secret);
      const verdict = resultOf(await expectSame(pair, 'verify', { data: 'data', address: ownAddress, signature }));
      expect(verdict).toEqual({ good: true, version: 1n, old: true, signature_type });
      for (const bad of [
        { data: 'other', address: ownAddress, signature },
        { data: 'data', address: otherAddress, signature },
        { data: 'data', address: ownAddress, signature: tampered(signature) },
        { data: 'data', address: ownAddress, signature: signature.replace('V1', 'V2') },
      ]) {
        expect(resultOf(await expectSame(pair, 'verify', bad))).toMatchObject({ good: false });
      }
    }
  });
});

const proofAddress = (text: string) => {
  const { spendKey, viewKey, kind } = decodeAddress(text);
  return { spendKey, viewKey, isSubaddress: kind === 'subaddress' };
};

/** Digits of a shared point and its signature in a proof of payment: one that holds is enough. */
const PART = 132;

/** The same text with one digit near the end of each part another: length and header stay. */
function tampered(text: string, part = text.length): string {
  const digits = [...text];
  for (let end = digits.length; end - part >= 0; end -= part) digits[end - 5] = digits[end - 5] === '2' ? '3' : '2';
  return digits.join('');
}

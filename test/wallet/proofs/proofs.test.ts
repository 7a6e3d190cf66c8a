import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, equalBytes, hexToBytes } from '../../../src/base/index.ts';
import {
  checkRingSignature,
  generateRingSignature,
  generateSignature,
  generateTxProof,
  keccak256,
  loadCrypto,
  pointAdd,
} from '../../../src/crypto/index.ts';
import { Untrusted } from '../../../src/daemon/index.ts';
import { encodeBase58, type KeyImage, serializeTransaction, toTxHash, transactionHash } from '../../../src/protocol/index.ts';
import { ProofError } from '../../../src/wallet/proofs/errors.ts';
import { signMessage, verifyMessage } from '../../../src/wallet/proofs/message.ts';
import { Proofs } from '../../../src/wallet/proofs/proofs.ts';
import { checkReserve, proveReserve } from '../../../src/wallet/proofs/reserve-proof.ts';
import { decodeReserveProof, encodeReserveProof } from '../../../src/wallet/proofs/reserve-text.ts';
import { checkSpend, decodeSpendProof, proveSpend } from '../../../src/wallet/proofs/spend-proof.ts';
import { checkTxKey } from '../../../src/wallet/proofs/tx-key.ts';
import { checkTx, decodeTxProof, encodeTxProof, proveTx } from '../../../src/wallet/proofs/tx-proof.ts';
import { outputSecretKey } from '../../../src/wallet/spend/construct.ts';
import { seededRandom } from '../../crypto/seeded.ts';
import { addressText } from '../offline-signing/support.ts';
import { keysOf, TIP, type World, world } from './world.ts';

const MAIN = { major: 0, minor: 0 };
const SUB = { major: 1, minor: 1 };
let here: World;

beforeAll(async () => {
  await loadCrypto();
  here = world([
    { index: MAIN, amount: 5n },
    { index: SUB, amount: 7n },
    { index: MAIN, amount: 11n },
    { index: MAIN, amount: 13n },
  ]);
});

const addressOf = (index: typeof MAIN) => ({ ...here.ctx.keys.addressKeys(index), isSubaddress: index !== MAIN });
const main = () => here.ctx.keys.primary;

describe('proofs of payment', () => {
  it('to the main address and to a subaddress hold, and tell how far the payment got', async () => {
    for (const [i, index] of [MAIN, SUB].entries()) {
      const { txHash, amount, height } = here.outputs[i]!;
      const proof = await proveTx(here.ctx, txHash, addressOf(index), 'm');
      const verdict = await checkTx(here.ctx, txHash, addressOf(index), 'm', proof);
      expect(verdict).toEqual({ good: true, received: amount, inPool: false, confirmations: TIP - height });
      expect(await checkTx(here.ctx, txHash, addressOf(index), 'n', proof)).toEqual({ good: false });
      expect(encodeTxProof(decodeTxProof(proof))).toBe(proof);
    }
  });

  it('are about the transaction asked for, and no other that the daemon shows', async () => {
    const { txHash } = here.outputs[0]!;
    const proof = await proveTx(here.ctx, txHash, addressOf(MAIN), '');
    const swapped = { ...here.entries.get(here.outputs[2]!.txHash)!, hash: txHash };
    const lying = world([{ index: MAIN, amount: 5n }]);
    lying.entries.set(txHash, swapped);
    const checked = checkTx(lying.ctx, txHash, addressOf(MAIN), '', proof);
    await expect(checked).rejects.toMatchObject({ code: 'bad-daemon-answer' });
    lying.entries.set(txHash, { ...swapped, pruned: undefined });
    await expect(checkTx(lying.ctx, txHash, addressOf(MAIN), '', proof)).rejects.toMatchObject({ code: 'bad-daemon-answer' });
    const unknown = checkTx(here.ctx, '0'.repeat(64) as never, addressOf(MAIN), '', proof);
    await expect(unknown).rejects.toMatchObject({ code: 'transaction-unavailable' });
  });

  it('are refused where there is nothing to prove, and where the key is not held', async () => {
    const { txHash } = here.outputs[0]!;
    await expect(proveTx(here.ctx, txHash, addressOf(SUB), '')).rejects.toMatchObject({ code: 'nothing-received' });
    const foreign = { ...keysOf(2).primary, isSubaddress: false };
    await expect(proveTx(here.ctx, txHash, foreign, '')).rejects.toMatchObject({ code: 'no-tx-key' });
    const above = checkTxKey(here.ctx, txHash, [new Uint8Array(32).fill(255)], main());
    await expect(above).rejects.toMatchObject({ code: 'bad-key' });
    const keys = [1, 2, 3].map((n) => keccak256(Uint8Array.of(n)).fill(0, 31));
    await expect(checkTxKey(here.ctx, txHash, keys, main())).rejects.toMatchObject({ code: 'wrong-count' });
    expect(await checkTxKey(here.ctx, txHash, keys.slice(1), main())).toMatchObject({ received: 0n });
  });
});

describe('keys of a transaction, as text', () => {
  it.each(['', '1'.repeat(63), '1'.repeat(66), `${'1'.repeat(64)}${'1'.repeat(63)}`, 'g'.repeat(64)])(
    'are none: "%s"',
    async (text) => {
      const proofs = new Proofs({ ...here.ctx, ready: async () => undefined } as never);
      const { txHash } = here.outputs[0]!;
      await expect(proofs.checkTxKey({ txHash, address: addressText(here.ctx.keys.primary) }, text)).rejects.toMatchObject({
        name: 'ProofError',
        code: 'bad-key',
      });
    },
  );
});

describe('proofs of spending', () => {
  it('an empty proof of a coinbase shows nothing', async () => {
    const { txHash } = here.outputs[0]!;
    expect(await checkSpend(here.ctx, txHash, '', await proveSpend(here.ctx, txHash, ''))).toBe(false);
  });
});

describe('a proof of spending is signed over the ring that the daemon shows', () => {
  const OWN = 3;
  /** A transaction that spends an output of ours in a ring of two; the daemon says `keys` when it is asked for the ring. */
  async function proved(keys: (own: Uint8Array) => readonly Uint8Array[], random = here.ctx.random) {
    const { key, keyImage } = here.outputs[OWN]!;
    const input = { type: 'key', amount: 0n, keyOffsets: [1n, 2n], keyImage: hexToBytes(keyImage!) } as const;
    const signatures = [[new Uint8Array(64), new Uint8Array(64)]];
    const rest = { unlockTime: 0n, outputs: [], extra: new Uint8Array() };
    const spending = { version: 1, inputs: [input], signatures, ...rest } as const;
    const txHash = toTxHash(transactionHash(spending));
    const entry = { ...here.entries.get(here.outputs[OWN]!.txHash)!, hash: txHash, whole: serializeTransaction(spending) };
    const shown = keys(hexToBytes(key)).map((member) => ({ key: member }));
    const daemon = {
      ...here.ctx.daemon,
      getTransactions: async () => new Untrusted({ transactions: [entry], missed: [] }),
      getOuts: async () => new Untrusted(shown as never),
    };
    const ctx = { ...here.ctx, daemon, random };
    return checkSpend(ctx, txHash, 'm', await proveSpend(ctx, txHash, 'm'));
  }
  const other = () => keysOf(2).primary.spendKey;

  it('is made and holds', async () => {
    expect(await proved((own) => [other(), own])).toBe(true);
  });

  it('is not made without our output in the ring, or with a member that is not a point', async () => {
    const bad = { name: 'ProofError', code: 'bad-daemon-answer' };
    await expect(proved(() => [other(), other()])).rejects.toMatchObject({ ...bad, message: /our output among the members/ });
    await expect(proved((own) => [new Uint8Array(32).fill(2), own])).rejects.toMatchObject(bad);
  });

  it('reports a failing random source as that, not as a bad answer of the daemon', async () => {
    const constant = { bytes: (length: number) => new Uint8Array(length) };
    await expect(proved((own) => [other(), own], constant)).rejects.toMatchObject({
      name: 'CryptoError',
      code: 'weak-randomness',
    });
  });
});

describe('proofs of reserve', () => {
  const check = (proof: string, message = '') => checkReserve(here.ctx, main(), message, proof);

  it('show all outputs, or the fewest that cover an amount', async () => {
    expect(await check(proveReserve(here.ctx, 'all', ''))).toEqual({ good: true, total: 36n, spent: 0n });
    for (const [atLeast, total] of [
      [1n, 5n],
      [6n, 11n],
      [12n, 13n],
      [14n, 24n],
      [29n, 29n],
    ] as const) {
      const proof = proveReserve(here.ctx, { account: 0, atLeast }, 'm');
      expect(await check(proof, 'm')).toEqual({ good: true, total, spent: 0n });
      expect((await check(proof, 'n')).good).toBe(false);
    }
    expect(() => proveReserve(here.ctx, { account: 0, atLeast: 30n }, '')).toThrow(
      expect.objectContaining({ code: 'not-enough-balance' }),
    );
    expect(() => proveReserve(here.ctx, { account: 0, atLeast: 0n }, '')).toThrow(
      expect.objectContaining({ code: 'zero-amount' }),
    );
  });

  it('report what was spent since', async () => {
    const proof = proveReserve(here.ctx, 'all', '');
    here.spent.add(here.outputs[2]!.keyImage!);
    expect(await check(proof)).toEqual({ good: true, total: 36n, spent: 11n });
    here.spent.clear();
  });

  it('count no output twice', async () => {
    const proof = decodeReserveProof(proveReserve(here.ctx, 'all', ''));
    const doubled = encodeReserveProof({ ...proof, entries: [...proof.entries, proof.entries[0]!] });
    await expect(check(doubled)).rejects.toMatchObject({ code: 'repeated-key-image' });
    const other = { ...proof.entries[0]!, keyImage: proof.entries[1]!.keyImage };
    const twice = encodeReserveProof({ ...proof, entries: [proof.entries[0]!, other] });
    await expect(check(twice)).rejects.toMatchObject({ code: 'repeated-output' });
  });

  it('refuse a key image with torsion, which no daemon has seen spent', async () => {
    const output = here.outputs[3]!;
    const { spendKey, viewKey } = here.ctx.keys as { spendKey: Uint8Array; viewKey: Uint8Array };
    // The point of order two: signatures hold for it at every second try.
    const orderTwo = hexToBytes(`ec${'ff'.repeat(30)}7f`);
    const keyImage = pointAdd(hexToBytes(output.keyImage!), orderTwo);
    const hash = keccak256(main().spendKey, main().viewKey, keyImage);
    const secret = outputSecretKey(output, { spendKey, viewKey });
    const ring = [hexToBytes(output.key)];
    const random = seededRandom(9);
    let signatures = generateRingSignature(hash, keyImage, ring, secret, 0, random);
    while (!checkRingSignature(hash, keyImage, ring, signatures))
      signatures = generateRingSignature(hash, keyImage, ring, secret, 0, random);
    const honest = decodeReserveProof(proveReserve(here.ctx, { account: 0, atLeast: 12n }, '')).entries[0]!;
    const statement = { hash, R: main().viewKey, A: hexToBytes(output.txPublicKey), B: undefined, D: honest.shared };
    const entry = {
      ...honest,
      keyImage,
      keyImageSignature: signatures[0]!,
      sharedSignature: generateTxProof(statement, viewKey, random),
    };
    const owner = generateSignature(hash, main().spendKey, spendKey, random);
    const forged = encodeReserveProof({ version: 2, entries: [entry], owners: [[main().spendKey, owner]] });
    here.spent.add(output.keyImage as KeyImage);
    await expect(check(forged)).rejects.toMatchObject({ code: 'bad-key-image' });
    here.spent.clear();
    const identity = hexToBytes('01'.padEnd(64, '0'));
    const nothing = encodeReserveProof({ version: 2, entries: [{ ...entry, keyImage: identity }], owners: [] });
    await expect(check(nothing)).rejects.toMatchObject({ code: 'bad-key-image' });
  });

  it('claim no output of an address that did not sign', async () => {
    const whole = decodeReserveProof(proveReserve(here.ctx, 'all', ''));
    const owners = whole.owners.filter(([key]) => equalBytes(key, main().spendKey));
    expect(owners.length).toBeLessThan(whole.owners.length);
    await expect(check(encodeReserveProof({ ...whole, owners }))).rejects.toMatchObject({ code: 'foreign-output' });
  });

  it('are about one main address, on the chain', async () => {
    const proof = proveReserve(here.ctx, 'all', '');
    await expect(checkReserve(here.ctx, keysOf(2).primary, '', proof)).rejects.toMatchObject({ code: 'other-address' });
    const { txHash } = here.outputs[0]!;
    const entry = here.entries.get(txHash)!;
    here.entries.set(txHash, { ...entry, inPool: true, height: undefined });
    await expect(check(proof)).rejects.toMatchObject({ code: 'unconfirmed' });
    here.entries.set(txHash, entry);
  });
});

describe('signed messages', () => {
  it('a view-only wallet signs with the one key it has', () => {
    const keys = keysOf(1, true);
    const signature = signMessage(keys, 'x', 'view', MAIN, seededRandom(1));
    expect(verifyMessage('x', keys.primary, signature)).toEqual({ good: true, version: 2, old: false, kind: 'view' });
    for (const [kind, index] of [
      ['spend', MAIN],
      ['view', SUB],
    ] as const) {
      expect(() => signMessage(keys, 'x', kind, index, seededRandom(1))).toThrow(expect.objectContaining({ code: 'view-only' }));
    }
  });

  it('hold for their message, address and kind alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (data, other, view) => {
        const signature = signMessage(keysOf(1), data, view ? 'view' : 'spend', SUB, seededRandom(2));
        const address = keysOf(1).addressKeys(SUB);
        expect(verifyMessage(data, address, signature)).toMatchObject({ good: true, kind: view ? 'view' : 'spend' });
        expect(verifyMessage(other, address, signature).good).toBe(other === data);
        expect(verifyMessage(data, keysOf(1).primary, signature).good).toBe(false);
      }),
      { numRuns: 20 },
    );
  });
});

describe('decoders', () => {
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const base58 = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 600 });
  const heads = ['OutProofV1', 'InProofV2', 'SpendProofV1', 'ReserveProofV1', 'ReserveProofV2', 'SigV1', 'SigV2', ''];
  const texts = fc.oneof(
    fc.string(),
    fc.tuple(fc.constantFrom(...heads), base58).map(([head, digits]) => head + digits),
    fc.tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 400 })).map(([head, bytes]) => head + encodeBase58(bytes)),
  );

  const readers: readonly (readonly [string, (text: string) => unknown])[] = [
    ['payment', decodeTxProof],
    ['spending', (text) => decodeSpendProof(text, 3)],
    ['reserve', decodeReserveProof],
    ['message', (text) => verifyMessage('x', keysOf(1).primary, text)],
  ];

  it.each(readers)('%s: any text is read or refused with a typed error', (_, read) => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ProofError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('a proof of reserve with any byte changed does not hold', async () => {
    const text = proveReserve(here.ctx, 'all', 'm');
    const { version, ...proof } = decodeReserveProof(text);
    expect(encodeReserveProof({ version, ...proof })).toBe(text);
    const at = (i: number, part: 'shared' | 'keyImage' | 'sharedSignature' | 'keyImageSignature', byte: number) => {
      const entries = proof.entries.map((entry, n) => (n === i ? { ...entry, [part]: flip(entry[part], byte) } : entry));
      return encodeReserveProof({ version, ...proof, entries });
    };
    const parts = ['shared', 'keyImage', 'sharedSignature', 'keyImageSignature'] as const;
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.constantFrom(...parts), fc.nat(31), async (i, part, byte) => {
        const verdict = await checkReserve(here.ctx, main(), 'm', at(i, part, byte)).catch((error: unknown) => error);
        if (!(verdict instanceof ProofError)) expect(verdict).toMatchObject({ good: false });
      }),
      { numRuns: 60 },
    );
  });

  const flip = (bytes: Uint8Array, at: number): Uint8Array => {
    const changed = Uint8Array.from(bytes);
    changed[at]! ^= 1;
    expect(bytesToHex(changed)).not.toBe(bytesToHex(bytes));
    return changed;
  };
});

import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import {
  boundChallenge,
  derivePublicKey,
  IDENTITY,
  loadCrypto,
  type NonceSums,
  noncePoints,
  pointSub,
  type Random,
  randomScalar,
  type SharedClsag,
  scalarAdd,
  scalarMulBase,
  systemRandom,
} from '../../../src/crypto/index.ts';
import {
  buildExtra,
  decodeAddress,
  type OutputKey,
  RctType,
  toAtomicAmount,
  type WholeTransaction,
} from '../../../src/protocol/index.ts';
import { Cosigning } from '../../../src/wallet/multisig/cosigning.ts';
import { exportOf, readInfo } from '../../../src/wallet/multisig/info.ts';
import { composedKeyImage } from '../../../src/wallet/multisig/key-images.ts';
import { proposeTransaction } from '../../../src/wallet/multisig/propose.ts';
import { sharedInputs } from '../../../src/wallet/multisig/shared-inputs.ts';
import { signSet } from '../../../src/wallet/multisig/sign-set.ts';
import { destinationsIn } from '../../../src/wallet/offline-signing/claims.ts';
import { reviewOfSet } from '../../../src/wallet/offline-signing/describe.ts';
import type { UnsignedPaymentPart } from '../../../src/wallet/spend/index.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import type { WalletState } from '../../../src/wallet/state/state.ts';
import {
  type MultisigExport,
  type MultisigPendingTx,
  openMultisigExport,
  sealMultisigExport,
  sealMultisigTxSet,
} from '../../../src/wallet2/index.ts';
import { accountOf, FIXTURE, factsOf, groupSealing, Member, stateWith, thePayment } from './spending-support.ts';

let ada: Member;
let bob: Member;
let cy: Member;
let payment: UnsignedPaymentPart;
let honest: MultisigPendingTx;
let state: WalletState;

beforeAll(async () => {
  await loadCrypto();
  [ada, bob, cy] = FIXTURE.seeds.map((seed) => new Member(seed)) as [Member, Member, Member];
  payment = await thePayment();
  honest = proposeTransaction(factsOf(ada, [bob, cy]), payment, systemRandom);
  state = stateWith(bob.account, [honest.construction]);
});

/** What Bob's wallet makes of a proposal of Ada's; his nonces are as new each time. */
async function bobSigns(pending: MultisigPendingTx, seen = state) {
  bob.used.clear();
  return signSet(bob.context(seen), { transactions: [pending], signers: [hexToBytes(ada.name)] });
}

const elsewhere = () => ({
  spendKey: scalarMulBase(randomScalar(systemRandom)),
  viewKey: scalarMulBase(randomScalar(systemRandom)),
});

/** Refused before any nonce is used up. */
async function expectRefused(pending: MultisigPendingTx, code: RegExp, seen = state) {
  await expect(bobSigns(pending, seen)).rejects.toMatchObject({ code: expect.stringMatching(code) });
  expect(bob.used.size).toBe(0);
}

describe('a signer who changes what is signed', () => {
  it('is caught with a destination that is not the one that is told', async () => {
    const { construction, destinations } = honest;
    const changed = { ...destinations[0]!, original: '', ...elsewhere() };
    const told = [changed, ...destinations.slice(1)];
    const split = construction.splitDestinations.map((one) =>
      bytesToHex(one.spendKey) === bytesToHex(destinations[0]!.spendKey) ? { ...one, ...changed } : one,
    );
    await expectRefused(
      { ...honest, destinations: told, construction: { ...construction, destinations: told, splitDestinations: split } },
      /check-failed/,
    );
  });

  it('is caught with another address in words than in keys', async () => {
    const other = { ...honest.destinations[0]!, original: FIXTURE.address };
    const told = [other, ...honest.destinations.slice(1)];
    await expectRefused(
      { ...honest, destinations: told, construction: { ...honest.construction, destinations: told } },
      /bad-set/,
    );
  });

  it('is caught naming a recipient that no output pays', async () => {
    const absent = { ...honest.destinations[0]!, original: '', ...elsewhere() };
    for (const told of [[absent], [...honest.destinations, absent]])
      await expectRefused(
        { ...honest, destinations: told, construction: { ...honest.construction, destinations: told } },
        /bad-set/,
      );
  });

  it('cannot have one payment id shown and another paid: the review names each', () => {
    const under = (bytes: Uint8Array): MultisigPendingTx => {
      const extra = buildExtra({
        pubKey: payment.unsigned.outputs[0]!.address.spendKey,
        paymentId: { kind: 'encrypted', bytes },
      });
      const plain = honest.construction.splitDestinations.map((one) => ({ ...one, isSubaddress: false }));
      return { ...honest, construction: { ...honest.construction, extra, splitDestinations: plain } };
    };
    const ids = [new Uint8Array(8).fill(1), new Uint8Array(8).fill(2)];
    const recipientsOf = (of: readonly Uint8Array[]) =>
      reviewOfSet(
        of.map((bytes) => under(bytes).construction),
        'regtest',
        () => [],
      ).recipients;
    const [one, two, both] = [recipientsOf([ids[0]!]), recipientsOf([ids[1]!]), recipientsOf(ids)];
    expect(decodeAddress(both[0]!.address, 'regtest').paymentId).toEqual(ids[0]);
    expect(both).toEqual([...one, ...two]);
  });

  it('cannot have anything but an address written into history', () => {
    const named = honest.destinations.map((one) => ({ ...one, original: 'rent for the blue house' }));
    const [kept] = destinationsIn({ destinations: named }, 'regtest');
    expect(kept?.address).toBe(destinationsIn(honest.construction, 'regtest')[0]?.address);
  });

  it('is caught with change that goes elsewhere, in a transaction that holds', async () => {
    const { unsigned } = payment;
    const changeAddress = { ...elsewhere(), isSubaddress: false };
    const outputs = [...unsigned.outputs.slice(0, -1), { ...unsigned.outputs.at(-1)!, address: changeAddress }];
    const stolen = proposeTransaction(
      factsOf(ada, [bob, cy]),
      { ...payment, unsigned: { ...unsigned, outputs, changeAddress } },
      systemRandom,
    );
    await expectRefused(stolen, /foreign-change/);
  });

  it('is caught with change to another account of the group than the coins are of', async () => {
    const { construction } = honest;
    await expectRefused({ ...honest, construction: { ...construction, account: 1 } }, /bad-set/);
  });

  it('is caught with change to another address of the account, where nobody of the group looks for it', async () => {
    const { unsigned } = payment;
    const changeAddress = { ...bob.context(state).keys.addressKeys({ major: 0, minor: 1 }), isSubaddress: true };
    const outputs = [...unsigned.outputs.slice(0, -1), { ...unsigned.outputs.at(-1)!, address: changeAddress }];
    const facts = factsOf(ada, [bob, cy]);
    const moved = proposeTransaction(facts, { ...payment, unsigned: { ...unsigned, outputs, changeAddress } }, systemRandom);
    const change = { ...moved.change, isSubaddress: true };
    const splitDestinations = moved.construction.splitDestinations.map((one) =>
      bytesToHex(one.spendKey) === bytesToHex(change.spendKey) ? { ...one, isSubaddress: true } : one,
    );
    await expectRefused(
      { ...moved, change, construction: { ...moved.construction, change, splitDestinations } },
      /foreign-change/,
    );
  });

  it('is caught naming another account than the coins are of, also where nothing comes back', async () => {
    const { unsigned, destinations } = payment;
    const [first, ...rest] = unsigned.outputs.slice(0, -1);
    const more = unsigned.outputs.at(-1)!.amount;
    const outputs = [{ ...first!, amount: first!.amount + more }, ...rest];
    const told = destinations.map((one, i) => (i === 0 ? { ...one, amount: toAtomicAmount(one.amount + more) } : one));
    const whole = proposeTransaction(
      factsOf(ada, [bob, cy]),
      { destinations: told, unsigned: { ...unsigned, outputs, changeAddress: undefined } },
      systemRandom,
    );
    await expect(bobSigns(whole)).resolves.toMatchObject({ txHashes: [expect.any(String)] });
    await expectRefused({ ...whole, construction: { ...whole.construction, account: 1 } }, /bad-set/);
  });

  it('is caught with responses that are no scalars, before a nonce of ours is used', async () => {
    const transaction = honest.transaction as WholeTransaction;
    const { prunable } = transaction;
    const clsags = prunable.clsags.map((clsag) => ({ ...clsag, s: clsag.s.map(() => new Uint8Array(32).fill(255)) }));
    await expectRefused({ ...honest, transaction: { ...transaction, prunable: { ...prunable, clsags } } }, /bad-set/);
  });

  it('is caught with a fee that is not what inputs and outputs leave, and with one past reason', async () => {
    await expectRefused({ ...honest, fee: honest.fee + 1n }, /bad-set/);
    const { unsigned } = payment;
    const change = unsigned.outputs.at(-1)!;
    const dear = {
      ...unsigned,
      fee: unsigned.fee + change.amount - 1n,
      outputs: [...unsigned.outputs.slice(0, -1), { ...change, amount: 1n }],
    };
    await expectRefused(
      proposeTransaction(factsOf(ada, [bob, cy]), { ...payment, unsigned: dear }, systemRandom),
      /fee-too-high/,
    );
  });

  it('is caught with transaction keys of another choice, which could burn an output that was made before', async () => {
    await expectRefused({ ...honest, txKey: randomScalar(systemRandom) }, /bad-set/);
    await expectRefused({ ...honest, keyEntropy: randomScalar(systemRandom) }, /bad-set/);
    await expectRefused({ ...honest, keyEntropy: new Uint8Array(32) }, /bad-set/);
  });

  it("is caught with a key image that is not the output's", async () => {
    const sources = honest.construction.sources.map((source, i) => {
      const multisig = source.multisig.slice();
      if (i === 0) multisig.set(scalarMulBase(randomScalar(systemRandom)), 96);
      return { ...source, multisig };
    });
    await expectRefused({ ...honest, construction: { ...honest.construction, sources } }, /bad-set/);
  });

  it('is caught with coins that are spent, frozen or never seen', async () => {
    const [key, entry] = [...state.outputs][0]!;
    const spend = { keyImage: entry.output.keyImage!, txHash: '', height: 1, timestamp: 0, fee: 0n, unlockTime: 0n } as never;
    await expectRefused(honest, /bad-set/, { ...state, outputs: new Map([...state.outputs, [key, { ...entry, spend }]]) });
    await expectRefused(honest, /frozen/, { ...state, frozen: new Set([key]) });
    const without = new Map([...state.outputs].filter(([other]) => other !== key));
    await expectRefused(honest, /info-missing/, { ...state, outputs: without });
  });

  it('is caught with an amount that the wallet did not see', async () => {
    const [key, entry] = [...state.outputs][0]!;
    const output = { ...entry.output, amount: (entry.output.amount - 1n) as never };
    await expectRefused(honest, /bad-set/, { ...state, outputs: new Map([...state.outputs, [key, { ...entry, output }]]) });
  });

  it('is caught with a transaction of an older kind, or without its proofs', async () => {
    const transaction = honest.transaction as WholeTransaction;
    const older = { ...transaction, rct: { ...transaction.rct, type: RctType.CLSAG } } as WholeTransaction;
    for (const other of [older, { ...transaction, prunable: undefined }])
      await expect(bobSigns({ ...honest, transaction: other })).rejects.toMatchObject({
        code: 'bad-set',
        data: { reason: 'form' },
      });
  });

  it('is caught with images and nonces that are no points, before a nonce of ours is used', async () => {
    const noPoint = new Uint8Array(32).fill(2);
    const transaction = honest.transaction as WholeTransaction;
    const { prunable } = transaction;
    const clsags = prunable.clsags.map((clsag) => ({ ...clsag, D: noPoint }));
    await expectRefused({ ...honest, transaction: { ...transaction, prunable: { ...prunable, clsags } } }, /bad-set/);
    const attempts = honest.attempts.map((attempt) => ({
      ...attempt,
      nonceSums: attempt.nonceSums.map(() => [noPoint, noPoint]),
    }));
    await expectRefused({ ...honest, attempts }, /bad-set/);
  });

  it('is caught with two attempts for one set of signers, of which neither could be sent, before a nonce of ours is used', async () => {
    const forBob = honest.attempts.find(({ ignored }) => !ignored.some((signer) => bytesToHex(signer) === bob.name))!;
    const others = [...state.outputs.keys()].flatMap((key) => bob.told(key).slice(2, 4));
    const again = { ...forBob, ignored: [], usedNonces: others.map(({ left }) => left) };
    await expectRefused({ ...honest, attempts: [forBob, again] }, /bad-set/);
  });

  describe('T6 is caught with more than a payment of the group has, which would all be checked, stored, and read again and again', () => {
    const look = async (change: (pending: MultisigPendingTx) => Partial<MultisigPendingTx>, copies = 1) => {
      const cosigning = new Cosigning({
        ctx: { state: { ...state, multisig: bob.account } },
        sealing: { of: groupSealing },
      } as never);
      const placed = honest.selectedTransfers.map((_, i) => i);
      const pending = {
        ...honest,
        selectedTransfers: placed,
        construction: { ...honest.construction, selectedTransfers: placed },
      };
      const transactions = Array.from({ length: copies }, () => ({ ...pending, ...change(pending) }));
      const set = { transactions, signers: [hexToBytes(ada.name)] };
      return cosigning.look(sealMultisigTxSet(set, await groupSealing(), systemRandom));
    };

    it('more attempts than there are sets of signers', async () => {
      expect((await look(() => ({}))).transactions[0]!.attempts).toHaveLength(2);
      const many = look(({ attempts }) => ({ attempts: [...attempts, ...attempts.slice(0, 1)] }));
      await expect(many).rejects.toMatchObject({ code: 'bad-set' });
    });

    it('no transaction and no signer', () => expect(look(() => ({}), 0)).rejects.toMatchObject({ code: 'empty-set' }));

    it('more inputs than there are coins', () => expect(look(() => ({}), 2)).rejects.toMatchObject({ code: 'bad-set' }));

    it('more inputs than there are coins, and fewer sources than inputs: to the reference that is no set', () => {
      const fewer = look(
        ({ construction }) => ({ construction: { ...construction, sources: construction.sources.slice(1) } }),
        2,
      );
      return expect(fewer).rejects.toMatchObject({ code: 'bad-set', data: { reason: 'positions' } });
    });

    it('more bytes than its contents need', () =>
      expect(look(() => ({ keyImages: ' '.repeat(200_000) }))).rejects.toMatchObject({ code: 'bad-set' }));
  });

  it('is caught with the same coin in two transactions of a set', async () => {
    bob.used.clear();
    const set = { transactions: [honest, honest], signers: [hexToBytes(ada.name)] };
    await expect(signSet(bob.context(state), set)).rejects.toMatchObject({ code: 'bad-set' });
    expect(bob.used.size).toBe(0);
  });
});

describe('nonces', () => {
  it('sign once: a second message of the same nonces finds none', async () => {
    await bobSigns(honest);
    const other = proposeTransaction(factsOf(ada, [bob, cy]), payment, systemRandom);
    const set = { transactions: [other], signers: [hexToBytes(ada.name)] };
    await expect(signSet(bob.context(state), set)).rejects.toMatchObject({ code: 'nonces-unknown' });
  });

  it('sign once also where a proposer lists them for several attempts', async () => {
    const [first, second] = honest.attempts;
    const forBob = honest.attempts.find(({ ignored }) => !ignored.some((signer) => bytesToHex(signer) === bob.name))!;
    expect([first, second]).toContain(forBob);
    await expectRefused({ ...honest, attempts: [forBob, { ...forBob, ignored: [hexToBytes(ada.name)] }] }, /nonces-unknown/);
  });

  it('exported before the last export are never used', async () => {
    const before = bob.seed;
    bob.seed = randomScalar(systemRandom);
    await expectRefused(honest, /nonces-unknown/);
    bob.seed = before;
  });

  it('T19 of a proposer differ between attempts, also where randomness repeats', () => {
    let draws = 0;
    const repeating: Random = {
      bytes(n) {
        draws += 1;
        return new Uint8Array(n).map((_, i) => ((draws % 2) + i * 37) & 0xff);
      },
    };
    const { attempts } = proposeTransaction(factsOf(ada, [bob, cy]), payment, repeating);
    const own = attempts.flatMap(({ nonceSums, ignored }) => {
      const other = ignored.some((signer) => bytesToHex(signer) === bob.name) ? cy : bob;
      const key = [...state.outputs.values()].map(({ output }) => output.key);
      return nonceSums.flatMap((sums) =>
        key.flatMap((one) => sums.map((sum, n) => bytesToHex(pointSub(sum, other.told(one)[n]!.left)))),
      );
    });
    expect(attempts.length).toBe(2);
    expect(new Set(own).size).toBe(own.length);
  });

  it("are bound to everything that is signed and to everybody's nonces (Drijvers and others)", () => {
    const { transaction, construction } = honest;
    const sources = [...construction.sources].sort((a, b) => (bytesToHex(a.multisig) < bytesToHex(b.multisig) ? 1 : -1));
    const inputs = sources.map(({ outputs, realOutput }) => ({ ring: outputs, real: Number(realOutput) }));
    const [shared] = sharedInputs(transaction as never, inputs) as [SharedClsag];
    const attempt = honest.attempts[0]!;
    const sums: NonceSums = { left: attempt.nonceSums[0]!, right: attempt.nonceSumsImage[0]! };
    const factor = (of: SharedClsag, with_ = sums) => bytesToHex(boundChallenge(of, with_).factor);
    const base = factor(shared);
    expect(factor(shared)).toBe(base);
    const extra = noncePoints([randomScalar(systemRandom)], shared.ring[0]!.key)[0]!;
    const changed = [
      factor({ ...shared, message: new Uint8Array(32) }),
      factor({ ...shared, keyImage: extra.right }),
      factor({ ...shared, pseudoOut: extra.left }),
      factor({ ...shared, D: extra.left }),
      factor({
        ...shared,
        s: shared.s.map((one, i) => (i === (shared.index + 1) % shared.s.length ? scalarAdd(one, one) : one)),
      }),
      factor(shared, { ...sums, left: [extra.left, sums.left[1]!] }),
      factor(shared, { ...sums, left: [sums.left[0]!, extra.left] }),
      factor(shared, { ...sums, right: [extra.right, sums.right[1]!] }),
      factor(shared, { ...sums, right: [sums.right[0]!, extra.right] }),
    ];
    expect(new Set([base, ...changed]).size).toBe(changed.length + 1);
  });

  it('of a signer who answers with a wrong share make no signature, and the wallet says so', async () => {
    const attempts = honest.attempts.map((attempt) => ({ ...attempt, s: attempt.s.map((one) => scalarAdd(one, one)) }));
    await expect(bobSigns({ ...honest, attempts })).rejects.toMatchObject({ code: 'bad-shares' });
  });
});

describe('exported key images', () => {
  const told = async (i: number): Promise<MultisigExport> =>
    openMultisigExport(hexToBytes(FIXTURE.exports[i]!), await groupSealing());
  const outputs = () => FIXTURE.keyImages.slice(0, 2).flatMap(({ key }) => state.outputs.get(key as OutputKey)?.output ?? []);

  it('must fit together: a wrong part of a share that two signers hold is noticed', async () => {
    const first = await told(1);
    const forged = first.outputs.map((info) => ({
      ...info,
      partialKeyImages: info.partialKeyImages.map((part, i) => (i === 0 ? scalarMulBase(randomScalar(systemRandom)) : part)),
    }));
    const positions = [...state.outputs.values()].map(({ output }) => output);
    const at = positions.map(({ key }) => FIXTURE.keyImages.findIndex((one) => one.key === key));
    const placed = (from: typeof first.outputs) => at.map((i) => from[i]!);
    const account = accountOf(FIXTURE.seeds[0]!);
    const sound = readInfo(account, positions, [{ ...first, outputs: placed(first.outputs) }]);
    expect(sound.images.map(({ keyImage }) => keyImage)).toEqual(positions.map(({ keyImage }) => keyImage));
    expect(() => readInfo(account, positions, [{ ...first, outputs: placed(forged) }])).toThrow(/fit together|prime subgroup/);
    expect(outputs().length).toBeGreaterThan(0);
    expect(composedKeyImage(account, positions[0]!, placed(first.outputs)[0]!.partialKeyImages)).toBe(positions[0]!.keyImage);
  });

  it('T6 are no more than the group can use: each is checked and stored', async () => {
    const account = accountOf(FIXTURE.seeds[0]!);
    const first = await told(1);
    const positions = [...state.outputs.values()].map(({ output }) => output);
    const infos = positions.map(({ key }) => first.outputs[FIXTURE.keyImages.findIndex((one) => one.key === key)]!);
    const [info, ...rest] = infos;
    const { nonces, partialKeyImages } = info!;
    expect(() => readInfo(account, positions, [{ ...first, outputs: infos }])).not.toThrow();
    for (const more of [{ nonces: [...nonces, nonces[0]!] }, { partialKeyImages: [...partialKeyImages, partialKeyImages[0]!] }]) {
      const outputs = [{ ...info!, ...more }, ...rest];
      const grown = { ...first, outputs };
      expect(() => readInfo(account, positions, [grown])).toThrow(expect.objectContaining({ code: 'bad-key-images' }));
    }
  });

  it('T6 are complete for a coin whose transaction key is not a point: a stranger’s would otherwise block all others', () => {
    const spendKey = ada.account.groupKey;
    const key = derivePublicKey(IDENTITY as Uint8Array, 0, spendKey)!;
    const [output] = [...state.outputs.values()].map((entry) => entry.output);
    const odd = { ...output!, key: bytesToHex(key) as OutputKey, txPublicKey: `02${'00'.repeat(31)}`, outputIndex: 0 };
    const coins = [output!, { ...odd, subaddress: { major: 0, minor: 0 } }].map((coin) => ({ ...coin, keyImage: undefined }));
    const exports = [ada, bob].map(({ account, seed }) => exportOf(account, coins, seed));
    const composed = [ada, bob].map(({ account }, i) => readInfo(account, coins, [exports[1 - i]!]).images);
    expect(composed[0]).toEqual(composed[1]);
    expect(composed[0]).toHaveLength(2);
    expect(composed[0]![0]!.keyImage).toBe(output!.keyImage);
  });

  it('must be of this group, of its members, and of enough of them', async () => {
    const account = accountOf(FIXTURE.seeds[0]!);
    const [own, first] = [await told(0), await told(1)];
    const positions = [...state.outputs.values()].map(({ output }) => output);
    const other = { ...first, account: { ...first.account, spendKey: scalarMulBase(randomScalar(systemRandom)) } };
    expect(() => readInfo(account, positions, [other])).toThrow(expect.objectContaining({ code: 'other-group' }));
    expect(() => readInfo(account, positions, [own])).toThrow(expect.objectContaining({ code: 'too-few-signers' }));
    const stranger = { ...first, signer: scalarMulBase(randomScalar(systemRandom)) };
    expect(() => readInfo(account, positions, [stranger])).toThrow(expect.objectContaining({ code: 'unknown-signer' }));
    const mixed = { ...first, outputs: first.outputs.map((info, i) => (i === 0 ? { ...info, signer: stranger.signer } : info)) };
    expect(() => readInfo(account, positions, [mixed])).toThrow(expect.objectContaining({ code: 'bad-set' }));
  });

  it('are not those of another output: a coin would be taken for spent, and later for unspent', async () => {
    const account = accountOf(FIXTURE.seeds[0]!);
    const first = await told(1);
    const [output] = [...state.outputs.values()].map((entry) => entry.output);
    const at = FIXTURE.keyImages.findIndex(({ key }) => key === output!.key);
    const one = { ...first, outputs: [first.outputs[at]!] };
    const other = { ...output!, key: bytesToHex(scalarMulBase(randomScalar(systemRandom))) as OutputKey };
    expect(
      readInfo(
        account,
        [
          { ...output!, keyImage: undefined },
          { ...other, keyImage: undefined },
        ],
        [one],
      ).images,
    ).toHaveLength(1);
    const claimed = [output!, other].map((each) => ({ ...each, keyImage: output!.keyImage }));
    expect(() => readInfo(account, claimed, [one])).toThrow(expect.objectContaining({ code: 'bad-key-images' }));
  });

  it('T16 are journalled in one record with the height from which to look for spends', async () => {
    const { account } = ada;
    const bare = [...state.outputs.values()].map(({ output }) => ({ ...output, keyImage: undefined }));
    const unknown = new Map(bare.map((output) => [output.key, { output, copies: [output], spend: undefined }]));
    const written: WalletEvent[][] = [];
    const ctx = {
      state: { ...state, multisig: account, outputs: unknown, height: 200 },
      random: systemRandom,
      trusted: true,
      append: async (events: readonly WalletEvent[]) => void written.push([...events]),
      still: (work: () => unknown) => work(),
    };
    const cosigning = new Cosigning({ ctx, sealing: { of: groupSealing } } as never);
    const first = await told(1);
    const placed = bare.map(({ key }) => first.outputs[FIXTURE.keyImages.findIndex((one) => one.key === key)]!);
    const bytes = sealMultisigExport({ ...first, outputs: placed }, await groupSealing(), systemRandom);
    expect(await cosigning.import([bytes])).toBe(bare.length);
    expect(written.map((events) => events.map(({ type }) => type))).toEqual([
      ['MultisigInfoImported', 'KeyImagesImported', 'RestoreHeightSet'],
    ]);
    expect(written[0]!.at(-1)).toEqual({ type: 'RestoreHeightSet', height: Math.min(...bare.map(({ height }) => height)) });
  });
});

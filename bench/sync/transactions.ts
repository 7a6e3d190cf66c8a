import { concatBytes } from '../../src/base/index.ts';
import {
  commit,
  commitmentMask,
  derivationToScalar,
  derivePublicKey,
  deriveSecretKey,
  deriveSubaddressPublicKey,
  deriveViewTag,
  encodeAmount8,
  generateKeyDerivation,
  generateKeyImage,
  scalarAdd,
  scalarMulBase,
  scalarMulPoint,
  subaddressSecretKey,
} from '../../src/crypto/index.ts';
import { type RctPrunable, RctType, type TransactionV2, type TxInput, type TxOutput } from '../../src/protocol/index.ts';
import type { SeededRandom } from './seeded.ts';

/** A transaction as bytes, with its id and its number of outputs. */
export interface BuiltTransaction {
  readonly whole: Uint8Array;
  readonly pruned: Uint8Array;
  readonly hash: Uint8Array;
  readonly outputs: number;
}

/** The wallet that some of the chain's transactions pay. */
export interface Recipient {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  readonly spendPublic: Uint8Array;
  readonly viewPublic: Uint8Array;
}

/** An output of the recipient's, which a later transaction can spend. */
export interface Received {
  readonly keyImage: Uint8Array;
  readonly amount: bigint;
}

/** Numbers of inputs and outputs, and the frequency of additional keys: close to mainnet's blocks. */
const INPUTS = [
  [1, 37],
  [2, 48],
  [3, 6],
  [4, 4],
  [8, 3],
  [16, 2],
] as const;
const OUTPUTS = [
  [2, 88],
  [3, 4],
  [4, 2],
  [8, 2],
  [11, 2],
  [16, 2],
] as const;
const ADDITIONAL_KEYS_SHARE = 0.5;

const RING_SIZE = 16;

const randomPoint = (random: SeededRandom): Uint8Array => scalarMulBase(random.scalar());

/** Keys that pay the recipient's address {0, minor}: the transaction key, and the receiver's derivation from it. */
function payTo(
  recipient: Recipient,
  minor: number,
  secret: Uint8Array,
): { publicKey: Uint8Array; derivation: Uint8Array; spend: Uint8Array } {
  if (minor === 0) {
    const derivation = generateKeyDerivation(recipient.viewPublic, secret)!;
    return { publicKey: scalarMulBase(secret), derivation, spend: recipient.spendPublic };
  }
  const m = subaddressSecretKey(recipient.viewKey, { major: 0, minor });
  const spend = scalarMulBase(scalarAdd(recipient.spendKey, m));
  const publicKey = scalarMulPoint(secret, spend);
  return { publicKey, derivation: generateKeyDerivation(publicKey, recipient.viewKey)!, spend };
}

interface OwnedOutput extends Received {
  readonly output: TxOutput;
  readonly commitment: Uint8Array;
  readonly encodedAmount: Uint8Array;
}

function ownOutput(
  recipient: Recipient,
  minor: number,
  paid: ReturnType<typeof payTo>,
  index: number,
  amount: bigint,
  tagged: boolean,
): OwnedOutput {
  const key = derivePublicKey(paid.derivation, index, paid.spend)!;
  if (deriveSubaddressPublicKey(key, paid.derivation, index)?.join() !== paid.spend.join())
    throw new Error('derivation law broken');
  const base =
    minor === 0 ? recipient.spendKey : scalarAdd(recipient.spendKey, subaddressSecretKey(recipient.viewKey, { major: 0, minor }));
  const amountKey = derivationToScalar(paid.derivation, index);
  return {
    output: { amount: 0n, key, viewTag: tagged ? deriveViewTag(paid.derivation, index) : undefined },
    commitment: commit(amount, commitmentMask(amountKey)),
    encodedAmount: encodeAmount8(amountKey, amount),
    keyImage: generateKeyImage(key, deriveSecretKey(paid.derivation, index, base)),
    amount,
  };
}

const txPublicKeyField = (key: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(1), key);
const additionalKeysField = (keys: readonly Uint8Array[]): Uint8Array => concatBytes(Uint8Array.of(4, keys.length), ...keys);
const dummyPaymentIdField = (random: SeededRandom): Uint8Array => concatBytes(Uint8Array.of(2, 9, 1), random.bytes(8));

/** Proofs of the right shape and size; a syncing wallet does not verify them. */
function fillerProofs(random: SeededRandom, inputs: number, outputs: number, type: RctType): RctPrunable {
  const clsags = Array.from({ length: inputs }, () => ({
    s: Array.from({ length: RING_SIZE }, () => random.scalar()),
    c1: random.scalar(),
    D: random.bytes(32),
  }));
  const rounds = 6 + Math.ceil(Math.log2(outputs));
  const points = (n: number): Uint8Array[] => Array.from({ length: n }, () => random.bytes(32));
  const [A, B, C, D, E, F, a, b, t] = points(9) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const plus = type === RctType.BulletproofPlus;
  return {
    rangeProofs: [],
    mlsags: [],
    clsags,
    pseudoOuts: points(inputs),
    bulletproofsPlus: plus ? [{ A, A1: B, B: C, r1: a, s1: b, d1: t, L: points(rounds), R: points(rounds) }] : [],
    bulletproofs: plus ? [] : [{ A, S: B, T1: C, T2: D, taux: E, mu: F, L: points(rounds), R: points(rounds), a, b, t }],
  };
}

function inputOf(random: SeededRandom, keyImage: Uint8Array): TxInput {
  const keyOffsets = Array.from({ length: RING_SIZE }, () => BigInt(Math.floor(random.fraction() * 2_000_000)));
  return { type: 'key', amount: 0n, keyOffsets, keyImage };
}

/**
 * One transaction; with `owned` one of its outputs pays the recipient, at one of the subaddresses {0, minor}; `spend` takes one of the recipient's
 * outputs.
 */
export function syntheticTransaction(
  random: SeededRandom,
  recipient: Recipient,
  options: { tagged: boolean; owned: boolean; minors: readonly number[]; spend: Received | undefined },
): { tx: TransactionV2; received: Received | undefined } {
  const inputCount = random.pick(INPUTS);
  const outputCount = random.pick(OUTPUTS);
  const type = options.tagged ? RctType.BulletproofPlus : RctType.CLSAG;
  const secret = random.scalar();
  const additional = outputCount > 2 && random.fraction() < ADDITIONAL_KEYS_SHARE;
  const ownIndex = options.owned ? Math.floor(random.fraction() * outputCount) : -1;
  const minor = random.pick(options.minors.map((one) => [one, 1] as const));
  const paid = payTo(recipient, minor, secret);
  const own = options.owned
    ? ownOutput(recipient, minor, paid, ownIndex, 1_000_000_000n + BigInt(Math.floor(random.fraction() * 1e12)), options.tagged)
    : undefined;

  const outputs: TxOutput[] = [];
  const outPk: Uint8Array[] = [];
  const encoded: Uint8Array[] = [];
  for (let i = 0; i < outputCount; i++) {
    const mine = i === ownIndex ? own : undefined;
    outputs.push(
      mine?.output ?? { amount: 0n, key: randomPoint(random), viewTag: options.tagged ? random.bytes(1)[0]! : undefined },
    );
    outPk.push(mine?.commitment ?? random.bytes(32));
    encoded.push(mine?.encodedAmount ?? random.bytes(8));
  }
  const additionalKeys = Array.from({ length: additional ? outputCount : 0 }, (_, i) =>
    i === ownIndex ? paid.publicKey : randomPoint(random),
  );
  const mainKey = additional ? randomPoint(random) : paid.publicKey;
  const extra = concatBytes(
    txPublicKeyField(mainKey),
    ...(additional ? [additionalKeysField(additionalKeys)] : []),
    ...(outputCount === 2 ? [dummyPaymentIdField(random)] : []),
  );
  const inputs = Array.from({ length: inputCount }, (_, i) =>
    inputOf(random, i === 0 && options.spend ? options.spend.keyImage : random.bytes(32)),
  );
  const tx: TransactionV2 = {
    version: 2,
    unlockTime: 0n,
    inputs,
    outputs,
    extra,
    rct: { type, fee: 30_000_000n, pseudoOuts: [], ecdhInfo: encoded.map((amount) => ({ mask: undefined, amount })), outPk },
    prunable: fillerProofs(random, inputCount, outputCount, type),
  };
  return { tx, received: own };
}

/** A coinbase that pays the given miner; an unknown one if absent. */
export function syntheticCoinbase(random: SeededRandom, height: number, tagged: boolean, miner?: Recipient): TransactionV2 {
  const secret = random.scalar();
  const paid = miner === undefined ? undefined : payTo(miner, 0, secret);
  const key = paid === undefined ? randomPoint(random) : derivePublicKey(paid.derivation, 0, paid.spend)!;
  const viewTag = paid === undefined ? random.bytes(1)[0]! : deriveViewTag(paid.derivation, 0);
  return {
    version: 2,
    unlockTime: BigInt(height + 60),
    inputs: [{ type: 'gen', height }],
    outputs: [{ amount: 600_000_000_000n, key, viewTag: tagged ? viewTag : undefined }],
    extra: txPublicKeyField(paid?.publicKey ?? scalarMulBase(secret)),
    rct: { type: RctType.Null, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    prunable: undefined,
  };
}

import { bytesToHex, RandomSampler } from '../../../src/base/index.ts';
import {
  commit,
  derivationToScalar,
  derivePublicKey,
  generateKeyDerivation,
  generateKeyImage,
  keccak256,
  type Random,
  randomScalar,
  scalarAdd,
  scalarMulBase,
  scalarMulPoint,
  subaddressSecretKey,
} from '../../../src/crypto/index.ts';
import type { PaidAddress } from '../../../src/protocol/address.ts';
import { eraOf } from '../../../src/protocol/eras/index.ts';
import type { SecretKeys } from '../../../src/protocol/index.ts';
import { type BlockHash, type KeyImage, type OutputKey, type TxHash, toAtomicAmount } from '../../../src/protocol/model.ts';
import type { SubaddressIndex } from '../../../src/wallet/model.ts';
import { outputSecretKey } from '../../../src/wallet/spend/construct.ts';
import type { PlanGenerator, RingIndices, TransactionDraft } from '../../../src/wallet/spend/draft.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import type { RingOutput, UnsignedInput } from '../../../src/wallet/spend/unsigned.ts';

/** Keccak in counter mode: the same bytes for the same seed. */
export function seededRandom(seed: string): Random {
  let counter = 0;
  let held = new Uint8Array(0);
  return {
    bytes(n: number): Uint8Array {
      const out = new Uint8Array(n);
      for (let at = 0; at < n; ) {
        if (held.length === 0) held = keccak256(new TextEncoder().encode(`${seed}/${counter++}`)).slice();
        const part = held.subarray(0, n - at);
        out.set(part, at);
        at += part.length;
        held = held.slice(part.length);
      }
      return out;
    },
  };
}

/** Of every payment here. */
export const ERA = eraOf(16);

export const seededSampler = (seed: string): RandomSampler => new RandomSampler(seededRandom(seed));

export function makeKeys(random: Random): SecretKeys {
  return { spendKey: randomScalar(random), viewKey: randomScalar(random) };
}

/** The public address of keys, primary or a subaddress. */
export function addressOf(keys: SecretKeys, index: SubaddressIndex = { major: 0, minor: 0 }): PaidAddress {
  if (index.major === 0 && index.minor === 0) {
    return { spendKey: scalarMulBase(keys.spendKey), viewKey: scalarMulBase(keys.viewKey), isSubaddress: false };
  }
  const spendKey = scalarMulBase(scalarAdd(keys.spendKey, subaddressSecretKey(keys.viewKey, index)));
  return { spendKey, viewKey: scalarMulPoint(keys.viewKey, spendKey), isSubaddress: true };
}

let counter = 0;

/** An output's facts for planning; its keys are made up. */
export function paperOutput(facts: Partial<Omit<SpendableOutput, 'amount'>> & { readonly amount: bigint }): SpendableOutput {
  const id = bytesToHex(keccak256(Uint8Array.of(++counter & 255, counter >> 8)));
  return {
    key: id as OutputKey,
    txHash: id as TxHash,
    outputIndex: 0,
    globalIndex: BigInt(counter),
    height: 100 * counter,
    blockId: id as BlockHash,
    timestamp: 0,
    mask: id,
    rct: true,
    coinbase: false,
    unlockTime: 0n,
    subaddress: { major: 0, minor: 0 },
    txPublicKey: id,
    keyImage: id as KeyImage,
    paymentId: undefined,
    ...facts,
    amount: toAtomicAmount(facts.amount),
  };
}

/** An output that really belongs to the keys. */
export function ownedOutput(
  keys: SecretKeys,
  amount: bigint,
  random: Random,
  subaddress = { major: 0, minor: 0 },
): SpendableOutput {
  const address = addressOf(keys, subaddress);
  const r = randomScalar(random);
  const txPublic = address.isSubaddress ? scalarMulPoint(r, address.spendKey) : scalarMulBase(r);
  const derivation = generateKeyDerivation(address.viewKey, r)!;
  const outputIndex = 3;
  const key = derivePublicKey(derivation, outputIndex, address.spendKey)!;
  const paper = paperOutput({
    amount,
    key: bytesToHex(key) as OutputKey,
    outputIndex,
    subaddress,
    txPublicKey: bytesToHex(txPublic),
    mask: bytesToHex(derivationToScalar(derivation, 99)),
  });
  const keyImage = bytesToHex(generateKeyImage(key, outputSecretKey(paper, keys))) as KeyImage;
  return { ...paper, keyImage };
}

/** A ring of 16 around an output, the others made up. */
export function ringAround(output: SpendableOutput, mask: Uint8Array, real: number, random: Random): UnsignedInput {
  const ring = Array.from({ length: 16 }, (_, i): RingOutput => {
    const globalIndex = output.globalIndex + 10n * BigInt(i - real) + 1000n;
    if (i === real) {
      return { globalIndex, key: hex(output.key), commitment: commit(output.amount, mask) };
    }
    return { globalIndex, key: scalarMulBase(randomScalar(random)), commitment: scalarMulBase(randomScalar(random)) };
  });
  return { output: { ...output, globalIndex: ring[real]!.globalIndex }, ring, real };
}

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

/** Runs a plan to its end; rings are 16 indices of a size mainnet has. */
export function runPlan(planning: PlanGenerator, ring: RingIndices = defaultRing): readonly TransactionDraft[] {
  let step = planning.next();
  while (!step.done) step = planning.next(step.value.map(() => ring));
  return step.value;
}

const defaultRing: RingIndices = Array.from({ length: 16 }, (_, i) => 100_000_000n + 90_000n * BigInt(i));

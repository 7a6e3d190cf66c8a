import { equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { CryptoError, checkRingSignature, generateRingSignature } from '../../crypto/index.ts';
import {
  absoluteOffsets,
  encodeBase58,
  isProtocolError,
  type KeyInput,
  keyInputs,
  type Transaction,
  type TxHash,
  toKeyImage,
} from '../../protocol/index.ts';
import type { OwnedOutput } from '../model.ts';
import { outputSecretKey } from '../spend/construct.ts';
import { entryOfImage, type WalletState } from '../state/state.ts';
import { findTransaction } from './chain.ts';
import type { ProofContext, ProofDaemon } from './context.ts';
import { decodeBase58Field, proofHash, SIGNATURE_DIGITS } from './encoding.ts';
import { ProofError } from './errors.ts';

const HEADER = 'SpendProofV1';

/** A ring signature for each input of the transaction, over the same rings (`get_spend_proof`, wallet2.cpp). */
export async function proveSpend(ctx: ProofContext, txHash: TxHash, message: string): Promise<string> {
  const { spendKey, viewKey } = ctx.keys;
  if (spendKey === undefined && ctx.state.multisig === undefined)
    throw new ProofError('view-only', 'expected a wallet that holds its spend key');
  const { transaction } = await findTransaction(ctx.daemon, txHash);
  const hash = proofHash(txHash, message);
  const inputs = keyInputs(transaction).map((input) => ({ input, output: ownOutput(ctx.state, input) }));
  if (spendKey === undefined) throw new ProofError('one-of-several', 'expected a wallet of one owner');
  const rings = await ringsOf(ctx.daemon, transaction);
  const signatures = inputs.flatMap(({ input, output }, i) => {
    const secret = outputSecretKey(output, { spendKey, viewKey });
    try {
      return signRing(ctx, hash, input, rings[i]!, hexToBytes(output.key), secret);
    } finally {
      wipe(secret);
    }
  });
  return HEADER + signatures.map(encodeBase58).join('');
}

function ownOutput(state: WalletState, { keyImage }: KeyInput): OwnedOutput {
  const entry = entryOfImage(state, toKeyImage(keyImage));
  if (entry === undefined) throw new ProofError('not-ours', 'expected a transaction that spends outputs of this wallet');
  return entry.output;
}

function signRing(
  ctx: ProofContext,
  hash: Uint8Array,
  { keyImage }: KeyInput,
  ring: readonly Uint8Array[],
  own: Uint8Array,
  secret: Uint8Array,
): Uint8Array[] {
  const index = ring.findIndex((key) => equalBytes(key, own));
  if (index < 0) throw new ProofError('bad-daemon-answer', 'expected our output among the members of its ring');
  try {
    return generateRingSignature(hash, keyImage, ring, secret, index, ctx.random);
  } catch (error) {
    if (!(error instanceof CryptoError) || error.code !== 'bad-point') throw error;
    throw new ProofError('bad-daemon-answer', 'expected ring members that are points', {}, error);
  }
}

/** The one-time keys of a transaction's rings, 32 bytes each, by input. */
async function ringsOf(daemon: ProofDaemon, transaction: Transaction): Promise<Uint8Array[][]> {
  const members = keyInputs(transaction).map((input) => indicesOf(input).map((index) => ({ amount: input.amount, index })));
  const answer = await daemon.getOuts(members.flat());
  const keys = answer.acceptUnverified('ring-keys').map(({ key }) => key);
  let at = 0;
  return members.map(({ length }) => {
    at += length;
    return keys.slice(at - length, at);
  });
}

function indicesOf({ keyOffsets }: KeyInput): bigint[] {
  try {
    return absoluteOffsets(keyOffsets);
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new ProofError('bad-daemon-answer', 'expected ring members within 64 bits', {}, error);
  }
}

/**
 * Splits a proof into one 64-byte signature for each ring member.
 * @returns undefined unless there are `count` of them
 * @throws ProofError `bad-header`, `bad-encoding`
 */
export function decodeSpendProof(text: string, count: number): Uint8Array[] | undefined {
  requireSpendHeader(text);
  const digits = text.slice(HEADER.length);
  if (digits.length !== count * SIGNATURE_DIGITS) return undefined;
  return Array.from({ length: count }, (_, i) =>
    decodeBase58Field(digits.slice(i * SIGNATURE_DIGITS, (i + 1) * SIGNATURE_DIGITS), 64),
  );
}

/** Checked before the daemon is asked, as in the reference. @throws ProofError `bad-header` */
export function requireSpendHeader(text: string): void {
  if (!text.startsWith(HEADER)) throw new ProofError('bad-header', `expected a text that begins with ${HEADER}`);
}

/** `check_spend_proof`, wallet2.cpp. */
export async function checkSpend(
  { daemon }: Pick<ProofContext, 'daemon'>,
  txHash: TxHash,
  message: string,
  proof: string,
): Promise<boolean> {
  const { transaction } = await findTransaction(daemon, txHash);
  const inputs = keyInputs(transaction);
  const count = inputs.reduce((sum, { keyOffsets }) => sum + keyOffsets.length, 0);
  const signatures = decodeSpendProof(proof, count);
  if (signatures === undefined) return false;
  // A coinbase has no ring: an empty proof of it would show nothing.
  if (inputs.length === 0) return false;
  const hash = proofHash(txHash, message);
  const rings = await ringsOf(daemon, transaction);
  let at = 0;
  return inputs.every(({ keyImage }, i) => {
    const ring = rings[i]!;
    at += ring.length;
    return checkRingSignature(hash, keyImage, ring, signatures.slice(at - ring.length, at));
  });
}

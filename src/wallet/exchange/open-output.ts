import {
  bytesToHex,
  deriveSubaddressPublicKey,
  generateKeyDerivation,
  generateKeyImage,
  hexToBytes,
  IDENTITY,
  wipe,
} from '../../crypto/index.ts';
import type { KeyImage } from '../../protocol/model.ts';
import type { SubaddressIndex } from '../model.ts';
import { outputSecretKey, type SpentOutput } from '../spend/construct.ts';
import type { ExchangeContext } from './context.ts';
import { ExchangeError } from './errors.ts';

/** An output in somebody's words: its one-time key, the public keys of its transaction, and its place there. */
export interface ToldOutput {
  /** 32 bytes each. */
  readonly key: Uint8Array;
  readonly txPublicKey: Uint8Array;
  readonly additionalPublicKeys: readonly Uint8Array[];
  readonly outputIndex: bigint;
}

/** What our view key makes of it. */
export interface OpenedOutput extends SpentOutput {
  readonly subaddress: SubaddressIndex;
}

/** Above this an index is no index (`import_outputs`, wallet2.cpp). */
const MAX_OUTPUT_INDEX = 65_536n;

/**
 * Finds whose output it is: the main key first, then the additional key of the output's own position (`is_out_to_acc_precomp`).
 * @throws ExchangeError `not-ours`
 */
export function openOutput(ctx: ExchangeContext, told: ToldOutput, position: number): OpenedOutput {
  if (told.outputIndex >= MAX_OUTPUT_INDEX) throw notOurs(position);
  const outputIndex = Number(told.outputIndex);
  const additional = told.additionalPublicKeys[outputIndex];
  for (const publicKey of additional === undefined ? [told.txPublicKey] : [told.txPublicKey, additional]) {
    const derivation = generateKeyDerivation(publicKey, ctx.keys.viewKey) ?? IDENTITY.slice();
    const spendKey = deriveSubaddressPublicKey(told.key, derivation, outputIndex);
    wipe(derivation);
    const subaddress = spendKey === undefined ? undefined : ctx.find(spendKey);
    if (subaddress !== undefined) {
      return { key: bytesToHex(told.key), txPublicKey: bytesToHex(publicKey), outputIndex, subaddress };
    }
  }
  throw notOurs(position);
}

function notOurs(position: number): ExchangeError {
  return new ExchangeError('not-ours', 'expected outputs that the keys of this wallet open', { position });
}

/**
 * The one-time secret key of an output of ours, 32 bytes. The caller wipes it.
 * @throws ExchangeError `view-only`, `not-ours`
 */
export function secretOf(ctx: ExchangeContext, output: OpenedOutput, position: number): Uint8Array {
  const { spendKey, viewKey } = ctx.keys;
  if (spendKey === undefined) throw new ExchangeError('view-only', 'expected a wallet that holds its spend key');
  try {
    return outputSecretKey(output, { spendKey, viewKey });
  } catch {
    throw notOurs(position);
  }
}

/** @throws ExchangeError `view-only`, `not-ours` */
export function keyImageOf(ctx: ExchangeContext, output: OpenedOutput, position: number): KeyImage {
  const secret = secretOf(ctx, output, position);
  const image = generateKeyImage(hexToBytes(output.key), secret);
  wipe(secret);
  return bytesToHex(image) as KeyImage;
}

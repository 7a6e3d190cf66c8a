import { bytesToHex, hexToBytes, wipe } from '../../base/index.ts';
import { deriveSubaddressPublicKey, generateKeyImage } from '../../crypto/index.ts';
import { type KeyImage, RECORDED_OUTPUTS, toKeyImage } from '../../protocol/index.ts';
import type { ExportedTransfer } from '../../wallet2/index.ts';
import { isWithin } from '../lookahead.ts';
import type { SubaddressIndex } from '../model.ts';
import { outputSecretKey, type SpentOutput } from '../spend/construct.ts';
import { indexKey } from '../state/state.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';

/** An output as a file describes it: its one-time key, the public keys of its transaction, and its index there. */
export type OutputToOpen = Pick<ExportedTransfer, 'key' | 'txPublicKey' | 'additionalPublicKeys' | 'outputIndex'>;

/** An output as our view key opens it. */
export interface OpenedOutput extends SpentOutput {
  readonly subaddress: SubaddressIndex;
}

/** Keys of the wallet whose outputs are opened, and a lookup of subaddresses by public spend key. */
export type Opener = Pick<OfflineContext, 'keys' | 'find'>;

/**
 * An opener that also knows subaddresses beyond the lookahead that outputs are claimed to belong to, those imported before, and the primary
 * one of their accounts, where change returns. Each is derived from our keys, so a claim makes nothing ours (`create_one_off_subaddress`,
 * wallet2.cpp).
 */
export function openerOf(
  { keys, state, find }: OfflineContext,
  claimed: readonly Pick<ExportedTransfer, 'owner'>[] = [],
): Opener {
  const owners = [...claimed.map(({ owner }) => owner), ...state.imported.map((output) => output?.subaddress)];
  const indices = owners.flatMap((owner) => (owner === undefined ? [] : [owner, { major: owner.major, minor: 0 }]));
  const beyond = indices.filter((index) => !isWithin(state, index));
  const distinct = new Map(beyond.map((index) => [indexKey(index), index]));
  const bySpendKey = new Map([...distinct.values()].map((index) => [bytesToHex(keys.addressKeys(index).spendKey), index]));
  return { keys, find: (spendKey) => find(spendKey) ?? bySpendKey.get(bytesToHex(spendKey)) };
}

/** Indices above this are invalid (`import_outputs`, wallet2.cpp). */
const MAX_OUTPUT_INDEX = 65_536n;

/**
 * Finds the owner of an output: by the main key first, then by the additional key at the output's own position (`is_out_to_acc_precomp`).
 * @throws OfflineSigningError `not-ours`
 */
export function openOutput({ keys, find }: Opener, output: OutputToOpen, position: number): OpenedOutput {
  if (output.outputIndex >= MAX_OUTPUT_INDEX) throw notOurs(position);
  const outputIndex = Number(output.outputIndex);
  const additional = output.additionalPublicKeys[outputIndex];
  for (const publicKey of additional === undefined ? [output.txPublicKey] : [output.txPublicKey, additional]) {
    const derivation = RECORDED_OUTPUTS.sharedByReceiver(publicKey, keys.viewKey);
    const spendKey = deriveSubaddressPublicKey(output.key, derivation, outputIndex);
    wipe(derivation);
    const subaddress = spendKey === undefined ? undefined : find(spendKey);
    if (subaddress !== undefined) {
      return { key: bytesToHex(output.key), txPublicKey: bytesToHex(publicKey), outputIndex, subaddress };
    }
  }
  throw notOurs(position);
}

function notOurs(position: number): OfflineSigningError {
  return new OfflineSigningError('not-ours', 'expected outputs that the keys of this wallet open', { position });
}

/**
 * The one-time secret key of an output of ours, 32 bytes. The caller wipes it.
 * @throws OfflineSigningError `view-only`, `not-ours`
 */
export function secretOf({ keys }: Pick<Opener, 'keys'>, output: OpenedOutput, position: number): Uint8Array {
  const { spendKey, viewKey } = keys;
  if (spendKey === undefined) throw new OfflineSigningError('view-only', 'expected a wallet that holds its spend key');
  try {
    return outputSecretKey(output, { spendKey, viewKey });
  } catch {
    throw notOurs(position);
  }
}

/** @throws OfflineSigningError `view-only`, `not-ours` */
export function keyImageOf(ctx: Pick<Opener, 'keys'>, output: OpenedOutput, position: number): KeyImage {
  const secret = secretOf(ctx, output, position);
  const image = generateKeyImage(hexToBytes(output.key), secret);
  wipe(secret);
  return toKeyImage(image);
}

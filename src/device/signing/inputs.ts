import { bytesToHex, equalBytes, hexToBytes } from '../../base/index.ts';
import type { SpentOutput } from '../../wallet/spend/construct.ts';
import type { UnsignedInput } from '../../wallet/spend/unsigned.ts';
import {
  deriveSecretKey,
  deriveSubaddressPublicKey,
  genKeyDerivation,
  genKeyImage,
  getSubaddressSecretKey,
  secretKeyAdd,
  secretKeyToPublicKey,
} from '../commands/secrets.ts';
import { DeviceError } from '../errors.ts';
import { type DeviceSession, SPEND_KEY_SLOT, VIEW_KEY_SLOT } from '../session.ts';

/** An output that the device has opened. */
export interface OpenedOutput {
  /** Its secret key, sealed: 32 bytes. */
  readonly secret: Uint8Array;
  /** 32 bytes, as the device says it. */
  readonly keyImage: Uint8Array;
}

/**
 * Has the device open an output of ours and return its key image: 4 requests, or 6 for a subaddress.
 * @param candidates to ask like the reference wallet: the keys of the output's transaction, the main one first
 * @throws DeviceError `wrong-device` when it is not its output
 */
export async function openOutput(
  session: DeviceSession,
  output: SpentOutput,
  candidates?: readonly Uint8Array[],
): Promise<OpenedOutput> {
  const key = hexToBytes(output.key);
  const derivation = await derivationOf(session, output, key, candidates);
  let secret = await deriveSecretKey(session, derivation, output.outputIndex, SPEND_KEY_SLOT);
  if (output.subaddress.major !== 0 || output.subaddress.minor !== 0) {
    const offset = await getSubaddressSecretKey(session, output.subaddress);
    secret = await secretKeyAdd(session, secret, offset);
  }
  if (!equalBytes(await secretKeyToPublicKey(session, secret), key)) {
    throw new DeviceError('wrong-device', 'expected the device to open an output of this wallet');
  }
  return { secret, keyImage: await genKeyImage(session, key, secret) };
}

async function derivationOf(
  session: DeviceSession,
  { txPublicKey, outputIndex }: SpentOutput,
  key: Uint8Array,
  candidates: readonly Uint8Array[] | undefined,
): Promise<Uint8Array> {
  if (candidates === undefined) return genKeyDerivation(session, hexToBytes(txPublicKey), VIEW_KEY_SLOT);
  const derivations: Uint8Array[] = [];
  for (const candidate of candidates) derivations.push(await genKeyDerivation(session, candidate, VIEW_KEY_SLOT));
  const [main, additional] = [0, 1 + outputIndex];
  await deriveSubaddressPublicKey(session, key, derivations[main]!, outputIndex);
  if (bytesToHex(candidates[main]!) === txPublicKey) return derivations[main]!;
  await deriveSubaddressPublicKey(session, key, derivations[additional]!, outputIndex);
  return derivations[additional]!;
}

/** Each input opened, in the order given. @throws DeviceError `bad-answer` for another key image than the wallet's */
export async function openInputs(
  session: DeviceSession,
  inputs: readonly UnsignedInput[],
  candidates?: (input: UnsignedInput) => readonly Uint8Array[],
): Promise<readonly OpenedOutput[]> {
  const opened: OpenedOutput[] = [];
  for (const input of inputs) {
    const output = await openOutput(session, input.output, candidates?.(input));
    if (bytesToHex(output.keyImage) !== input.output.keyImage) {
      throw new DeviceError('bad-answer', 'expected the key image that is known', { expected: 'the key image that is known' });
    }
    opened.push(output);
  }
  return opened;
}

import { equalBytes, wipe } from '../../base/index.ts';
import { derivationToScalar, derivePublicKey, deriveViewTag, generateKeyDerivation } from '../../crypto/index.ts';
import { buildExtra, type KeysNeeded, type PaidOutput, sameAddress } from '../../protocol/index.ts';
import type { UnsignedTransaction } from '../../wallet/spend/unsigned.ts';
import { genTxoutKeys, type OutputKeys } from '../commands/gen-txout-keys.ts';
import { secretScalMulBase, secretScalMulKey } from '../commands/secrets.ts';
import { expectOfDevice } from '../errors.ts';
import type { DeviceSession } from '../session.ts';

/** The keys that the device drew for a transaction, sealed, 32 bytes each. */
export interface TxSecrets {
  readonly main: Uint8Array;
  /** One an output, where they have keys of their own. */
  readonly additional: readonly Uint8Array[];
}

/** The outputs of a transaction, in its order. */
export interface DeviceOutputs {
  readonly paid: readonly PaidOutput[];
  readonly keys: readonly OutputKeys[];
  /** The transaction's, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly extra: Uint8Array;
}

/** Whether an output returns to the wallet, or is the dummy: the device derives it by its own view key. */
export const isChange = ({ changeAddress }: UnsignedTransaction, { address }: PaidOutput): boolean =>
  changeAddress !== undefined && sameAddress(address, changeAddress);

/**
 * Has the device make the outputs. Change is checked at once; the others by the proofs after the signature.
 * @param r the transaction's public key r·G as the device returned it when it drew r
 * @throws DeviceError
 */
export async function makeOutputs(
  session: DeviceSession,
  unsigned: UnsignedTransaction,
  viewKey: Uint8Array,
  request: {
    readonly paid: readonly PaidOutput[];
    readonly needed: KeysNeeded;
    readonly r: Uint8Array;
    readonly secrets: TxSecrets;
    readonly paymentId: Uint8Array | undefined;
  },
): Promise<DeviceOutputs> {
  const { paid, needed, r, secrets, paymentId } = request;
  const publicKey = await publicKeyOf(session, secrets.main, needed, r);
  const keys: OutputKeys[] = [];
  for (const [index, output] of paid.entries()) {
    const change = isChange(unsigned, output);
    const own = { address: output.address, index, isChange: change, additional: secrets.additional[index] };
    const made = await genTxoutKeys(session, { secret: secrets.main, publicKey, ...own });
    if (change) checkChange(made, output, index, generateKeyDerivation(publicKey, viewKey));
    keys.push(made);
  }
  const additionalPubKeys = keys.flatMap(({ additional }) => additional ?? []);
  const id = paymentId && ({ kind: 'encrypted', bytes: paymentId } as const);
  return { paid, keys, publicKey, extra: buildExtra({ pubKey: publicKey, additionalPubKeys, paymentId: id }) };
}

async function publicKeyOf(
  session: DeviceSession,
  secret: Uint8Array,
  { onlySubaddress }: KeysNeeded,
  r: Uint8Array,
): Promise<Uint8Array> {
  if (onlySubaddress !== undefined) return secretScalMulKey(session, onlySubaddress.spendKey, secret);
  const publicKey = await secretScalMulBase(session, secret);
  expectOfDevice(equalBytes(publicKey, r), 'the public key that it told before');
  return publicKey;
}

function checkChange(made: OutputKeys, { address }: PaidOutput, index: number, derivation: Uint8Array | undefined): void {
  const key = derivation && derivePublicKey(derivation, index, address.spendKey);
  expectOfDevice(key !== undefined && equalBytes(made.key, key), 'change that returns');
  expectOfDevice(made.viewTag === deriveViewTag(derivation!, index), 'change that is found');
  wipe(derivation!);
}

/** The key of an amount that our view key opens, 32 bytes. */
export function amountKeyOfChange(publicKey: Uint8Array, viewKey: Uint8Array, index: number): Uint8Array {
  const derivation = generateKeyDerivation(publicKey, viewKey)!;
  const key = derivationToScalar(derivation, index);
  wipe(derivation);
  return key;
}

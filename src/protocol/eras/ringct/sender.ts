import { RandomSampler, wipe } from '../../../base/index.ts';
import {
  commitmentMask,
  derivationToScalar,
  derivePublicKey,
  deriveViewTag,
  encodeAmount8,
  generateKeyDerivation,
  type Random,
  randomScalar,
  scalarMulBase,
  scalarMulPoint,
} from '../../../crypto/index.ts';
import { addressId, type PaidAddress, type PaidOutput, sameAddress } from '../../address.ts';
import { buildExtra, encryptPaymentId, type PaymentId } from '../../extra.ts';
import type { TxPrefix } from '../../model.ts';
import type {
  KeysNeeded,
  MadeOutput,
  MadeOutputs,
  OutputChoices,
  OutputsAsked,
  OutputsFlaw,
  SharedChoices,
  SharedOutputs,
} from '../era.ts';

/** How a sender makes one-time outputs, as `construct_tx_with_tx_key` (cryptonote_tx_utils.cpp) does. */

/** Version 1 transactions and coinbases have clear amounts. */
export function hasClearAmounts({ version, inputs }: Pick<TxPrefix, 'version' | 'inputs'>): boolean {
  return version === 1 || isCoinbase(inputs);
}

const isCoinbase = (inputs: TxPrefix['inputs']): boolean => inputs[0]?.type === 'gen';

/** Number of a transaction's secret keys: its own, and one per output where a single key is not enough. */
export function countTxKeys(outputs: readonly PaidOutput[], change: PaidAddress | undefined): number {
  return 1 + (classifyRecipients(outputs, change).needsAdditionalKeys ? outputs.length : 0);
}

/** Makes outputs in random order, with one key for all and, where needed, one more for each. */
export function makeOutputs(request: OutputsAsked, random: Random): MadeOutputs | OutputsFlaw {
  const outputOrder = new RandomSampler(random).shuffled(request.outputs.map((_, i) => i));
  const main = randomScalar(random);
  const additional = Array.from({ length: countTxKeys(request.outputs, request.change?.address) - 1 }, () =>
    randomScalar(random),
  );
  return remakeOutputs(request, { outputOrder, txKeys: [main, ...additional] });
}

/** The outputs that follow from these choices, for comparison with those of a transaction (T1); a flaw where none do. */
export function remakeOutputs(request: OutputsAsked, { outputOrder, txKeys }: OutputChoices): MadeOutputs | OutputsFlaw {
  const paid = outputOrder.map((i) => request.outputs[i]!);
  const { onlySubaddress, needsAdditionalKeys } = classifyRecipients(paid, request.change?.address);
  const [main, ...additional] = txKeys;
  if (main === undefined || additional.length !== (needsAdditionalKeys ? paid.length : 0)) return 'wrong-count';
  const pubKey = publicFor(main, onlySubaddress);
  const paymentId = encryptedId(request, paid, main);
  if (typeof paymentId === 'string') return paymentId;
  const outputs = paid.map((output, i) => makeOutput(request, output, i, additional[i] ?? main, { main, pubKey }));
  if (!outputs.every((output) => output !== undefined)) return 'bad-key';
  const additionalPubKeys = additional.map((secret, i) => publicFor(secret, paid[i]!.address));
  return { outputs, outputOrder, txKeys, extra: buildExtra({ pubKey, additionalPubKeys, paymentId }) };
}

/** The public transaction key for an address: r·D for a subaddress, otherwise r·G. */
function publicFor(secret: Uint8Array, address: PaidAddress | undefined): Uint8Array {
  return address?.isSubaddress ? scalarMulPoint(secret, address.spendKey) : scalarMulBase(secret);
}

/** The derivation is made with our view key for change, otherwise with the transaction key that the receiver will use. */
function makeOutput(
  request: OutputsAsked,
  paid: PaidOutput,
  index: number,
  own: Uint8Array,
  { main, pubKey }: { readonly main: Uint8Array; readonly pubKey: Uint8Array },
): MadeOutput | undefined {
  const { address } = paid;
  const derivation = isChange(request, address)
    ? generateKeyDerivation(pubKey, request.change!.viewKey)
    : generateKeyDerivation(address.viewKey, address.isSubaddress ? own : main);
  return derivation && outputOf(request, paid, index, derivation);
}

const isChange = ({ change }: Pick<OutputsAsked, 'change'>, address: PaidAddress): boolean =>
  change !== undefined && sameAddress(address, change.address);

/** Makes an output from the secret shared with its receiver, which is wiped. */
function outputOf(
  request: OutputsAsked,
  { address, amount }: PaidOutput,
  index: number,
  derivation: Uint8Array,
): MadeOutput | undefined {
  const key = derivePublicKey(derivation, index, address.spendKey);
  if (key === undefined) return undefined;
  const amountKey = derivationToScalar(derivation, index);
  const ecdh = { mask: undefined, amount: encodeAmount8(amountKey, amount) };
  const mask = commitmentMask(amountKey);
  const viewTag = deriveViewTag(derivation, index);
  wipe(amountKey, derivation);
  return { output: { amount: hasClearAmounts(request) ? amount : 0n, key, viewTag }, amount, ecdh, mask };
}

/** What a transaction's keys depend on, and the view key to which its payment id is encrypted. */
export function keysNeeded(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): KeysNeeded {
  const { onlySubaddress, needsAdditionalKeys } = classifyRecipients(outputs, change);
  const encrypts = hasEncryptedPaymentId(outputs, change, real);
  return { onlySubaddress, needsAdditionalKeys, paymentIdViewKey: encrypts ? paymentIdViewKey(outputs, change) : undefined };
}

/** Makes the same outputs from the secrets shared with their receivers, without the sender's keys. */
export function remakeShared(request: OutputsAsked, choices: SharedChoices): SharedOutputs | OutputsFlaw {
  const { outputOrder, publicKey, additional, shared, paymentIdShared } = choices;
  const paid = outputOrder.map((i) => request.outputs[i]!);
  const needed = keysNeeded(paid, request.change?.address, request.paymentId !== undefined);
  if (additional.length !== (needed.needsAdditionalKeys ? paid.length : 0)) return 'wrong-count';
  const outputs = paid.map((output, i) => {
    const own = isChange(request, output.address);
    const derivation = own ? generateKeyDerivation(publicKey, request.change!.viewKey) : shared[i]?.slice();
    return derivation && outputOf(request, output, i, derivation);
  });
  if (!outputs.every((output) => output !== undefined)) return 'bad-key';
  if (needed.paymentIdViewKey === undefined) {
    if (request.paymentId !== undefined) return 'several-receivers';
    return { outputs, extra: buildExtra({ pubKey: publicKey, additionalPubKeys: additional }) };
  }
  if (paymentIdShared === undefined) return 'bad-key';
  const bytes = encryptPaymentId(request.paymentId ?? new Uint8Array(8), paymentIdShared);
  const paymentId = { kind: 'encrypted', bytes } as const;
  return { outputs, extra: buildExtra({ pubKey: publicKey, additionalPubKeys: additional, paymentId }) };
}

/** The payment id for tx_extra: usually a dummy one, none in a coinbase. */
function encryptedId(request: OutputsAsked, paid: readonly PaidOutput[], main: Uint8Array): PaymentId | undefined | OutputsFlaw {
  const change = request.change?.address;
  if (isCoinbase(request.inputs) || !hasEncryptedPaymentId(paid, change, request.paymentId !== undefined)) return undefined;
  const viewKey = paymentIdViewKey(paid, change);
  if (viewKey === undefined) return 'several-receivers';
  const derivation = generateKeyDerivation(viewKey, main);
  if (derivation === undefined) return 'bad-key';
  const bytes = encryptPaymentId(request.paymentId ?? new Uint8Array(8), derivation);
  wipe(derivation);
  return { kind: 'encrypted', bytes };
}

/** Classifies the addresses that a transaction pays, except change (`classify_addresses`, cryptonote_tx_utils.cpp). */
function classifyRecipients(outputs: readonly PaidOutput[], change: PaidAddress | undefined) {
  const others = outputs.filter(({ address }) => change === undefined || !sameAddress(address, change));
  const distinct = new Map(others.map(({ address }) => [addressId(address), address]));
  const addresses = [...distinct.values()];
  const subaddresses = addresses.filter(({ isSubaddress }) => isSubaddress);
  return {
    onlySubaddress: addresses.length === 1 ? subaddresses[0] : undefined,
    /** One key for all is not enough when a subaddress is paid along with other addresses. */
    needsAdditionalKeys: subaddresses.length > 0 && addresses.length > 1,
  };
}

/**
 * The view key that a payment id is encrypted to (`get_destination_view_key_pub`): that of the only destination, or of change when there is
 * no other; undefined when there are several.
 */
function paymentIdViewKey(outputs: readonly PaidOutput[], change: PaidAddress | undefined): Uint8Array | undefined {
  const isOther = (address: PaidAddress) => change === undefined || !sameAddress(address, change);
  const [first, ...others] = outputs.filter(({ address, amount }) => amount > 0n && isOther(address));
  if (others.some(({ address }) => !sameAddress(address, first!.address))) return undefined;
  return (first?.address ?? change)?.viewKey;
}

/** Whether the extra field holds an encrypted payment id: a real one, or a dummy for the usual destination and change. */
export function hasEncryptedPaymentId(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): boolean {
  return real || (outputs.length <= 2 && paymentIdViewKey(outputs, change) !== undefined);
}

/** Bytes: 33 for the key, the additional keys, 11 for an encrypted payment id. */
export function extraSize(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): number {
  const additional = classifyRecipients(outputs, change).needsAdditionalKeys ? 2 + 32 * outputs.length : 0;
  return 33 + additional + (hasEncryptedPaymentId(outputs, change, real) ? 11 : 0);
}

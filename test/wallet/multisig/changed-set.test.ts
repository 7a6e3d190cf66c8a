import { beforeAll, expect, it } from 'vitest';
import { bytesToHex, CodedError, hexToBytes } from '../../../src/base/index.ts';
import { CryptoError, loadCrypto, SCALAR_ONE, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import { encodeAddress, isProtocolError, signatureMessage, type TransactionV2 } from '../../../src/protocol/index.ts';
import { proposeTransaction } from '../../../src/wallet/multisig/propose.ts';
import { signSet } from '../../../src/wallet/multisig/sign-set.ts';
import { reviewOfSet } from '../../../src/wallet/offline-signing/describe.ts';
import type { WalletState } from '../../../src/wallet/state/state.ts';
import { decodeMultisigTxSet, encodeMultisigTxSet, type MultisigTxSet } from '../../../src/wallet2/index.ts';
import { FIXTURE, factsOf, Member, stateWith, thePayment } from './spending-support.ts';

// A proposal changed at each of its fields in turn, as another signer can: there alone, and at all places that say the same. The wallet refuses
// it by a named error before a nonce is used, or the field is one of those below: then what is signed, and what the person is shown of it,
// is as it was.

/** What a signer may change: nothing here goes by it, or it is worked out anew. */
const MEANS_NOTHING: readonly RegExp[] = [
  /^(construction\.)?(selectedTransfers|subaddresses)\b/,
  /^(dust|dustAddedToFee|keyImages):/,
  /\.isIntegrated:/,
  // Text that is no address is shown to nobody.
  /\.original: a name, everywhere$/,
  /^construction\.splitDestinations\.\d\.original: (a name|of another proposal)/,
  /^(construction\.)?change\.original\b/,
  // Inputs are put into the order of their key images; what stands before an image is the proposer's own.
  /^construction\.sources: backwards$/,
  /^(construction\.)?destinations: backwards, everywhere$/,
  /^construction\.sources\.\d\.multisig: another byte$/,
  /^construction\.rctConfig\.bpVersion\b/,
  // The extra of the transaction itself is what is signed; of this one the payment id alone is read.
  /^construction\.extra: (longer|another at the end|of another proposal)$/,
  /^transaction\.prunable\.clsags\.\d\.c1\b/,
  // What others sign with, and what is added up anew. Where it matters, the shares make no signature. Whose attempt it is stays.
  /^attempts(\.\d\.(?!ignored\.)\w+\S*)?: |^attempts\.\d: /,
];

let bob: Member;
let honest: MultisigTxSet;
let other: MultisigTxSet;
let state: WalletState;

beforeAll(async () => {
  await loadCrypto();
  const [ada, second, cy] = FIXTURE.seeds.map((seed) => new Member(seed)) as [Member, Member, Member];
  bob = second;
  const payment = await thePayment();
  const proposed = (): MultisigTxSet => ({
    transactions: [proposeTransaction(factsOf(ada, [bob, cy]), payment, systemRandom)],
    signers: [hexToBytes(ada.name)],
  });
  [honest, other] = [proposed(), proposed()];
  state = stateWith(
    bob.account,
    honest.transactions.map(({ construction }) => construction),
  );
});

type Path = readonly (string | number)[];

/** Of a long list, such as a ring, the first entries stand for all. */
const SHOWN = 2;

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  const long = Array.isArray(value) && value.length > 4;
  for (const [key, below] of Object.entries(value).slice(0, long ? SHOWN : undefined)) yield* pathsOf(below, [...path, key]);
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined), value);

function withAt(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const below = withAt(at(value, [key]), rest, to);
  return Array.isArray(value) ? value.map((one, i) => (i === Number(key) ? below : one)) : { ...(value as object), [key]: below };
}

/** An address that the group has nothing to do with. */
function elsewhere(): string {
  const key = scalarMulBase(SCALAR_ONE.slice());
  return encodeAddress({ network: 'regtest', kind: 'standard', spendKey: key, viewKey: key, paymentId: undefined });
}

function changesOf(value: unknown): Record<string, unknown> {
  if (value instanceof Uint8Array) {
    const another = value.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
    const last = value.map((byte, i) => (i === value.length - 1 ? byte ^ 0x0f : byte));
    return { 'another byte': another, 'another at the end': last, longer: Uint8Array.of(...value, 0) };
  }
  if (typeof value === 'bigint') return { more: value + 1n, nothing: 0n };
  if (typeof value === 'number') return { more: value + 1 };
  if (typeof value === 'boolean') return { not: !value };
  if (typeof value === 'string') return { 'an address': elsewhere(), 'a name': 'the blue house' };
  if (!Array.isArray(value)) return {};
  return { longer: [...value, ...value.slice(-1)], shorter: value.slice(1), backwards: value.toReversed(), nothing: [] };
}

/** Whether the same could be said at several places, and means something. */
const isFact = (value: unknown): boolean =>
  typeof value === 'bigint' ? value > 1_000n : typeof value !== 'number' && typeof value !== 'boolean';

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Uint8Array ? bytesToHex(part) : typeof part === 'bigint' ? `${part}n` : part,
  );

const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

/** As it arrives; undefined where no message can say this, or where it says the same. */
function arriving(set: unknown): Uint8Array | undefined {
  try {
    const bytes = encodeMultisigTxSet(set as MultisigTxSet);
    return isSame(bytes, encodeMultisigTxSet(honest)) ? undefined : bytes;
  } catch {
    return undefined;
  }
}

interface Change {
  /** Where, and what. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

function* changedSets(): Generator<Change> {
  const places = [...pathsOf(honest)].map((path) => ({ path, text: textOf(at(honest, path)) }));
  for (const { path, text } of places) {
    const value = at(honest, path);
    const same = isFact(value) ? places.filter((place) => place.text === text) : [];
    // All of another proposal is another proposal, as good as the first.
    const fromAnother = value instanceof Uint8Array ? { 'of another proposal': at(other, path) } : {};
    for (const [what, to] of Object.entries({ ...changesOf(value), ...fromAnother })) {
      const name = `${path.join('.').replace(/^transactions\.0\./, '')}: ${what}`;
      const alone = arriving(withAt(honest, path, to));
      if (alone !== undefined) yield { name, bytes: alone };
      const all =
        same.length > 1 ? arriving(same.reduce<unknown>((set, place) => withAt(set, place.path, to), honest)) : undefined;
      if (all !== undefined) yield { name: `${name}, everywhere`, bytes: all };
    }
  }
}

const signedOf = ({ transactions }: MultisigTxSet) =>
  transactions.map(({ transaction }) => bytesToHex(signatureMessage(transaction as TransactionV2)));
const shownOf = ({ transactions }: MultisigTxSet) =>
  reviewOfSet(
    transactions.map(({ construction }) => construction),
    'regtest',
    () => [],
  );

/** The code of the refusal; undefined where all is signed that was proposed, and shown as it was. */
async function refusalOf(bytes: Uint8Array): Promise<string | undefined> {
  bob.used.clear();
  try {
    const set = decodeMultisigTxSet(bytes);
    const { set: signed } = await signSet(bob.context(state), set);
    expect(signedOf(signed)).toEqual(signedOf(honest));
    expect(shownOf(set)).toEqual(shownOf(honest));
    return undefined;
  } catch (error) {
    const named = (error instanceof CodedError && !(error instanceof CryptoError)) || isProtocolError(error);
    if (!named) throw error;
    // Shares that do not fit are seen when nonces are used up.
    if (error.code !== 'bad-shares') expect(bob.used.size).toBe(0);
    return error.code;
  }
}

it('T25 signers: a set that was changed in any field is refused, or signs and shows the same', { timeout: 60_000 }, async () => {
  const sound = encodeMultisigTxSet(honest);
  expect(await refusalOf(sound)).toBeUndefined();
  const taken: string[] = [];
  let refused = 0;
  for (const { name, bytes } of changedSets()) {
    const code = await refusalOf(bytes).catch((cause: unknown) => {
      throw new Error(name, { cause });
    });
    if (code !== undefined) refused++;
    else if (!MEANS_NOTHING.some((pattern) => pattern.test(name))) taken.push(name);
  }
  expect(taken).toEqual([]);
  expect(refused).toBeGreaterThan(300);
});

import { bytesToHex, equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { areInMainSubgroup, secretKeyToPublicKey } from '../../crypto/index.ts';
import { type KeyImage, sameAddress } from '../../protocol/index.ts';
import type { MultisigExport } from '../../wallet2/index.ts';
import type { WalletContext } from '../context.ts';
import type { KeyedImage, OwnedOutput } from '../model.ts';
import { binomial, groupKeys, type MultisigAccount, sharesOfEach } from './account.ts';
import { nonceText, type SignerExport } from './cosigning-state.ts';
import { MultisigError } from './errors.ts';
import { composedKeyImage, partialKeyImages } from './key-images.ts';
import { noncesOfOutput, publicNonces } from './nonces.ts';
import { includesKey } from './shared-inputs.ts';

/** Our export for all outputs of the group. @param seed of the nonces, 32 bytes, secret */
export function exportOf(account: MultisigAccount, outputs: readonly OwnedOutput[], seed: Uint8Array): MultisigExport {
  const signer = secretKeyToPublicKey(account.baseSecret)!;
  const count = noncesOfOutput(account);
  return {
    account: groupKeys(account),
    signer,
    outputs: outputs.map((output) => {
      const key = hexToBytes(output.key);
      return { signer, nonces: publicNonces(seed, key, count), partialKeyImages: partialKeyImages(account, key) };
    }),
  };
}

/** Result of importing other signers' exports. */
export interface ImportedInfo {
  readonly exports: readonly SignerExport[];
  /** Key images of the outputs that every other signer has exported. */
  readonly images: readonly KeyedImage[];
}

/**
 * Checks other signers' exports and composes the key images (`import_multisig`, wallet2.cpp). Ignores our own export and repeated ones.
 * Changes nothing.
 * @param outputs of the wallet, by position
 * @throws MultisigError `other-group`, `too-few-signers`, `unknown-signer`, `bad-set`, `bad-key`, `bad-key-images`
 */
export function readInfo(
  account: MultisigAccount,
  outputs: readonly OwnedOutput[],
  exports: readonly MultisigExport[],
): ImportedInfo {
  const distinct = othersOf(account, exports);
  if (distinct.length + 1 < account.threshold || distinct.length + 1 > account.signers.length) {
    throw new MultisigError('too-few-signers', 'expected exports of enough other signers', {
      found: distinct.length,
      required: account.threshold - 1,
    });
  }
  const count = Math.min(outputs.length, ...distinct.map((one) => one.outputs.length));
  const known = outputs.slice(0, count);
  for (const one of distinct) requireSound(account, one);
  const exported = distinct.map(({ signer, outputs: infos }) => ({
    signer: bytesToHex(signer),
    outputs: known.map(({ key }, n) => ({
      key,
      nonces: infos[n]!.nonces.map(nonceText).join(''),
      partialKeyImages: infos[n]!.partialKeyImages.map(bytesToHex).join(''),
    })),
  }));
  const images = known.map((output, n) => {
    const parts = distinct.flatMap((one) => one.outputs[n]!.partialKeyImages);
    requireWhole(account, hexToBytes(output.key), parts);
    return { key: output.key, keyImage: composedKeyImage(account, output, parts) };
  });
  requireDistinct([...images, ...outputs.slice(count)]);
  return { exports: exported, images };
}

/** Requires key images to differ: otherwise the spend of one output would be taken for that of another. */
function requireDistinct(all: readonly { readonly keyImage: KeyImage | undefined }[]): void {
  const images = all.flatMap(({ keyImage }) => keyImage ?? []);
  if (new Set(images).size !== images.length)
    throw new MultisigError('bad-key-images', 'expected a key image of its own for every output: one of the signers lies');
}

/** @throws MultisigError `other-group` */
export function requireThisGroup(account: MultisigAccount, signerExport: Pick<MultisigExport, 'account'>): void {
  if (!sameAddress(signerExport.account, groupKeys(account)))
    throw new MultisigError('other-group', 'expected exports of this group');
}

/** The first export of each other signer. */
function othersOf(account: MultisigAccount, exports: readonly MultisigExport[]): MultisigExport[] {
  const self = secretKeyToPublicKey(account.baseSecret)!;
  const bySigner = new Map<string, MultisigExport>();
  for (const one of exports) {
    requireThisGroup(account, one);
    const name = bytesToHex(one.signer);
    if (!equalBytes(one.signer, self) && !bySigner.has(name)) bySigner.set(name, one);
  }
  return [...bySigner.values()];
}

function requireSound(account: MultisigAccount, { signer, outputs }: MultisigExport): void {
  if (!includesKey(account.signers, signer))
    throw new MultisigError('unknown-signer', 'expected an export of a member of this group');
  const [mostNonces, mostParts] = [noncesOfOutput(account), sharesOfEach(account.signers.length, account.threshold)];
  for (const output of outputs) {
    if (!equalBytes(output.signer, signer)) throw new MultisigError('bad-set', 'expected one signer in an export');
    // Each point takes a check and is stored, so their number is bounded.
    if (output.nonces.length > mostNonces || output.partialKeyImages.length > mostParts)
      throw new MultisigError('bad-key-images', 'expected no more nonces and parts of key images than the group has use for');
  }
  const points = outputs.flatMap(({ nonces, partialKeyImages: parts }) => [
    ...nonces.flatMap(({ left, right }) => [left, right]),
    ...parts,
  ]);
  if (!areInMainSubgroup(points)) throw new MultisigError('bad-key', 'expected points of the prime subgroup', { of: 'message' });
}

/** Together, enough signers hold every share of the group: there must be as many distinct partial key images, and no more. */
function requireWhole(account: MultisigAccount, key: Uint8Array, parts: readonly Uint8Array[]): void {
  const { signers, threshold } = account;
  const own = partialKeyImages(account, key);
  const distinct = new Set([...own, ...parts].map(bytesToHex)).size;
  if (distinct === binomial(signers.length, signers.length - threshold + 1)) return;
  throw new MultisigError('bad-key-images', 'expected key images that fit together: one of the signers told something else');
}

/** The outputs of the wallet in the order that all members use. */
export const outputsInOrder = ({ state }: Pick<WalletContext, 'state'>): OwnedOutput[] =>
  [...state.outputs.values()].map(({ output }) => output);

/** Runs `work` with a seed and wipes the seed afterwards. */
export async function withSeed<T>(seed: Uint8Array, work: (seed: Uint8Array) => T | Promise<T>): Promise<T> {
  try {
    return await work(seed);
  } finally {
    wipe(seed);
  }
}

import { bytesToHex, hexToBytes, pushTo, valueAt } from '../../base/index.ts';
import type { OutputKey } from '../../protocol/index.ts';
import type { PublicNonce } from '../../wallet2/index.ts';

/** Nonces that this signer exported: their seed, and the outputs whose nonces are unused. */
export interface OwnNonces {
  /** 64 hex digits, secret. */
  readonly seed: string;
  /** Changes with every use, here and beside the journal: `unused` is only valid if both marks are equal. */
  readonly mark: string;
  readonly unused: ReadonlySet<OutputKey>;
}

/** Another signer's export for one output, in hex: 128 digits for each nonce, 64 for each partial key image. */
export interface SignerExportOutput {
  readonly key: string;
  readonly nonces: string;
  readonly partialKeyImages: string;
}

/** Another signer's export. */
export interface SignerExport {
  /** Base key, 64 hex digits. */
  readonly signer: string;
  readonly outputs: readonly SignerExportOutput[];
}

/** Other signers' public nonces for one output, by the signer's base key in hex. Each nonce is used once. */
export type SignerNonces = ReadonlyMap<string, readonly PublicNonce[]>;

/** Exports that the signers of a group exchange before a payment. */
export interface CosigningState {
  readonly own: OwnNonces | undefined;
  /** The latest export of each other signer, by output and by signer. */
  readonly exports: ReadonlyMap<OutputKey, ReadonlyMap<string, SignerExportOutput>>;
}

/** State of a wallet before any exchange with other signers. */
export const NO_COSIGNING: CosigningState = { own: undefined, exports: new Map() };

/** Its events in the journal. */
export type CosigningEvent =
  /** Before the export leaves: nonces of these outputs, and no others, may sign from now on. */
  | { readonly type: 'MultisigNoncesTold'; readonly seed: string; readonly mark: string; readonly keys: readonly string[] }
  /** Before a share leaves: nonces of these outputs have signed. */
  | { readonly type: 'MultisigNoncesUsed'; readonly keys: readonly string[]; readonly mark: string }
  /** Imported exports of other signers; they replace all earlier ones. */
  | { readonly type: 'MultisigInfoImported'; readonly signers: readonly SignerExport[] };

/** The state after an event. */
export function applyCosigningEvent(state: CosigningState, event: CosigningEvent): CosigningState {
  switch (event.type) {
    case 'MultisigNoncesTold':
      return { ...state, own: { seed: event.seed, mark: event.mark, unused: new Set(event.keys as readonly OutputKey[]) } };
    case 'MultisigNoncesUsed':
      return { ...state, own: state.own && withoutUsed(state.own, event.keys, event.mark) };
    case 'MultisigInfoImported':
      return { ...state, exports: withExports(state.exports, event.signers) };
  }
}

function withoutUsed(own: OwnNonces, keys: readonly string[], mark: string): OwnNonces {
  const used = new Set(keys);
  return { ...own, mark, unused: new Set([...own.unused].filter((key) => !used.has(key))) };
}

function withExports(before: CosigningState['exports'], signers: readonly SignerExport[]): CosigningState['exports'] {
  const exports = new Map(before);
  const fresh = new Map<OutputKey, Map<string, SignerExportOutput>>();
  for (const { signer, outputs } of signers) {
    for (const output of outputs) {
      valueAt(fresh, output.key as OutputKey, () => new Map<string, SignerExportOutput>()).set(signer, output);
    }
  }
  for (const [key, bySigner] of fresh) exports.set(key, bySigner);
  return exports;
}

/** Events that recreate this state from an empty one, for snapshots. */
export function* cosigningEvents({ own, exports }: CosigningState): Generator<CosigningEvent> {
  if (own !== undefined) yield { type: 'MultisigNoncesTold', seed: own.seed, mark: own.mark, keys: [...own.unused] };
  const signers = new Map<string, SignerExportOutput[]>();
  for (const bySigner of exports.values()) {
    for (const [signer, output] of bySigner) pushTo(signers, signer, output);
  }
  if (signers.size === 0) return;
  yield { type: 'MultisigInfoImported', signers: [...signers].map(([signer, outputs]) => ({ signer, outputs })) };
}

const NONCE_DIGITS = 128;
const KEY_DIGITS = 64;

function* cut(hex: string, digits: number): Generator<string> {
  for (let at = 0; at < hex.length; at += digits) yield hex.slice(at, at + digits);
}

/** The others' public nonces for an output, by signer. */
export function signerNonces({ exports }: CosigningState, key: OutputKey): SignerNonces {
  return new Map(
    [...(exports.get(key) ?? [])].map(([signer, { nonces }]) => [signer, [...cut(nonces, NONCE_DIGITS)].map(nonceOf)]),
  );
}

function nonceOf(hex: string): PublicNonce {
  return { left: hexToBytes(hex.slice(0, KEY_DIGITS)), right: hexToBytes(hex.slice(KEY_DIGITS)) };
}

/** A nonce as it is stored: its two points, 128 hex digits. */
export const nonceText = ({ left, right }: PublicNonce): string => bytesToHex(left) + bytesToHex(right);

import { ProtocolError } from '../errors.ts';
import { RctType } from '../model.ts';

/** Parts of a RingCT type on the wire (rctTypes.h). */
export interface RctForm {
  /** Encrypted amounts have 8 bytes; otherwise 32, each after a mask of 32. */
  readonly compactAmounts: boolean;
  /** Which part contains pseudo outputs. */
  readonly pseudoOuts: 'none' | 'base' | 'prunable';
  readonly rangeProof: 'borromean' | 'bulletproof' | 'bulletproof-plus';
  /** One for each input, or one MLSAG with a row for each. */
  readonly signature: 'joint-mlsag' | 'mlsag' | 'clsag';
}

const form = (
  compactAmounts: boolean,
  pseudoOuts: RctForm['pseudoOuts'],
  rangeProof: RctForm['rangeProof'],
  signature: RctForm['signature'],
): RctForm => ({ compactAmounts, pseudoOuts, rangeProof, signature });

/** All RingCT types that are read and written, by their parts on the wire. */
const FORMS: Readonly<Record<Exclude<RctType, RctType.Null>, RctForm>> = {
  [RctType.Full]: form(false, 'none', 'borromean', 'joint-mlsag'),
  [RctType.Simple]: form(false, 'base', 'borromean', 'mlsag'),
  [RctType.Bulletproof]: form(false, 'prunable', 'bulletproof', 'mlsag'),
  [RctType.Bulletproof2]: form(true, 'prunable', 'bulletproof', 'mlsag'),
  [RctType.CLSAG]: form(true, 'prunable', 'bulletproof', 'clsag'),
  [RctType.BulletproofPlus]: form(true, 'prunable', 'bulletproof-plus', 'clsag'),
};

/** The form of a type that is not Null. @throws ProtocolError `unknown-tag` */
export function rctForm(type: number): RctForm {
  const found = (FORMS as Readonly<Record<number, RctForm>>)[type];
  if (found === undefined) throw new ProtocolError('unknown-tag', `expected a RingCT type of 0 to 6, got ${type}`, { type });
  return found;
}

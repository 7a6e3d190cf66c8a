import type { ReadResult, UrType } from '../../ur/index.ts';
import { isUrType } from '../../ur/types.ts';
import { m } from '../language/messages.ts';

const NAMES: Readonly<Record<UrType, () => string>> = {
  'xmr-output': m.codes_outputs,
  'xmr-keyimage': m.codes_images,
  'xmr-txunsigned': m.codes_unsigned,
  'xmr-txsigned': m.codes_signed,
  bytes: m.group_message,
};

const STEPS: Readonly<Partial<Record<UrType, () => string>>> = {
  'xmr-txunsigned': m.codes_step_unsigned,
  'xmr-txsigned': m.codes_step_signed,
};

/** The same in a word or two, for the way that a payment goes. */
export const stepName = (type: UrType): string => (STEPS[type] ?? NAMES[type])();

/** Name of a code's contents. */
export const typeName = (type: UrType): string => NAMES[type]();

/** The words for what a code told, where the person is to know; undefined for parts as they should be. */
export function takenText(taken: ReadResult | undefined): string | undefined {
  switch (taken?.kind) {
    case 'repeated':
      return m.codes_repeated();
    case 'foreign':
      if (taken.type === undefined) return m.codes_foreign();
      return isUrType(taken.type) ? m.codes_foreign_half({ what: typeName(taken.type) }) : m.codes_foreign_kind();
    case 'other':
      return m.codes_other();
    case 'torn':
      return m.codes_torn();
    case 'too-large':
      return m.codes_too_large();
    default:
      return undefined;
  }
}

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

/** Short name of a UR type as a step of cold signing. */
export const urStepName = (type: UrType): string => (STEPS[type] ?? NAMES[type])();

/** Name of a UR type's contents. */
export const urTypeName = (type: UrType): string => NAMES[type]();

/** Message for a scanned code that is not a new part of the expected message; undefined otherwise. */
export function scanResultText(taken: ReadResult | undefined): string | undefined {
  switch (taken?.kind) {
    case 'repeated':
      return m.codes_repeated();
    case 'foreign':
      if (taken.type === undefined) return m.codes_foreign();
      return isUrType(taken.type) ? m.codes_foreign_half({ what: urTypeName(taken.type) }) : m.codes_foreign_kind();
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

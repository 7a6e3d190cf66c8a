import { eraOf, NEWEST_VERSION } from '../../protocol/eras/index.ts';

/** The era whose transactions are made, signed and judged here. */
export const ERA = eraOf(NEWEST_VERSION);

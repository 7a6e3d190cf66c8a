/**
 * Kinds of codes between the two halves of a wallet: each is a whole file of the reference wallet, as a bare byte string. The messages of a
 * group have no type of their own: they are `bytes`, whose contents say what they are.
 */
export const UR_TYPES = ['xmr-output', 'xmr-keyimage', 'xmr-txunsigned', 'xmr-txsigned', 'bytes'] as const;

/** Type of a code's contents, as written after `ur:`. */
export type UrType = (typeof UR_TYPES)[number];

export const isUrType = (type: string): type is UrType => (UR_TYPES as readonly string[]).includes(type);

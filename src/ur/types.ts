/** What travels between the two halves of a wallet: each the whole file of the reference wallet, as a bare byte string. */
export const UR_TYPES = ['xmr-output', 'xmr-keyimage', 'xmr-txunsigned', 'xmr-txsigned'] as const;

export type UrType = (typeof UR_TYPES)[number];

export const isUrType = (type: string): type is UrType => (UR_TYPES as readonly string[]).includes(type);

/** A secret key as it was typed, in small letters. */
export const keyOf = (text: string): string => text.trim().toLowerCase();

/** Whether a text is a secret key: 64 hex digits. */
export const isKeyText = (text: string): boolean => /^[0-9a-f]{64}$/.test(keyOf(text));

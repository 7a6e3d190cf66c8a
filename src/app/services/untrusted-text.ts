/** Unicode controls of text direction. They would change how the text around them is displayed. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /\p{Cc}+/gu;

/** Text that somebody else wrote, without what would change how other text is displayed. */
export const untrustedText = (text: string): string => text.replace(DIRECTIONS, '');

/** The same as one line. */
export const untrustedLine = (text: string): string => untrustedText(text).replace(CONTROLS, ' ').trim();

import decodeQR from 'qr/decode.js';

/** A picture for the worker to read codes in. */
export interface CodeFrame {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel: red, green, blue, opacity. */
  readonly pixels: Uint8ClampedArray;
  /** Milliseconds that may be spent on a code that is hard to read. */
  readonly patience: number;
}

/** Text of the code in a picture; undefined if none was found. */
export interface CodeText {
  readonly id: number;
  readonly text: string | undefined;
}

/** Text of the code in a picture; undefined if it has no readable one. */
export function readCode({ width, height, pixels, patience }: Omit<CodeFrame, 'id'>): string | undefined {
  try {
    return decodeQR({ width, height, data: pixels }, { timeLimit: patience });
  } catch {
    return undefined;
  }
}

import decodeQR from 'qr/decode.js';

/** A picture for the worker to read. */
export interface CodeFrame {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, opacity. */
  readonly pixels: Uint8ClampedArray;
  /** Milliseconds that may be spent on a code that is hard to make out. */
  readonly patience: number;
}

/** What a picture says; undefined where no code was found. */
export interface CodeText {
  readonly id: number;
  readonly text: string | undefined;
}

/** What the code in a picture says; undefined where there is none, or none that can be made out. */
export function readCode({ width, height, pixels, patience }: Omit<CodeFrame, 'id'>): string | undefined {
  try {
    return decodeQR({ width, height, data: pixels }, { timeLimit: patience });
  } catch {
    return undefined;
  }
}

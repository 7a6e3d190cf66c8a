import type { CodeReader } from '../../../workers/code-reader.ts';

/** Pixels along the longer side that a reader is given: more tells it nothing and takes longer. */
const LONGEST_LIVE = 1_280;
const LONGEST_STILL = 2_400;
/** Milliseconds for a code that is hard to make out. */
const PATIENCE_LIVE = 40;
const PATIENCE_STILL = 2_000;

/** Turns pictures into pixels. */
export class Pixels {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d', { willReadFrequently: true });

  /** undefined where there is no picture yet. */
  of(source: CanvasImageSource, width: number, height: number, longest: number): ImageData | undefined {
    const scale = Math.min(1, longest / Math.max(width, height));
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (!this.#context || w === 0 || h === 0) return undefined;
    if (this.#canvas.width !== w) this.#canvas.width = w;
    if (this.#canvas.height !== h) this.#canvas.height = h;
    this.#context.drawImage(source, 0, 0, w, h);
    return this.#context.getImageData(0, 0, w, h);
  }
}

/** Text of the code in one frame of a video; undefined when there is none. */
export async function readFrame(reader: CodeReader, pixels: Pixels, video: HTMLVideoElement): Promise<string | undefined> {
  const picture = pixels.of(video, video.videoWidth, video.videoHeight, LONGEST_LIVE);
  return picture && reader.read(picture, PATIENCE_LIVE);
}

/** Text of the code in a picture; undefined when there is none, or no picture. */
export async function readPicture(reader: CodeReader, file: Blob): Promise<string | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return undefined;
  const picture = new Pixels().of(image, image.width, image.height, LONGEST_STILL);
  image.close();
  return picture && reader.read(picture, PATIENCE_STILL);
}

import type { CodeReader } from '../../../workers/code-reader.ts';

/** Pixels along the longer side of an image given to the QR reader: a larger image only takes longer. */
const LONGEST_LIVE = 1_280;
const LONGEST_STILL = 2_400;
/** Time limit of the QR reader, in milliseconds. */
const PATIENCE_LIVE = 40;
const PATIENCE_STILL = 2_000;

/** Scales images down and reads their pixels. */
export class PixelReader {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d', { willReadFrequently: true });

  /** undefined while the source has no size yet. */
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

/** Text of the QR code in a video's current frame; undefined when there is none. */
export async function readQrFromVideo(
  reader: CodeReader,
  pixels: PixelReader,
  video: HTMLVideoElement,
): Promise<string | undefined> {
  const picture = pixels.of(video, video.videoWidth, video.videoHeight, LONGEST_LIVE);
  return picture && reader.read(picture, PATIENCE_LIVE);
}

/** Text of the QR code in an image file; undefined when there is none or the file is no image. */
export async function readQrFromImage(reader: CodeReader, file: Blob): Promise<string | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return undefined;
  const picture = new PixelReader().of(image, image.width, image.height, LONGEST_STILL);
  image.close();
  return picture && reader.read(picture, PATIENCE_STILL);
}

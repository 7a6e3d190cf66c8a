import codeWorkerUrl from './code.worker.ts?worker&url';
import type { CodeFrame, CodeText } from './code-frame.ts';
import { scriptUrl } from './trusted-types.ts';

/** Reads QR codes in pictures, one picture at a time. */
export interface CodeReader {
  read(picture: ImageData, patience: number): Promise<string | undefined>;
  close(): void;
}

/** The browser's own code reader (Shape Detection API), which not every system has. */
interface Detector {
  detect(image: ImageData): Promise<readonly { readonly rawValue: string }[]>;
}
interface DetectorMaker {
  new (options: { readonly formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const QR = 'qr_code';

/**
 * The browser's own reader, or else one in a worker that is loaded for it.
 * @param offline on an offline device: Chromium asks the page's server for a newer service worker whenever a worker starts, so none is started
 */
export async function openCodeReader(offline: boolean): Promise<CodeReader> {
  return (await ownReader()) ?? (offline ? pageReader() : workerReader());
}

async function pageReader(): Promise<CodeReader> {
  const { readCode } = await import('./code-frame.ts');
  const read = async ({ width, height, data: pixels }: ImageData, patience: number) =>
    readCode({ width, height, pixels, patience });
  return { read, close: () => undefined };
}

async function ownReader(): Promise<CodeReader | undefined> {
  const Maker = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector;
  try {
    if (!Maker || !(await Maker.getSupportedFormats()).includes(QR)) return undefined;
    const detector = new Maker({ formats: [QR] });
    const read = async (picture: ImageData) => (await detector.detect(picture).catch(() => []))[0]?.rawValue;
    return { read, close: () => undefined };
  } catch {
    return undefined;
  }
}

function workerReader(): CodeReader {
  const worker = new Worker(scriptUrl(codeWorkerUrl), { type: 'module', name: 'nightjar codes' });
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  const settle = (id: number, text: string | undefined): void => {
    waiting.get(id)?.(text);
    waiting.delete(id);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<CodeText>) => settle(data.id, data.text));
  // A reader whose worker has died reads nothing more, so no caller is left waiting.
  const settleAll = (): void => {
    for (const id of [...waiting.keys()]) settle(id, undefined);
  };
  worker.addEventListener('error', settleAll);
  return {
    read: ({ width, height, data }, patience) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        const frame: CodeFrame = { id: last, width, height, pixels: data, patience };
        worker.postMessage(frame, [data.buffer]);
      }),
    close: () => {
      worker.terminate();
      settleAll();
    },
  };
}

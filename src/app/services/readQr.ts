/** The browser's own reader of codes, where it has one (Shape Detection API): not on every system. */
interface CodeReader {
  detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]>;
}
interface CodeReaderMaker {
  new (options: { readonly formats: readonly string[] }): CodeReader;
  getSupportedFormats(): Promise<readonly string[]>;
}

const QR = 'qr_code';
const maker = (): CodeReaderMaker | undefined => (globalThis as { BarcodeDetector?: CodeReaderMaker }).BarcodeDetector;

/** Whether pictures of QR codes can be read here. */
export async function readsQr(): Promise<boolean> {
  try {
    return (await maker()?.getSupportedFormats())?.includes(QR) ?? false;
  } catch {
    return false;
  }
}

/** What the QR code in a picture says; undefined when there is none, or no picture. */
export async function readQr(picture: Blob): Promise<string | undefined> {
  const Reader = maker();
  if (!Reader) return undefined;
  try {
    const codes = await new Reader({ formats: [QR] }).detect(await createImageBitmap(picture));
    return codes[0]?.rawValue;
  } catch {
    return undefined;
  }
}

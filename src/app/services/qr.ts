import { encodeQR } from 'qr';

/** A QR code as one SVG path over a square of `size` units, quiet zone included. */
export interface QrPath {
  readonly size: number;
  readonly path: string;
}

/** A text as a QR code with error correction M. @param border modules of white around it @throws for a text that no code has room for */
export function qrPath(text: string, border = 2): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border });
  const size = rows.length;
  let path = '';
  rows.forEach((row, y) => {
    let x = 0;
    while (x < size) {
      if (!row[x]) {
        x += 1;
        continue;
      }
      let run = 1;
      while (row[x + run]) run += 1;
      path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  });
  return { size, path };
}

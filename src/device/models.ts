/** Number of recipients that a touch screen can show; change and fee are shown besides (monero_ux_nbgl.c). */
const ON_TOUCH = 3;
const TOUCH = /\b(stax|flex|apex)\b/i;

/**
 * Most recipients of one transaction on a device of this name, change not counted: one with a touch screen collects everything it shows,
 * and refuses the fourth. Undefined if the device has no limit.
 */
export const recipientsAtOnce = (label: string): number | undefined => (TOUCH.test(label) ? ON_TOUCH : undefined);

/** By product id: its low byte while an app runs, otherwise its high byte. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'Nano S',
  4: 'Nano X',
  5: 'Nano S Plus',
  6: 'Stax',
  7: 'Flex',
  8: 'Apex P',
  16: 'Nano S',
  64: 'Nano X',
  80: 'Nano S Plus',
  96: 'Stax',
  112: 'Flex',
  128: 'Apex P',
};

/** Name of a device: its own, or that of its model. @param productId of USB, 0 … 0xffff */
export function nameOfDevice(product: string | undefined, productId: number | undefined): string {
  const model = productId === undefined ? undefined : NAMES[productId >> 8 || productId];
  const isTold = product !== undefined && product !== '';
  if (!isTold) return model ?? 'Ledger';
  const agrees = model === undefined || recipientsAtOnce(product) === recipientsAtOnce(model);
  return agrees ? product : `${product} (${model})`;
}

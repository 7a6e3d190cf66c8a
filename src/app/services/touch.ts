/** Milliseconds: as short as can be felt. */
const SHORT = 30;

/** Says by hand that something is done, where the device can, and where motion is wanted. */
export function touch(): void {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate?.(SHORT);
}

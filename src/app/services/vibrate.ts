/** Milliseconds: about the shortest vibration that can be felt. */
const SHORT = 30;

/** Vibrates briefly, where the device can and the person has not asked for reduced motion. */
export function vibrate(): void {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate?.(SHORT);
}

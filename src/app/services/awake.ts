/** Keeps the screen on until the answer is called, where the browser can: it lets go by itself whenever the page is out of sight. */
export function keepAwake(): () => void {
  let held: WakeLockSentinel | undefined;
  let over = false;
  const hold = async (): Promise<void> => {
    if (over || document.hidden || !('wakeLock' in navigator)) return;
    // Refused where the battery is low: the screen then goes dark as ever.
    held = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (over) void held?.release();
  };
  const again = (): void => void hold();
  document.addEventListener('visibilitychange', again);
  void hold();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', again);
    void held?.release();
  };
}

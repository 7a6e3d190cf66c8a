/** Keeps the screen on (Screen Wake Lock API) until the returned function is called. The browser drops the lock when the page is hidden; it is requested again when the page is shown. */
export function holdWakeLock(): () => void {
  let held: WakeLockSentinel | undefined;
  let released = false;
  const request = async (): Promise<void> => {
    if (released || document.hidden || !('wakeLock' in navigator)) return;
    // Refused when the battery is low: the screen then turns off as usual.
    held = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (released) void held?.release();
  };
  const onVisibility = (): void => void request();
  document.addEventListener('visibilitychange', onVisibility);
  void request();
  return () => {
    released = true;
    document.removeEventListener('visibilitychange', onVisibility);
    void held?.release();
  };
}

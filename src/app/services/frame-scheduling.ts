/**
 * Splits long work on the main thread into pieces, so that taps and scrolling stay responsive on slow phones while a scan updates the page.
 */

/** Milliseconds per frame for updating list rows: one row on a slow phone, a screenful on a desktop. */
const LINES_MS = 3;
/** Milliseconds to wait for an animation frame: a page that was just hidden gets none. */
const NO_FRAME_MS = 100;
/** Fraction of the time limit to wait in browsers without `requestIdleCallback`. */
const GUESSED_IDLE = 1 / 10;

/** Resolves in a new task, after those already queued. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port2.close();
      resolve();
    };
    port1.postMessage(undefined);
  });

/** Runs work in a task after the next frame; its changes are laid out in the frame after that. */
const afterFrame = (work: () => void): number => requestAnimationFrame(() => void nextTask().then(work));

/** The same, but at once while the page is out of sight and gets no frames. */
export const afterPaint = (work: () => void): unknown => (document.hidden ? setTimeout(work) : afterFrame(work));

/**
 * Wraps a callback so that it is called after the next frame, with the latest value if there were several. While the page is hidden there are
 * no frames, and it is called at once.
 */
export function takeLatestAfterFrame<T>(take: (value: T) => void): (value: T) => void {
  let waiting: { value: T } | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  const taken = (): void => {
    clearTimeout(late);
    const now = waiting;
    waiting = undefined;
    if (now) take(now.value);
  };
  return (value) => {
    const isAsked = waiting !== undefined;
    waiting = { value };
    if (document.hidden) taken();
    else if (!isAsked) {
      late = setTimeout(taken, NO_FRAME_MS);
      afterFrame(taken);
    }
  };
}

/**
 * Replaces one list by another from the first row on, over as many frames as needed. Meanwhile an entry may be in the list twice.
 * @param put called with each intermediate list; must render it synchronously
 * @returns a function that cancels the rest
 */
export function replaceInFrames<T>(from: readonly T[], to: readonly T[], put: (list: readonly T[]) => void): () => void {
  let done = 0;
  let goesOn = true;
  const take = (): void => {
    const until = performance.now() + LINES_MS;
    while (goesOn) {
      done += 1;
      goesOn = done < to.length;
      put(goesOn ? [...to.slice(0, done), ...from.slice(done, to.length)] : to);
      if (performance.now() >= until) break;
    }
    if (goesOn) afterFrame(take);
  };
  afterFrame(take);
  return () => {
    goesOn = false;
  };
}

/**
 * Runs work when the browser is idle.
 * @param within milliseconds after which it runs anyway
 * @returns a function that cancels it
 */
export function whenIdle(work: () => void, within: number): () => void {
  if ('requestIdleCallback' in window) {
    const asked = requestIdleCallback(work, { timeout: within });
    return () => cancelIdleCallback(asked);
  }
  const asked = setTimeout(work, within * GUESSED_IDLE);
  return () => clearTimeout(asked);
}

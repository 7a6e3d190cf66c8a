/**
 * Long work of the page's thread in pieces: on a slow phone a tap or a scroll in between is answered, and no frame is lost. A scan's
 * changes come while a person scrolls.
 */

/** Milliseconds of a frame that lines may take. A slow phone draws one line in that time, a desk a screenful. */
const LINES_MS = 3;
/** Milliseconds after which no frame is waited for: a page that was hidden meanwhile draws none. */
const NO_FRAME_MS = 100;
/** Of the time within which something is to be done: how long it waits where the browser does not tell of idle moments. */
const GUESSED_IDLE = 1 / 10;

/** Resolves in a task of its own, after what waits already. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port2.close();
      resolve();
    };
    port1.postMessage(undefined);
  });

/** Has something done in a task behind the next frame: what it changes is laid out in the task of the frame after that. */
export const afterFrame = (work: () => void): number => requestAnimationFrame(() => void nextTask().then(work));

/**
 * Has what comes taken behind the next frame, the last of it where more came meanwhile: a frame that was under way is not made late by it,
 * and what it changes has a frame of its own. While the page is hidden there are none, and it is taken at once.
 */
export function behindFrames<T>(take: (value: T) => void): (value: T) => void {
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
 * Turns one list into another, from the first line on, in as many frames as that takes. A line may be in two places meanwhile.
 * @param put draws what the list is by now, before it returns
 * @returns what stops it where it is
 */
export function lineByLine<T>(from: readonly T[], to: readonly T[], put: (list: readonly T[]) => void): () => void {
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
 * Has something done when the browser has nothing better to do.
 * @param within milliseconds after which it is done all the same
 * @returns what calls it off
 */
export function whenIdle(work: () => void, within: number): () => void {
  if ('requestIdleCallback' in window) {
    const asked = requestIdleCallback(work, { timeout: within });
    return () => cancelIdleCallback(asked);
  }
  const asked = setTimeout(work, within * GUESSED_IDLE);
  return () => clearTimeout(asked);
}

/** State of a history entry, restored when the person returns to it. In memory only, as searches are private. */
export interface Place {
  readonly path: string;
  /** Path the person came from, if within the page. */
  readonly from: string | undefined;
  scroll: number;
  typed: string;
}

/**
 * Hash router: the part of the URL after `#/`, as path segments. Restores scroll position and search text when the person returns to an entry
 * of the browser's history.
 */
class Router {
  segments: readonly string[] = $state([]);
  /** Path that the person just came back from; undefined after a forward navigation. */
  left: string | undefined;
  /** No view was shown yet. The first view is neither scrolled nor focused, so that screen readers start at the top of the page. */
  isFirst = true;
  /** Keyed by the number stored in `history.state`. */
  readonly #places = new Map<number, Place>();
  /** Run when the current place is left. */
  readonly #leaving: (() => void)[] = [];
  #here: Place;
  #last = 0;

  constructor() {
    window.history.scrollRestoration = 'manual';
    this.#here = this.#arrive(undefined);
    window.addEventListener('hashchange', () => {
      this.#here.scroll = window.scrollY;
      this.#here = this.#arrive(this.#here.path);
    });
    // Navigates synchronously, so that keys typed right after a tap go to the new view.
    window.addEventListener('click', (event) => {
      const path = linkedPath(event);
      if (path === undefined) return;
      event.preventDefault();
      this.go(path);
    });
  }

  get view(): string {
    return this.segments[0] ?? '';
  }

  /** The current place: {@link isAt} tells whether the person has navigated meanwhile. */
  get here(): Place {
    return this.#here;
  }

  /** Path the person came from, if within the page. */
  get from(): string | undefined {
    return this.#here.from;
  }

  /** Saved search text of this place. */
  get typed(): string {
    return this.#here.typed;
  }

  keepTyped(text: string): void {
    this.#here.typed = text;
  }

  /** Navigates synchronously. */
  go(path: string): void {
    if (path === this.#here.path) return;
    this.#here.scroll = window.scrollY;
    window.history.pushState(null, '', urlOf(path));
    this.#here = this.#arrive(this.#here.path);
  }

  /** Like {@link go}, after asynchronous work started at `place`; does nothing if the person has navigated elsewhere since. */
  goFrom(place: Place, path: string): void {
    if (this.isAt(place)) this.go(path);
  }

  /** Changes the address without a step in the browser's history. */
  replace(path: string): void {
    window.history.replaceState(null, '', urlOf(path));
    this.#here = this.#arrive(undefined);
  }

  /** Like {@link replace}, after asynchronous work started at `place`; does nothing if the person has navigated elsewhere since. */
  replaceFrom(place: Place, path: string): void {
    if (this.isAt(place)) this.replace(path);
  }

  /**
   * Navigates home after the work, unless the person has navigated elsewhere since.
   * @param place where the work was started, if before now
   */
  async goHomeAfter(work: () => Promise<void>, place = this.#here): Promise<void> {
    await work();
    this.replaceFrom(place, '');
  }

  /** Whether the person is still at the place. The address has changed before the browser announces it. */
  isAt(place: Place): boolean {
    return place === this.#here && pathIn(window.location.hash) === place.path;
  }

  /** Runs the work once, when the person leaves the current place. */
  onLeave(work: () => void): void {
    this.#leaving.push(work);
  }

  /** Click handler for a back link: goes back in the browser's history if that leads to the same path. */
  stepBack(event: MouseEvent, path: string): void {
    if (isElsewhere(event) || this.from !== path) return;
    event.preventDefault();
    window.history.back();
  }

  /**
   * Restores the scroll position, once; a new place is scrolled to the top. If the content is still loading, waits until it is tall enough.
   * @param left link that the person left this place by, to be scrolled into view
   */
  settle(left: Element | undefined): void {
    const { scroll } = this.#here;
    this.#here.scroll = 0;
    window.scrollTo(0, scroll);
    // It may have moved, e.g. because of new blocks.
    left?.scrollIntoView({ block: 'nearest' });
    if (left !== undefined || window.scrollY >= scroll - 1) return;
    const place = this.#here;
    const moved = new AbortController();
    const grown = new ResizeObserver(() => {
      if (place === this.#here) window.scrollTo(0, scroll);
      if (place !== this.#here || window.scrollY >= scroll - 1) moved.abort();
    });
    moved.signal.addEventListener('abort', () => grown.disconnect());
    // Input by the person ends the restoring.
    for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
      window.addEventListener(name, () => moved.abort(), { signal: moved.signal, passive: true });
    grown.observe(document.body);
  }

  /** Drops all saved places. */
  forget(): void {
    this.#places.clear();
  }

  #arrive(from: string | undefined): Place {
    for (const work of this.#leaving.splice(0)) work();
    const path = pathIn(window.location.hash);
    this.segments = path === '' ? [] : path.split('/').map(decodeSegment);
    const number: unknown = window.history.state?.place;
    const known = typeof number === 'number' ? this.#places.get(number) : undefined;
    if (known?.path === path) {
      this.left = from;
      return known;
    }
    this.left = undefined;
    this.#last = Math.max(this.#last, typeof number === 'number' ? number : 0) + 1;
    window.history.replaceState({ place: this.#last }, '', TX_ID.test(window.location.hash) ? urlOf(path) : undefined);
    const place = { path, from, scroll: 0, typed: '' };
    this.#places.set(this.#last, place);
    return place;
  }
}

/** The id of a transaction, and what is in the address in its place. */
const TX_ID = /\b[0-9a-f]{64}\b/;
const STAND_IN = /\bn-[0-9a-f-]{36}\b/;
/** Ids by their stand-ins, as long as the page is open. */
const standIns = new Map<string, string>();

/** An address with a path, as the browser may keep it: it stores its history unencrypted, and may send it elsewhere. Ids would tell who paid. */
const urlOf = (path: string): string => `#/${path.replace(TX_ID, standInFor)}`;

function standInFor(id: string): string {
  for (const [standIn, known] of standIns) if (known === id) return standIn;
  const standIn = `n-${crypto.randomUUID()}`;
  standIns.set(standIn, id);
  return standIn;
}

/** The path in an address; the history of payments for one that an earlier visit has opened. */
function pathIn(hash: string): string {
  const path = hash.replace(/^#\/?/, '');
  const [standIn] = STAND_IN.exec(path) ?? [];
  if (standIn === undefined) return path;
  const id = standIns.get(standIn);
  return id === undefined ? 'history' : path.replace(standIn, id);
}

/** Whether the click opens a new tab or window, or downloads. */
const isElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Path of an in-page link that was clicked; undefined for other clicks, and for payment links (`?…`), which `payment-link.svelte.ts` handles. */
function linkedPath(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leads = link !== null && /^#\/[^?]*$/.test(link.getAttribute('href') ?? '') && link.target === '';
  return leads && !event.defaultPrevented && !isElsewhere(event) ? pathIn(link.hash) : undefined;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const router = new Router();

/** State of a place while the person is elsewhere. In memory alone: searches are private. */
export interface Place {
  readonly path: string;
  /** Where the person came from, when that was another place of this page. */
  readonly from: string | undefined;
  scroll: number;
  typed: string;
}

/**
 * Where the page is: the part of the address after `#/`, as segments. The browser's back and forward work as everywhere, and a
 * place that is come back to is found as it was left.
 */
class Router {
  segments: readonly string[] = $state([]);
  /** The place that was left last, when the person has come back from it; undefined at a place that is new. */
  left: string | undefined;
  /** Nothing was shown yet: what a page shows first is read from the page's start, and neither scrolled nor focused. */
  isFirst = true;
  /** By the number that the browser's history keeps for each. */
  readonly #places = new Map<number, Place>();
  #here: Place;
  #last = 0;

  constructor() {
    window.history.scrollRestoration = 'manual';
    this.#here = this.#arrive(undefined);
    window.addEventListener('hashchange', () => {
      this.#here.scroll = window.scrollY;
      this.#here = this.#arrive(this.#here.path);
    });
    // At once: what is typed right after a tap is typed into what the tap led to.
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

  /** The place that is shown: another one once the person went elsewhere, and the same one again when they come back to it. */
  get here(): Place {
    return this.#here;
  }

  /** Where the person came from, when that was another place of this page. */
  get from(): string | undefined {
    return this.#here.from;
  }

  /** Text typed at this place when it was left. */
  get typed(): string {
    return this.#here.typed;
  }

  keepTyped(text: string): void {
    this.#here.typed = text;
  }

  /** Done when it returns. */
  go(path: string): void {
    if (path === this.#here.path) return;
    this.#here.scroll = window.scrollY;
    window.history.pushState(null, '', `#/${path}`);
    this.#here = this.#arrive(this.#here.path);
  }

  /** As {@link go}, at the end of work that was asked for at `place`: a place that the person has gone to meanwhile comes before it. */
  goFrom(place: Place, path: string): void {
    if (place === this.#here) this.go(path);
  }

  /** Changes the address without a step in the browser's history. */
  replace(path: string): void {
    window.history.replaceState(null, '', `#/${path}`);
    this.#here = this.#arrive(undefined);
  }

  /** As {@link replace}, at the end of work that was asked for at `place`. */
  replaceFrom(place: Place, path: string): void {
    if (place === this.#here) this.replace(path);
  }

  /**
   * Home once work is done; a place that the person has gone to meanwhile comes before it.
   * @param place where the work was asked for, where that was before now
   */
  async goHomeAfter(work: () => Promise<void>, place = this.#here): Promise<void> {
    await work();
    this.replaceFrom(place, '');
  }

  /** For a link that leads back: a step back in the browser's history when that leads there too. */
  stepBack(event: MouseEvent, path: string): void {
    if (isElsewhere(event) || this.from !== path) return;
    event.preventDefault();
    window.history.back();
  }

  /**
   * Once, to where this place was left; to the top of a new one. A place that is still being filled is waited for, unless what the person
   * left it by is there.
   */
  settle(left: Element | undefined): void {
    const { scroll } = this.#here;
    this.#here.scroll = 0;
    window.scrollTo(0, scroll);
    // Blocks that came meanwhile may have moved it.
    left?.scrollIntoView({ block: 'nearest' });
    if (left !== undefined || window.scrollY >= scroll - 1) return;
    const place = this.#here;
    const moved = new AbortController();
    const grown = new ResizeObserver(() => {
      if (place === this.#here) window.scrollTo(0, scroll);
      if (place !== this.#here || window.scrollY >= scroll - 1) moved.abort();
    });
    moved.signal.addEventListener('abort', () => grown.disconnect());
    // Scrolling by hand ends the restoring of the position.
    for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
      window.addEventListener(name, () => moved.abort(), { signal: moved.signal, passive: true });
    grown.observe(document.body);
  }

  /** Nothing of what was left is kept any more. */
  forget(): void {
    this.#places.clear();
  }

  #arrive(from: string | undefined): Place {
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
    window.history.replaceState({ place: this.#last }, '');
    const place = { path, from, scroll: 0, typed: '' };
    this.#places.set(this.#last, place);
    return place;
  }
}

const pathIn = (hash: string): string => hash.replace(/^#\/?/, '');

/** The person asked for another tab, window or file. */
const isElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Where a click on a link leads within this page; undefined for every other click, and for a request, which is read before it is gone to. */
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

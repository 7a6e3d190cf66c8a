/** Where the page is: the part of the address after `#/`, as segments. The browser's back and forward work as everywhere. */
class Router {
  segments: readonly string[] = $state([]);

  constructor() {
    this.#read();
    window.addEventListener('hashchange', () => this.#read());
  }

  get view(): string {
    return this.segments[0] ?? '';
  }

  go(path: string): void {
    window.location.hash = `#/${path}`;
  }

  /** Changes the address without a step in the browser's history. */
  replace(path: string): void {
    window.history.replaceState(null, '', `#/${path}`);
    this.#read();
  }

  #read(): void {
    const path = window.location.hash.replace(/^#\/?/, '');
    this.segments = path === '' ? [] : path.split('/').map(decodeSegment);
  }
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const router = new Router();

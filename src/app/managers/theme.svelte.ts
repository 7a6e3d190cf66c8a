import { localStore } from '../services/local-store.ts';

/** The person's choice; `system` follows the browser's. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'nightjar.theme';
const SKY = { light: '#f6f3ec', dark: '#12131a' } as const;

/** Light or dark theme; follows the system unless the person chose one. */
class Theme {
  choice: ThemeChoice = $state('system');
  #systemDark = $state(false);

  constructor() {
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    this.#systemDark = media.matches;
    media.addEventListener('change', (event) => {
      this.#systemDark = event.matches;
      this.#apply();
    });
    const saved = localStore.get(KEY);
    if (saved === 'light' || saved === 'dark') this.choice = saved;
    this.#apply();
  }

  get shown(): 'light' | 'dark' {
    if (this.choice !== 'system') return this.choice;
    return this.#systemDark ? 'dark' : 'light';
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    localStore.set(KEY, choice === 'system' ? undefined : choice);
    this.#apply();
  }

  toggle(): void {
    this.choose(this.shown === 'dark' ? 'light' : 'dark');
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.shown;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = SKY[this.shown];
  }
}

export const theme = new Theme();

/** A toast that disappears by itself or is dismissed. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

/** Milliseconds shown. */
const SHOWN_MS = { plain: 5_000, good: 5_000, bad: 12_000 } as const;

/** Toasts at the edge of the page, announced by screen readers. */
class Notices {
  list: readonly Notice[] = $state([]);
  #next = 1;

  say(text: string, tone: Notice['tone'] = 'plain'): void {
    const id = this.#next++;
    // The same text again replaces the one still shown.
    this.list = [...this.list.filter((notice) => notice.text !== text), { id, text, tone }];
    setTimeout(() => this.dismiss(id), SHOWN_MS[tone]);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();

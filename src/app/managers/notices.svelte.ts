/** A line that goes by itself, or by a press. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

/** Long enough to read; what went wrong stays longer. */
const SHOWN_MS = { plain: 5_000, good: 5_000, bad: 12_000 } as const;

/** Short words at the edge of the page: said aloud by screen readers, gone after a while. */
class Notices {
  list: readonly Notice[] = $state([]);
  #next = 1;

  say(text: string, tone: Notice['tone'] = 'plain'): void {
    const id = this.#next++;
    // The same words again take the place of those still shown.
    this.list = [...this.list.filter((notice) => notice.text !== text), { id, text, tone }];
    setTimeout(() => this.dismiss(id), SHOWN_MS[tone]);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();

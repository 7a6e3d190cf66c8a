/**
 * Text of a field: what is saved, until the person types. What was typed stays while other news of the wallet comes in, and what is typed on
 * while it is being saved is not replaced by what was saved.
 */
export class Typed {
  #typed: string | undefined = $state();

  constructor(readonly saved: () => string) {}

  get text(): string {
    return this.#typed ?? this.saved();
  }

  set text(text: string) {
    this.#typed = text;
  }

  /** @param text as it was when its saving began: it is saved now, and the field follows that again, unless something was typed since */
  kept(text: string): void {
    if (this.#typed === text) this.#typed = undefined;
  }
}

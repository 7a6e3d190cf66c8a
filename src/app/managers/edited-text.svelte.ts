/**
 * Text of a form field that edits a saved value: the saved value until the person types. Typed text is kept when the wallet's view changes,
 * and also when more is typed while the text is being saved.
 */
export class EditedText {
  #typed: string | undefined = $state();

  constructor(readonly saved: () => string) {}

  get text(): string {
    return this.#typed ?? this.saved();
  }

  set text(text: string) {
    this.#typed = text;
  }

  /** The field shows the saved value again, unless it was edited since. @param text that was saved */
  markSaved(text: string): void {
    if (this.#typed === text) this.#typed = undefined;
  }
}

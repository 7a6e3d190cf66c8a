/** User actions in a sample, found by visible text. Each waits until it is possible. */

async function found<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const it = look();
    if (it !== undefined) return it;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Presses the last button with this text: a dialog's button comes after the one that opened the dialog. */
export const press =
  (text: string) =>
  async (inside: HTMLElement): Promise<void> => {
    const button = await found(() =>
      [...inside.querySelectorAll('button')].findLast((each) => each.textContent?.trim() === text && !each.disabled),
    );
    button.click();
  };

/** Types into the field with this label. */
export const write =
  (label: string, text: string) =>
  async (inside: HTMLElement): Promise<void> => {
    const field = await found(() => {
      const of = [...inside.querySelectorAll('label')].findLast((each) => each.textContent?.trim() === label);
      const input = of?.htmlFor ? document.getElementById(of.htmlFor) : of?.querySelector('input, textarea');
      return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input : undefined;
    });
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };

/** Opens all `details` elements. */
export const unfold = async (inside: HTMLElement): Promise<void> => {
  await found(() => inside.querySelector('details') ?? undefined);
  for (const details of inside.querySelectorAll('details')) details.open = true;
};

/** Sets the position of a slider. */
export const slide =
  (to: number) =>
  async (inside: HTMLElement): Promise<void> => {
    const slider = await found(() => inside.querySelector<HTMLInputElement>('input[type=range]') ?? undefined);
    slider.focus();
    slider.valueAsNumber = to;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };

/** Runs actions in sequence. */
export const steps =
  (...all: readonly ((inside: HTMLElement) => void | Promise<void>)[]) =>
  async (inside: HTMLElement): Promise<void> => {
    for (const step of all) await step(inside);
  };

/** Chooses a file in the file input. */
export const give =
  (name = 'a file', text = 'bytes') =>
  async (inside: HTMLElement): Promise<void> => {
    const input = await found(() => inside.querySelector<HTMLInputElement>('input[type=file]') ?? undefined);
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };

/** Pulls the page down with a finger. @param by pixels @param letGo whether the finger is taken away */
export const pull =
  (by: number, letGo: boolean) =>
  async (inside: HTMLElement): Promise<void> => {
    // Its listener is attached once it is rendered.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const touch = (type: string, ...down: readonly number[]): void => {
      const touches = down.map((clientY) => new Touch({ identifier: 0, target: inside, clientX: 0, clientY }));
      inside.dispatchEvent(new TouchEvent(type, { touches, bubbles: true }));
    };
    touch('touchstart', 0);
    touch('touchmove', by);
    if (letGo) touch('touchend');
  };

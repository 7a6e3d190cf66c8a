/** Actions of a person in a sample, by visible text: each waits until it can be done. */

async function found<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const it = look();
    if (it !== undefined) return it;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Presses the button that says this, the last one of several: a dialog's comes after the one that opened it. */
export const press =
  (text: string) =>
  async (inside: HTMLElement): Promise<void> => {
    const button = await found(() =>
      [...inside.querySelectorAll('button')].findLast((each) => each.textContent?.trim() === text && !each.disabled),
    );
    button.click();
  };

/** Writes into the field with this label. */
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

/** Opens every part that is folded away. */
export const unfold = async (inside: HTMLElement): Promise<void> => {
  await found(() => inside.querySelector('details') ?? undefined);
  for (const details of inside.querySelectorAll('details')) details.open = true;
};

/** Points at a place of a slider. */
export const slide =
  (to: number) =>
  async (inside: HTMLElement): Promise<void> => {
    const slider = await found(() => inside.querySelector<HTMLInputElement>('input[type=range]') ?? undefined);
    slider.focus();
    slider.valueAsNumber = to;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };

/** One after the other. */
export const steps =
  (...all: readonly ((inside: HTMLElement) => void | Promise<void>)[]) =>
  async (inside: HTMLElement): Promise<void> => {
    for (const step of all) await step(inside);
  };

/** Chooses a file where one is asked for. */
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
    // It listens once it is drawn.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const touch = (type: string, ...down: readonly number[]): void => {
      const touches = down.map((clientY) => new Touch({ identifier: 0, target: inside, clientX: 0, clientY }));
      inside.dispatchEvent(new TouchEvent(type, { touches, bubbles: true }));
    };
    touch('touchstart', 0);
    touch('touchmove', by);
    if (letGo) touch('touchend');
  };

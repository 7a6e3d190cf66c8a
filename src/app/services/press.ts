/**
 * Resolves when nothing is being pressed, after the click that a press may be. What appears while a button is pressed can move it away from the
 * pointer, and the browser then makes no click of the press.
 */
export async function afterPress(): Promise<void> {
  if (document.querySelector(':active') === null) return;
  await new Promise((resolve) => window.addEventListener('mouseup', resolve, { once: true, capture: true }));
  // The click follows in the same task.
  await new Promise((resolve) => setTimeout(resolve));
}

/** Rows that are shown of a list however little room there is. */
const LEAST = 2;
/** Pixels of what follows the list that are seen where there is no room for more of it. */
const PEEK = 12;

const pixels = (value: string): number => Number.parseFloat(value) || 0;

/** Where the bar of places begins, as Home is come to. */
const barAt = (inside: HTMLElement): number =>
  document.documentElement.clientHeight - window.scrollY - pixels(getComputedStyle(inside).getPropertyValue('--nav'));

/**
 * What can be pressed below the balance and would lie half under the bar is moved wholly below it, with the block it stands in.
 * @param column the blocks, below each other
 * @returns what ends it
 */
export function clearBar(column: HTMLElement): () => void {
  let moved: HTMLElement | undefined;
  let frame = 0;
  const clear = (): void => {
    if (moved) moved.style.marginTop = '';
    moved = undefined;
    const bar = barAt(column);
    for (const one of column.querySelectorAll<HTMLElement>(':is(a, button):not(.hero *, .rows *)')) {
      const { top, bottom } = one.getBoundingClientRect();
      const block = one.closest<HTMLElement>('.stack > *');
      if (top >= bar || bottom <= bar || !block) continue;
      moved = block;
      block.style.marginTop = `${bar - top}px`;
      return;
    }
  };
  // In a frame of its own: what is moved makes the column longer, which is no news.
  const next = (work: () => void): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(work);
  };
  let isCome = false;
  // Later on once no frame has changed it any more: rows are drawn one a frame, and each would be laid out twice.
  const soon = (): void => {
    next(isCome ? () => next(clear) : clear);
    isCome = true;
  };
  const grown = new ResizeObserver(soon);
  grown.observe(column);
  window.addEventListener('resize', soon);
  return () => {
    grown.disconnect();
    window.removeEventListener('resize', soon);
    cancelAnimationFrame(frame);
    if (moved) moved.style.marginTop = '';
  };
}

/**
 * On a phone the bar of places lies over what is scrolled below it. As Home is come to, nothing that can be pressed lies half under that
 * bar: its list ends with the last row that is whole, and what follows begins at the bar, unless there is room to show some of it.
 * @param list its rows, of which there may be more than fit
 * @param above what grows, and moves the list
 * @param isLast nothing follows
 * @returns what ends it
 */
export function fitRows(list: HTMLElement, above: HTMLElement, isLast: boolean): () => void {
  const card = list.parentElement ?? list;
  const rows = [...list.children].filter((row) => row instanceof HTMLElement);
  const fit = (): void => {
    card.style.marginBottom = '';
    list.style.height = '';
    const bar = barAt(list);
    const ends = rows.map((row) => row.getBoundingClientRect().bottom);
    const whole = list.getBoundingClientRect();
    const below = card.getBoundingClientRect().bottom - whole.bottom;
    const fits = Math.max(LEAST, ends.filter((end) => end + below <= bar).length);
    const cut = (ends.at(-1) ?? 0) - (ends[fits - 1] ?? ends.at(-1) ?? 0);
    const gap = pixels(getComputedStyle(card.parentElement ?? card).rowGap);
    const left = bar - (whole.bottom - cut + below + gap) - PEEK;
    const isLittle = left > 0 && left < whole.height / Math.max(1, rows.length);
    rows.forEach((row, at) => {
      row.style.visibility = at < fits ? '' : 'hidden';
    });
    list.style.height = `${whole.height - cut}px`;
    if (isLittle && !isLast) card.style.marginBottom = `${left}px`;
  };
  const grown = new ResizeObserver(fit);
  for (const one of [above, ...rows]) grown.observe(one);
  window.addEventListener('resize', fit);
  return () => {
    grown.disconnect();
    window.removeEventListener('resize', fit);
    card.style.marginBottom = '';
    list.style.height = '';
    for (const row of rows) row.style.visibility = '';
  };
}

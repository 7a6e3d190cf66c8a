/** Fewest rows that are shown. */
const LEAST = 2;
/** Pixels of the next block that remain visible below the list. */
const PEEK = 12;

const pixels = (value: string): number => Number.parseFloat(value) || 0;

/** Top edge of a navigation bar of this height, in document coordinates while the page is not scrolled. */
const navBarTop = (height: number): number => document.documentElement.clientHeight - window.scrollY - height;

/** Whether an element is in a block or after it. */
const isFrom = (block: HTMLElement, element: HTMLElement): boolean =>
  block.isConnected && (block.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/**
 * Moves the first block with a button or link that would be partly covered by the navigation bar down, so that it begins below the bar.
 * @param column contains the blocks
 * @param navHeight tells the height of the navigation bar in pixels
 * @returns a function that stops this
 */
export function keepClearOfNavBar(column: HTMLElement, navHeight: () => number): () => void {
  let moved: HTMLElement | undefined;
  /** Pixels that it was moved by. */
  let by = 0;
  let frame = 0;
  const move = (block: HTMLElement | undefined, pixelsDown: number): void => {
    if (moved && moved !== block) moved.style.marginTop = '';
    moved = block;
    by = pixelsDown;
    if (block) block.style.marginTop = `${by}px`;
  };
  // Computed as if nothing had been moved, not put back first: what changes nothing is not laid out again.
  const clear = (): void => {
    const bar = navBarTop(navHeight());
    const before = moved;
    for (const one of column.querySelectorAll<HTMLElement>(':is(a, button):not(.hero *, .rows *)')) {
      const { top, bottom } = one.getBoundingClientRect();
      const block = one.closest<HTMLElement>('.stack > *');
      const shift = before && isFrom(before, one) ? by : 0;
      if (top - shift >= bar || bottom - shift <= bar || !block) continue;
      move(block, bar - (top - shift));
      return;
    }
    move(undefined, 0);
  };
  // In a frame of its own: moving a block resizes the column, which must not trigger this again.
  const next = (work: () => void): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(work);
  };
  let isCome = false;
  // After the first time, wait two frames: rows are added one per frame, and each would be laid out twice.
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
    move(undefined, 0);
  };
}

/**
 * On phones the navigation bar covers the bottom of the page. Shortens Home's list to the rows that fit completely above the bar, and moves
 * what follows to the bar unless there is room to show some of it.
 * @param list contains the rows, possibly more than fit
 * @param above element above the list that may change its height
 * @param navHeight tells the height of the navigation bar in pixels
 * @param isLast whether nothing follows the list
 * @returns a function that stops this
 */
export function fitRows(list: HTMLElement, above: HTMLElement, navHeight: () => number, isLast: boolean): () => void {
  const card = list.parentElement ?? list;
  const rows = [...list.children].filter((row) => row instanceof HTMLElement);
  // Rows keep their heights in a shortened list, so that it is measured as it is: what changes nothing is not laid out again.
  const fit = (): void => {
    const bar = navBarTop(navHeight());
    const { top, bottom } = list.getBoundingClientRect();
    const below = card.getBoundingClientRect().bottom - bottom;
    const padding = pixels(getComputedStyle(list).paddingBottom);
    const ends = rows.map((row) => row.getBoundingClientRect().bottom + padding);
    const whole = (ends.at(-1) ?? top) - top;
    const fits = Math.max(LEAST, ends.filter((end) => end - padding + below <= bar).length);
    const end = ends[fits - 1] ?? ends.at(-1) ?? top;
    const gap = pixels(getComputedStyle(card.parentElement ?? card).rowGap);
    const left = bar - (end + below + gap) - PEEK;
    const isLittle = left > 0 && left < whole / Math.max(1, rows.length);
    rows.forEach((row, at) => {
      row.style.visibility = at < fits ? '' : 'hidden';
    });
    list.style.height = `${end - top}px`;
    card.style.marginBottom = isLittle && !isLast ? `${left}px` : '';
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

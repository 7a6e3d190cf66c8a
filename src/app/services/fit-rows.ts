/** Rows that are shown of a list however little room there is. */
const LEAST = 2;
/** Pixels of what follows the list that are seen where there is no room for more of it. */
const PEEK = 12;

const pixels = (value: string): number => Number.parseFloat(value) || 0;

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
    const bar = document.documentElement.clientHeight - window.scrollY - pixels(getComputedStyle(list).getPropertyValue('--nav'));
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

/**
 * Reports an element's height with its padding and border, in pixels, now and whenever it changes. The browser gives it where it lays out anyway:
 * reading it at once would make it lay out the page a second time.
 * @returns a function that stops this
 */
export function watchHeight(element: Element, tell: (height: number) => void): () => void {
  const watching = new ResizeObserver(([entry]) => tell(entry?.borderBoxSize[0]?.blockSize ?? 0));
  watching.observe(element);
  return () => watching.disconnect();
}

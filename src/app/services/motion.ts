import { hasSideNav, reducedMotion } from '../managers/screen.svelte.ts';

/** Milliseconds until a view has come in. */
const DURATION = 180;
/** Pixels that it comes from the side, on a phone. */
const DISTANCE = 28;

/**
 * Lets a view that was just drawn come in: on a phone from the side that it is on, elsewhere in its place. It can be used from the first moment on:
 * only opacity and transform change, which neither delays input nor moves the layout. Nothing moves for those who want less motion.
 * @param heading the view's title; beside a list only what the list leads to comes in
 * @param way 1 for a view that is deeper, -1 for one that was come back to, 0 for one beside
 */
export function comeIn(heading: Element, way: 1 | 0 | -1): void {
  if (reducedMotion.current) return;
  const detail = heading.closest('.detail');
  const parts = detail ? [detail] : (heading.closest('main')?.children ?? []);
  const from = hasSideNav.current ? 0 : way * (document.documentElement.dir === 'rtl' ? -DISTANCE : DISTANCE);
  for (const part of parts)
    part.animate(
      { opacity: [0.35, 1], transform: [`translateX(${from}px)`, 'none'] },
      { duration: DURATION, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
}

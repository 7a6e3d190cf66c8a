import { MediaQuery } from 'svelte/reactivity';
import { watchHeight } from '../services/height.ts';

// Breakpoints in em of the browser's default text size, so that larger text gets the narrower layout.

/** The navigation is at the side. Same breakpoint as in the style of Inside.svelte. */
export const hasSideNav = new MediaQuery('min-width: 56.25em');

/** The navigation bar at the bottom of narrow screens. */
class NavBar {
  /** Pixels; 0 while there is none. Not a style of the whole page, which would all be computed anew. */
  height = $state(0);

  /** To be attached to the bar. */
  readonly watch = (bar: Element): (() => void) => {
    const stop = watchHeight(bar, (height) => (this.height = height));
    return () => {
      stop();
      this.height = 0;
    };
  };
}
export const navBar = new NavBar();

/** The primary pointer is a finger, as on phones and tablets. */
export const isTouchScreen = new MediaQuery('pointer: coarse');

/** The person wants less motion. */
export const reducedMotion = new MediaQuery('prefers-reduced-motion: reduce');

/** Two columns. Same breakpoint as in the style of Home.svelte. */
export const twoColumns = new MediaQuery('min-width: 68.75em');

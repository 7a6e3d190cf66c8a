import { type Component, createRawSnippet, type Snippet } from 'svelte';

/** Props of a component that the gallery no longer tells from others. */
export type Props = Record<string, unknown>;
/** How several of one component stand: entries of a card's list, which the list wraps, or which wrap themselves. */
export type Listed = 'rows' | 'entries';

/** One state of a component. */
export interface Sample {
  /** Of each that is shown: one, or the rows of a list. Read once the world is as it should be. */
  readonly props: () => Props | readonly Props[];
  readonly listed?: Listed;
  /** Set-up of its surroundings. Such a sample has a document of its own. */
  readonly world?: () => void | Promise<void>;
  /** Actions that bring it to its state. Such a sample has a document of its own. */
  readonly act?: (inside: HTMLElement) => void | Promise<void>;
  /** Pixels of a document of its own, at least: what lies over the page has no height. */
  readonly height?: number;
}

/** A component with its states, by their names. */
export interface Entry {
  readonly component: Component<Props>;
  readonly samples: Readonly<Record<string, Sample>>;
}

type State<P> =
  | (() => P)
  | (Omit<Sample, 'props'> & { readonly props: () => P })
  | (Omit<Sample, 'props'> & { readonly props: () => readonly P[]; readonly listed: Listed });

/** A component with its states, each held against what the component takes. */
export const entry =
  // biome-ignore lint/suspicious/noExplicitAny: whatever a component takes, exports and binds
    <P extends Record<string, any>>(component: Component<P, any, any>) =>
    (states: Readonly<Record<string, State<P>>>): Entry => {
      const samples = Object.entries(states).map(([name, state]): [string, Sample] => [
        name,
        typeof state === 'function' ? { props: state } : state,
      ]);
      return { component: component as unknown as Component<Props>, samples: Object.fromEntries(samples) };
    };

export const hasOwnDocument = ({ world, act, height }: Sample): boolean =>
  world !== undefined || act !== undefined || height !== undefined;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Where a component tells of what is done in it. */
export const nothing = (): void => undefined;

/** Text, or markup, where a component takes what stands in it. */
export const words = (text: string): Snippet => markup(`<span>${escaped(text)}</span>`);
export const markup = <Given extends unknown[]>(html: string): Snippet<Given> =>
  createRawSnippet<Given>(() => ({ render: () => html }));

/** A button, as reviews and columns have them. */
export const button = (text: string, kind = 'primary'): string =>
  `<button type="button" class="btn ${kind}">${escaped(text)}</button>`;

/** Buttons at the end of a review, without a box of their own. */
export const buttons = <Given extends unknown[]>(...all: readonly string[]): Snippet<Given> =>
  markup(`<div style="display: contents">${all.join('')}</div>`);

import { type Component, createRawSnippet, type Snippet } from 'svelte';

/** Props of any component. */
export type Props = Record<string, unknown>;
/** Layout of several instances: items wrapped by a card's list, or items that are list items themselves. */
export type Listed = 'rows' | 'entries';

/** One state of a component. */
export interface Sample {
  /** Props of each instance: one, or the rows of a list. Called after `world`. */
  readonly props: () => Props | readonly Props[];
  readonly listed?: Listed;
  /** Sets up managers and answers. Such a sample gets its own document. */
  readonly world?: () => void | Promise<void>;
  /** User actions that lead to the state. Such a sample gets its own document. */
  readonly act?: (inside: HTMLElement) => void | Promise<void>;
  /** Minimum height of its own document, pixels: overlays have none. */
  readonly height?: number;
  /** Only pages with two columns have it. */
  readonly wide?: boolean;
}

/** A component with its named states. */
export interface Entry {
  readonly component: Component<Props>;
  readonly samples: Readonly<Record<string, Sample>>;
}

type State<P> =
  | (() => P)
  | (Omit<Sample, 'props'> & { readonly props: () => P })
  | (Omit<Sample, 'props'> & { readonly props: () => readonly P[]; readonly listed: Listed });

/** A component with its named states, type-checked against its props. */
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

/** Callback prop that does nothing. */
export const nothing = (): void => undefined;

/** Snippet prop with text or markup. */
export const words = (text: string): Snippet => markup(`<span>${escaped(text)}</span>`);
export const markup = <Given extends unknown[]>(html: string): Snippet<Given> =>
  createRawSnippet<Given>(() => ({ render: () => html }));

/** HTML of a button. */
export const button = (text: string, kind = 'primary'): string =>
  `<button type="button" class="btn ${kind}">${escaped(text)}</button>`;

/** Snippet prop with the buttons at the end of a review. */
export const buttons = <Given extends unknown[]>(...all: readonly string[]): Snippet<Given> =>
  markup(`<div style="display: contents">${all.join('')}</div>`);

/** Place in the gallery, and its controls: in the address alone, so that any of it can be linked to. */
export interface Place {
  /** `tokens`, `icons`, a component, or the beginning of several (`settings/`); the first component when empty. */
  readonly part: string;
  /** One sample of the component, alone in its document. */
  readonly sample: string | undefined;
  readonly theme: 'light' | 'dark';
  readonly language: string;
  /** Pixels; undefined for as wide as the window. */
  readonly width: number | undefined;
  readonly hidden: boolean;
  /** Without the controls around it. */
  readonly bare: boolean;
}

/** Widths that the controls offer, CSS pixels. */
export const WIDTHS = { phone: 390, desktop: 1440 } as const;

/** The place that an address names. @param search of the address, with or without its `?`; what is missing or unknown has its default */
export function readPlace(search: string): Place {
  const given = new URLSearchParams(search);
  const width = given.get('width');
  return {
    part: given.get('part') ?? 'tokens',
    sample: given.get('sample') ?? undefined,
    theme: given.get('theme') === 'dark' ? 'dark' : 'light',
    language: given.get('language') ?? 'en',
    width: width === 'phone' || width === 'desktop' ? WIDTHS[width] : undefined,
    hidden: given.has('hidden'),
    bare: given.has('bare'),
  };
}

/** The search of an address, from its `?` on, that {@link readPlace} reads back. */
export function writePlace({ part, sample, theme, language, width, hidden, bare }: Place): string {
  const given = new URLSearchParams({ part, theme, language });
  if (sample !== undefined) given.set('sample', sample);
  for (const [name, pixels] of Object.entries(WIDTHS)) if (pixels === width) given.set('width', name);
  if (hidden) given.set('hidden', 'yes');
  if (bare) given.set('bare', 'yes');
  return `?${given}`;
}

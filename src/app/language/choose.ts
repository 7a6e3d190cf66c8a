/**
 * The first of the person's languages that there is: by its whole tag, or else by its language alone; English where there is none.
 * @param wanted BCP 47 tags, the dearest first
 * @param offered BCP 47 tags
 */
export function chooseLanguage(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const found =
      offered.find((code) => code.toLowerCase() === tag.toLowerCase()) ??
      offered.find((code) => isRegional(tag, code)) ??
      offered.find((code) => sameLanguage(code, tag));
    if (found) return found;
  }
  return 'en';
}

/**
 * `de-AT` of `de`. Spares most people the loading of the browser's tables of languages, some ten milliseconds before the first paint; no
 * language that is offered without a script or a region is written otherwise in any region.
 */
function isRegional(tag: string, code: string): boolean {
  const [language, region, ...rest] = tag.split('-');
  return language?.toLowerCase() === code && region?.length === 2 && rest.length === 0;
}

/** Written alike too: Chinese of one script is no use to who reads the other. */
function sameLanguage(code: string, tag: string): boolean {
  const [one, other] = [code, tag].map(maximized);
  return one !== undefined && other !== undefined && one.language === other.language && one.script === other.script;
}

function maximized(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

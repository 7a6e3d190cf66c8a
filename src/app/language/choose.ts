/**
 * The first of the person's languages that there is: by its whole tag, or else by its language alone; English where there is none.
 * @param wanted BCP 47 tags, the dearest first
 * @param offered BCP 47 tags
 */
export function chooseLanguage(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const found =
      offered.find((code) => code.toLowerCase() === tag.toLowerCase()) ?? offered.find((code) => sameLanguage(code, tag));
    if (found) return found;
  }
  return 'en';
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

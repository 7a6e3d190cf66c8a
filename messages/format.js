// The format of our message files, for the compiler: one flat JSON object a locale, `{name}` stands for a value.
// It is read from disk, so that a build needs no network.

const toPattern = (text) =>
  text
    .split(/(\{[a-zA-Z]+\})/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('{')
        ? { type: 'expression', arg: { type: 'variable-reference', name: part.slice(1, -1) } }
        : { type: 'text', value: part },
    );

const namesIn = (text) => [...new Set([...text.matchAll(/\{([a-zA-Z]+)\}/g)].map((match) => match[1]))];

export default {
  key: 'nightjar.flat-messages',
  toBeImportedFiles: ({ settings }) => settings.locales.map((locale) => ({ path: `./${locale}.json`, locale })),
  importFiles: ({ files }) => {
    const bundles = [];
    const messages = [];
    const variants = [];
    for (const { locale, content } of files) {
      for (const [id, text] of Object.entries(JSON.parse(new TextDecoder().decode(content)))) {
        bundles.push({ id, declarations: namesIn(text).map((name) => ({ type: 'input-variable', name })) });
        messages.push({ bundleId: id, locale, selectors: [] });
        variants.push({ messageBundleId: id, messageLocale: locale, matches: [], pattern: toPattern(text) });
      }
    }
    return { bundles, messages, variants };
  },
};

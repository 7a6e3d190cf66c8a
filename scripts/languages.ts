/** `npm run languages`: the missing texts and mistakes of each language of the page. With a language's code it lists every missing text. */
import { mistakes, readLanguages, readTexts } from './texts.ts';

const [wanted] = process.argv.slice(2);
const base = readTexts('en');
const keys = Object.keys(base);
let wrong = 0;
for (const { code, name } of readLanguages().filter((language) => wanted === undefined || language.code === wanted)) {
  const own = readTexts(code);
  const missing = keys.filter((key) => own[key] === undefined);
  const found = mistakes(code, own, base);
  wrong += found.length;
  console.log(`${code} (${name}): ${keys.length - missing.length} of ${keys.length} texts, ${found.length} mistakes`);
  for (const mistake of found) console.log(`  ✗ ${mistake}`);
  if (wanted !== undefined) for (const key of missing) console.log(`  ${key}: ${JSON.stringify(base[key])}`);
}
process.exit(wrong === 0 ? 0 : 1);

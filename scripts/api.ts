// Regenerates docs/api.md from the doc comments of the library's doors: npx tsx scripts/api.ts
import { writeFileSync } from 'node:fs';
import { readApi } from './api-document.ts';

writeFileSync(new URL('../docs/api.md', import.meta.url), readApi().document);

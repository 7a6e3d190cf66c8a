// Regenerates docs/openrpc.json from the table of methods: npx tsx scripts/openrpc.ts
import { writeFileSync } from 'node:fs';
import { stringifyJson } from '../src/base/index.ts';
import { METHODS } from '../src/rpc/method-table.ts';
import { openRpcDocument } from '../src/rpc/openrpc.ts';

writeFileSync(new URL('../docs/openrpc.json', import.meta.url), `${stringifyJson(openRpcDocument(METHODS), 1)}\n`);

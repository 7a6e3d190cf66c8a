import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWallet } from '../../src/index.ts';
import { FileJournalStore } from '../../src/node.ts';
import { answerJsonRpc } from '../../src/rpc/json-edge.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { jsonText } from '../support/json-text.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

const FIXTURES = new URL('../fixtures/earlier/', import.meta.url);

interface Asked {
  readonly method: string;
  readonly params: object;
  readonly result: object;
}

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nightjar-earlier-'));
});
afterAll(() => rm(folder, { recursive: true }));

for (const [name, password] of [
  ['wallet', 'old password'],
  ['signer', 'm'],
] as const) {
  it(`a ${name} that an earlier version wrote opens with all that it held`, async () => {
    await copyFile(new URL(`${name}.nightjar`, FIXTURES), join(folder, `${name}.nightjar`));
    const store = new FileJournalStore(folder);
    const asked = (JSON.parse(await readFile(new URL('answers.json', FIXTURES), 'utf8')) as Record<string, readonly Asked[]>)[
      name
    ]!;
    const opened = await openWallet({ store, name, password });
    await expectAnswers(new RpcService(oneWalletHost(opened)), asked);
    await opened.close();
  });
}

async function expectAnswers(service: RpcService, asked: readonly Asked[]): Promise<void> {
  for (const { method, params, result } of asked) {
    const request = new TextEncoder().encode(JSON.stringify({ id: 0, method, params }));
    const reply = JSON.parse(jsonText(await answerJsonRpc(service, request))) as { readonly result: object };
    expect(reply.result, method).toEqual(result);
  }
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// `npm run dev` without its browser: what one origin serves. The page itself is driven by the tests of the built one.

let site: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const child = spawn(process.execPath, ['scripts/dev.mjs', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Wallet\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (url === undefined) continue;
    site = url;
    break;
  }
  child.stdout.resume();
});

afterAll(() => stop());

const daemon = (headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${site}/daemon/get_height`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });

describe('the page from its sources', () => {
  it('comes with the code that loads anew what is saved', async () => {
    const page = await (await fetch(`${site}/`)).text();
    expect(page).toContain('/@vite/client');
    expect(page).toContain('/src/app/main.ts');
    const main = await fetch(`${site}/src/app/main.ts`);
    expect([main.status, main.headers.get('content-type')]).toEqual([200, 'text/javascript']);
  });

  it('has a devnet with a faucet beside it', async () => {
    const about = (await (await fetch(`${site}/nightjar.json`)).json()) as { daemon: { kind: string }; faucet: boolean };
    expect([about.daemon.kind, about.faucet]).toEqual(['devnet', true]);
    const { height } = (await (await daemon({})).json()) as { height: number };
    expect(height).toBeGreaterThan(600);
  });

  it('passes nothing on for another page', async () => {
    expect((await daemon({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await daemon({ origin: site })).status).toBe(200);
  });
});

import { version } from '../../package.json';
import { openBackend, siteFlags } from './backend.ts';
import type { Command } from './command.ts';
import { type Flags, type FlagValues, numberFlag } from './flags.ts';
import { builtPage, PageFiles } from './http/files.ts';
import { createSiteServer } from './http/server.ts';
import { listenOn } from './listen.ts';
import { runUntilStopped } from './signals.ts';

const DEFAULT_PORT = 8420;

const flags: Flags = {
  port: { value: 'number', text: `where the page is served on 127.0.0.1 (default ${DEFAULT_PORT}; 0 takes a free one)` },
  ...siteFlags,
};

async function run(values: FlagValues): Promise<void> {
  const wantedPort = numberFlag(values, 'port', DEFAULT_PORT, 0, 65_535);
  const files = new PageFiles(builtPage());
  const backend = await openBackend(values);
  const server = createSiteServer({ ...backend.site, files });
  const address = { ip: '127.0.0.1', optional: false };
  const { port } = await listenOn(server, { addresses: [address], port: wantedPort }, 'port').catch((error: unknown) => {
    backend.close();
    throw error;
  });
  const lines = [`Nightjar ${version}`, `Wallet   http://127.0.0.1:${port}/`, ...backend.about, 'Stop     Ctrl+C'];
  console.log(lines.join('\n'));
  await runUntilStopped(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    backend.close();
  });
}

export const startCommand: Command = {
  summary: 'serves the wallet on this machine, with a test chain or your own daemon',
  flags,
  run,
};

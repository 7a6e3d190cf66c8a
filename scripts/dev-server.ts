import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { openBackend, siteFlags } from '../src/cli/backend.ts';
import { describeFlags, numberFlag, readFlags } from '../src/cli/flags.ts';
import { createSiteServer, type Site } from '../src/cli/http/server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Not 8420, where `npm start` serves, so that both can run. */
const DEFAULT_PORT = 8421;

const flags = {
  ...siteFlags,
  port: { value: 'number', text: `where the page is served on 127.0.0.1 (default ${DEFAULT_PORT}; 0 takes a free one)` },
};

/** The command line's routes, in addition to the page's files: the daemon behind its gateway, the faucet, and the site's configuration. */
function beside(site: Site): Plugin {
  const server = createSiteServer(site);
  const isOurs = (path: string): boolean => path === '/nightjar.json' || path === '/faucet' || path.startsWith('/daemon/');
  return {
    name: 'nightjar-site',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (isOurs(request.url ?? '')) server.emit('request', request, response);
        else next();
      });
    },
  };
}

/** Recompiles the kernels when one of their sources has changed, and reloads the page. */
function kernels(): Plugin {
  const sources = join(root, 'wasm');
  const isSource = (path: string): boolean => path.startsWith(sources) && path.endsWith('.ts');
  const compile = (server: ViteDevServer): void => {
    const { status } = spawnSync(process.execPath, ['scripts/build-kernels.mjs'], { cwd: root, stdio: 'inherit' });
    if (status === 0) server.ws.send({ type: 'full-reload' });
  };
  return {
    name: 'nightjar-kernels',
    configureServer(server) {
      server.watcher.add(sources);
      server.watcher.on('change', (path) => {
        if (isSource(path)) compile(server);
      });
    },
  };
}

/** Vite serves JSON as scripts, which a browser rejects for an import of type JSON. */
function jsonAsScript(): Plugin {
  const asked = /,\s*\{\s*with:\s*\{\s*type:\s*['"]json['"]\s*\}\s*\}/g;
  return { name: 'nightjar-json', transform: (code, id) => (id.endsWith('.ts') ? code.replace(asked, '') : undefined) };
}

const values = readFlags('dev', flags, process.argv.slice(2));
if (values.help === true) console.log(`Usage: npm run dev -- [flags]\n\n${describeFlags(flags)}`);
else {
  const { site, about, close } = await openBackend(values);
  const vite = await createServer({
    configFile: join(root, 'vite.config.ts'),
    clearScreen: false,
    plugins: [beside(site), kernels(), jsonAsScript()],
    // Discovered before the page asks for them: a dependency discovered later reloads the page.
    optimizeDeps: { entries: ['index.html', 'workers/*.worker.ts', 'workers/rpc.ts'] },
    server: { port: numberFlag(values, 'port', DEFAULT_PORT, 0, 65_535), strictPort: true },
  });
  await vite.listen();
  const address = vite.httpServer?.address();
  const port = typeof address === 'object' && address !== null ? address.port : DEFAULT_PORT;
  const lines = [
    `Wallet   http://127.0.0.1:${port}/, from its sources: what you save is shown at once`,
    ...about,
    'Stop     Ctrl+C',
  ];
  console.log(lines.join('\n'));
  const stop = async (): Promise<void> => {
    await vite.close();
    close();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

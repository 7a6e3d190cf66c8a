#!/usr/bin/env node
// `npx nightjar` and `npm start`: sets up what is missing, rebuilds what has changed, then runs the command line with all arguments.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNode, installPackages, root, run } from './setup.mjs';
import { isBuilt } from './sources.mjs';

checkNode();
// An installed package is already built, and has no sources and no lockfile.
if (existsSync(join(root, 'package-lock.json'))) {
  await installPackages();
  if (!isBuilt()) {
    console.error('nightjar: builds itself, since its sources are new or have changed');
    run(process.execPath, ['scripts/build.mjs', '--if-stale']);
  }
}

// In this process: a second one would cost half the time of a short command. A command that restarts itself (`--detach`) starts from here.
const cli = join(root, 'dist', 'node', 'bin', 'cli.js');
process.argv[1] = cli;
await import(pathToFileURL(cli).href);

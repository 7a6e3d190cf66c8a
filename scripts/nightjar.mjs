#!/usr/bin/env node
// `npx nightjar` and `npm start`: sets up what is missing, builds what has changed, then runs the command line with all arguments.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkNode, installPackages, root, run } from './setup.mjs';

checkNode();
installPackages();
run(process.execPath, ['scripts/build.mjs', '--if-stale']);

const cli = join(root, 'dist', 'node', 'bin', 'cli.js');
const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
// This process stays until the other has tidied up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));

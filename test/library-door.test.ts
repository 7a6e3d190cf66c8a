import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A stranger's project with this package in its node_modules: what the door exports must have types there, under the stranger's own
// compiler settings, not under ours.

const ROOT = realpathSync(join(import.meta.dirname, '..'));
const PROGRAM = `
declare const Worker: new (url: string) => { postMessage(message: unknown, transfer: unknown[]): void; addEventListener(type: string, listener: (event: never) => void): void };
import { type HistoryPage, openWallet, parseAmount, restoreWallet, SpendError, StorageError, toAtomicAmount, type Wallet, type WalletView } from 'nightjar';
import { createNodeScanPool, FileJournalStore, ledgerByName } from 'nightjar/node';
import { createWebScanPool, IndexedDbJournalStore } from 'nightjar/web';

const wallet: Wallet = await openWallet({
  store: new FileJournalStore('.'), name: 'a', password: 'b', scanPool: () => createNodeScanPool(1),
}).catch((error: unknown) => {
  if (error instanceof StorageError && error.code === 'not-found') throw new Error('none');
  throw error;
});
const inPage = { store: new IndexedDbJournalStore(), scanPool: () => createWebScanPool(() => new Worker('scan.js')) };
await openWallet({ ...inPage, name: 'a', password: 'b' });
const page: HistoryPage = { limit: 10 };
await wallet.history(page);
await restoreWallet({ ...inPage, name: 'c', password: 'b', network: 'mainnet', from: { device: ledgerByName() } });
await wallet.subscribe((view: WalletView) => view.balance.total satisfies bigint);
const destinations = [{ address: '4', amount: toAtomicAmount(parseAmount('1.5')) }];
await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 0 }).catch((error: unknown) => {
  if (error instanceof SpendError) error.code satisfies string;
});
// @ts-expect-error a number is no amount: the types are there, and not any
await wallet.payments.prepareTransfer({ destinations: [{ address: '4', amount: 1.5 }], account: 0, priority: 0 });
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-door-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'nightjar'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), PROGRAM);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
] as const)(
  "the exports have types for a project of Node that resolves as %s, without a browser's types",
  (_, module, moduleResolution) => {
    const options: ts.CompilerOptions = {
      ...{ module, moduleResolution, target: ts.ScriptTarget.ES2022, strict: true, noEmit: true },
      ...{ lib: ['lib.es2022.d.ts'], exactOptionalPropertyTypes: true },
      ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] },
    };
    const program = ts.createProgram([join(folder, 'main.ts')], options);
    const said = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(said).toEqual([]);
  },
);

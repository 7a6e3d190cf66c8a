import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { derivationRows } from './derivations.ts';
import { deviceRows } from './device.ts';
import { devnetLoadRows } from './devnet-load.ts';
import { machine } from './machine.ts';
import { muchRows } from './much.ts';
import { multisigRows } from './multisig.ts';
import { multisigSigningRows } from './multisig-signing.ts';
import { arrivalRows } from './page/arrival.ts';
import { beginRows } from './page/begin.ts';
import { lighthouseRows } from './page/lighthouse.ts';
import { longTaskRows } from './page/longtask.ts';
import { responsiveRows } from './page/responsive.ts';
import { scrollingRows } from './page/scrolling.ts';
import { sizeRows } from './page/sizes.ts';
import { slowLineRows } from './page/slow.ts';
import { proofRows } from './proofs.ts';
import { performanceTests, type Row } from './rows.ts';
import { rpcCostRows } from './rpc-cost.ts';
import { rpcLoadRows } from './rpc-load.ts';
import { rpcStartRows } from './rpc-start.ts';
import { rpcTransfersRows } from './rpc-transfers.ts';
import { rpcWaitRows } from './rpc-wait.ts';
import { servingRows } from './serving.ts';
import { signingRows } from './signing.ts';
import { syncRows } from './sync/compare.ts';
import { memoryRows } from './sync/memory.ts';
import { timingRows } from './timing.ts';
import { unlockRows } from './unlock.ts';

/**
 * `npm run bench`: all figures in one run on one machine, as a table and in `bench/results.json`.
 * `npm run bench -- sync memory` runs only those sections and writes nothing.
 */

interface Section {
  readonly rows: () => Promise<Row[]>;
  /** Needs the reference's packaged benchmark. */
  readonly native?: true;
}

const SECTIONS: Readonly<Record<string, Section>> = {
  derivations: { rows: () => derivationRows(), native: true },
  timing: { rows: () => timingRows() },
  sync: { rows: () => syncRows() },
  proofs: { rows: () => proofRows(), native: true },
  signing: { rows: () => signingRows() },
  multisig: { rows: () => multisigRows() },
  cosigning: { rows: () => multisigSigningRows() },
  device: { rows: () => deviceRows() },
  memory: { rows: () => memoryRows() },
  sizes: { rows: () => sizeRows() },
  begin: { rows: () => beginRows() },
  arrival: { rows: () => arrivalRows() },
  longtask: { rows: () => longTaskRows() },
  responsive: { rows: () => responsiveRows() },
  scrolling: { rows: () => scrollingRows() },
  slow: { rows: () => slowLineRows() },
  lighthouse: { rows: () => lighthouseRows() },
  unlock: { rows: () => unlockRows() },
  much: { rows: () => muchRows() },
  rpc: { rows: async () => [...(await rpcCostRows()), ...(await rpcWaitRows())] },
  load: { rows: () => rpcLoadRows() },
  node: { rows: () => devnetLoadRows() },
  transfers: { rows: () => rpcTransfersRows() },
  start: { rows: () => rpcStartRows() },
  serving: { rows: () => servingRows() },
};

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

function fail(line: string): never {
  console.error(`bench: ${line}`);
  process.exit(1);
}

/** Rounds to three significant digits. */
const shown = (value: number | undefined): string =>
  value === undefined ? '' : Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

function print(rows: readonly Row[]): void {
  console.table(
    rows.map(({ name, where, ours, other, otherIs, unit, ratio }) => ({
      name,
      where,
      ours: shown(ours),
      other: shown(other),
      unit,
      ratio: shown(ratio),
      'what the other is': otherIs,
    })),
  );
}

/** Names of the requested sections; all if none was named. */
function asked(): string[] {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in SECTIONS));
  if (unknown !== undefined) fail(`there is no section "${unknown}"; there are ${Object.keys(SECTIONS).join(', ')}`);
  return names.length > 0 ? names : Object.keys(SECTIONS);
}

function build(): void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
  if (spawnSync(process.execPath, [script, '--if-stale'], { stdio: 'inherit' }).status !== 0) fail('the build failed');
}

async function main(): Promise<void> {
  const names = asked();
  if (names.some((name) => SECTIONS[name]!.native) && !existsSync(performanceTests)) {
    fail('the reference’s own benchmark is missing: apt-get install monero-tests');
  }
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  build();
  const whole = process.argv.length === 2;
  const rows: Row[] = [];
  for (const name of names) {
    console.log(`\n${name}`);
    const some = await SECTIONS[name]!.rows();
    print(some);
    rows.push(...some);
    // After each section: a run that is interrupted has already shown results.
    if (whole) write(rows);
  }
  if (whole) console.log(`\nwritten to ${RESULTS}`);
}

function write(rows: readonly Row[]): void {
  const results = { date: new Date().toISOString(), machine: machine(), rows };
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
}

await main();
process.exit(0);

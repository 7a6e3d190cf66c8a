import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The public wallet of regtest to which the first blocks of a premined chain pay. */
export const MINER_SEED =
  'foiled lexicon nifty gecko tomorrow zero mirror gags possible blender gauze ablaze psychic jetting idiom reinvest cage vapidly offend huge spiders cogs tinted toaster psychic';
export const MINER_ADDRESS = '4APd1bbk8d9H5Did8QCVQ6C4Vo2Vx6brvXAYsfs1mTPR9qr9FLbLZGaP5J5AeySAqdSv2Rw6Xs1cMZYWD6kUWS3YNc7s1zv';

/** Blocks of a premined chain after the first: enough for rings, and unlocked coins. */
const PREMINED_BLOCKS = 440;

/** Blocks requested at once. */
const RUN = 40;

/** Folder of the chain, created once for all clones: most of the waiting time for monerod in tests is mining. */
function preminedFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'nightjar', 'regtest', `${MINER_ADDRESS.slice(0, 12)}-${PREMINED_BLOCKS}`);
}

/** That folder, filled by `mine` if missing. If several processes create it at once, the first stays. */
export async function requirePremined(mine: (dataDir: string, runs: readonly number[]) => Promise<void>): Promise<string> {
  const folder = preminedFolder();
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  try {
    await mine(
      fresh,
      Array.from({ length: PREMINED_BLOCKS / RUN }, () => RUN),
    );
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** A copy of the chain for one daemon. */
export function copyPremined(from: string, dataDir: string): void {
  cpSync(join(from, 'fake'), join(dataDir, 'fake'), { recursive: true });
}

import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whose coins the first blocks of a premined chain are: a wallet of regtest, known to everybody. */
export const MINER_SEED =
  'foiled lexicon nifty gecko tomorrow zero mirror gags possible blender gauze ablaze psychic jetting idiom reinvest cage vapidly offend huge spiders cogs tinted toaster psychic';
export const MINER_ADDRESS = '4APd1bbk8d9H5Did8QCVQ6C4Vo2Vx6brvXAYsfs1mTPR9qr9FLbLZGaP5J5AeySAqdSv2Rw6Xs1cMZYWD6kUWS3YNc7s1zv';

/** Blocks of a premined chain without the first: what rings need, and coins that are unlocked. */
const PREMINED_BLOCKS = 440;

/** Blocks that are asked for at once. */
const RUN = 40;

/** Where the chain lies, made once for all clones: mining is most of what a test beside monerod waits for. */
function preminedFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'nightjar', 'regtest', `${MINER_ADDRESS.slice(0, 12)}-${PREMINED_BLOCKS}`);
}

/** The folder above, filled by `mine` when it is not there yet. Of several that make it at once the first stays. */
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

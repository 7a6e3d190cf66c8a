import { randomBelow } from '../../src/devnet/faucet.ts';
import type { DevnetNode } from '../../src/devnet/index.ts';
import { openFolder } from '../../src/devnet/store/folder.ts';
import { COIN, seededRandom, testChain } from './support.ts';

// A devnet that changes its chain until it is killed, or its disk is full: `store-writer.ts FOLDER SEED`. Before each change it says which,
// after it what its chain is then. Nothing but a whole line was said.

const [, , folder, seed] = process.argv;
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const stateOf = ({ chain, pool }: DevnetNode) => ({
  top: chain.top.id,
  height: chain.height,
  pool: pool.all.map(({ id }) => id),
});

const { node, minerWallet, mine, pay } = await testChain(0, 'kill', await openFolder(folder!));
const random = seededRandom(seed!);
if (node.chain.height < 90) node.batch(() => mine(90));
say({ state: stateOf(node) });
const CHANGES = {
  mine: () => mine(1),
  pay: () => {
    const coin = minerWallet.pick(2n * COIN);
    const input = coin && minerWallet.input(coin, (below) => randomBelow(random, below));
    if (input !== undefined) node.submitTransaction(pay({ inputs: [input] }).blob, { sanityChecks: false });
  },
  pop: () => void node.popBlocks(1 + randomBelow(random, 3)),
  reorganise: () => node.reorganise(2, 3, minerWallet),
} as const;
const ORDER = ['mine', 'mine', 'mine', 'pay', 'pay', 'reorganise', 'pop'] as const;
try {
  for (;;) {
    const change = ORDER[randomBelow(random, ORDER.length)]!;
    if (node.chain.height < 90 && change !== 'mine') continue;
    say({ change });
    CHANGES[change]();
    say({ state: stateOf(node) });
    // What was said leaves before the next change begins.
    await new Promise((resolve) => setImmediate(resolve));
  }
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error), state: stateOf(node) });
  process.exit(0);
}

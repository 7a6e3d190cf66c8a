import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { randomBelow } from '../../src/devnet/faucet.ts';
import { MinerWallet } from '../../src/devnet/miner-wallet.ts';
import { DevnetNode } from '../../src/devnet/node.ts';
import { type ParsedTransaction, parseWholeTransaction } from '../../src/devnet/parsed.ts';
import type { PoolOptions } from '../../src/devnet/pool.ts';
import { signedPayment } from '../support/fuzz/signed.ts';
import { COIN, codeOf, FEE, seededRandom } from './support.ts';

const DAY = 86_400;

let clock: number;
let node: DevnetNode;
let minerWallet: MinerWallet;
const random = seededRandom('pool');

function begin(options: PoolOptions = {}): void {
  clock = 1_800_000_000;
  node = new DevnetNode({ random, now: () => clock, ...options });
  minerWallet = new MinerWallet(node, random.bytes(32));
  for (let i = 0; i < 85; i++) mine();
}

function mine(): void {
  clock += 120;
  node.mine(minerWallet);
}

const pay = (fee = FEE, unlockTime = 0n): ParsedTransaction => {
  const input = minerWallet.input(minerWallet.pick(2n * COIN)!, (below) => randomBelow(random, below))!;
  const request = { inputs: [input], own: minerWallet, amount: COIN, fee, random };
  return parseWholeTransaction(signedPayment(request, (tx) => ({ ...tx, unlockTime })));
};
const send = ({ blob }: ParsedTransaction): unknown => codeOf(() => node.submitTransaction(blob));

beforeAll(async () => {
  await loadCrypto();
});

describe('what waits in the pool', () => {
  it('leaves after three days, and is not taken again', () => {
    begin();
    const old = pay();
    node.submitTransaction(old.blob, { doNotRelay: true });
    clock += 3 * DAY;
    node.pool.tidy();
    expect(node.pool.get(old.id)).toBeDefined();
    clock += 1;
    const second = pay();
    expect(send(second)).toBeUndefined();
    expect(node.pool.all.map(({ id }) => id)).toEqual([second.id]);
    expect(send(old)).toBe('timed-out');
  });

  it('waits seven days when it came back from a block', () => {
    begin();
    const tx = pay();
    expect(send(tx)).toBeUndefined();
    mine();
    node.popBlocks(1);
    clock += 7 * DAY;
    node.pool.tidy();
    expect(node.pool.get(tx.id)).toBeDefined();
    clock += 1;
    node.pool.tidy();
    expect(node.pool.get(tx.id)).toBeUndefined();
  });

  it('leaves a full pool from the lowest fee for the weight up, but for the last one, and those from blocks', () => {
    begin({ maxPoolWeight: 1 });
    const low = pay(FEE);
    expect(send(low)).toBeUndefined();
    expect(node.pool.all.map(({ id }) => id)).toEqual([low.id]);
    const rival = pay(3n * FEE);
    expect(send(rival)).toBeUndefined();
    expect(node.pool.all.map(({ id }) => id)).toEqual([rival.id]);
    mine();
    node.popBlocks(1);
    expect(send(pay(4n * FEE))).toBeUndefined();
    expect(node.pool.all.map(({ fee }) => fee)).toEqual([3n * FEE, 4n * FEE]);
  });

  it('has no unlock time, where nothing else is asked', () => {
    begin();
    expect(send(pay(FEE, 100n))).toBe('unlock-time');
    begin({ allowUnlockTimes: true });
    expect(send(pay(FEE, 100n))).toBeUndefined();
  });

  it('is mined by fee for the weight; of the same fee and second, by id', () => {
    begin();
    const sent = Array.from({ length: 5 }, () => {
      const tx = pay();
      expect(send(tx)).toBeUndefined();
      return tx.id;
    });
    clock += 1;
    const late = pay();
    expect(send(late)).toBeUndefined();
    const best = pay(2n * FEE);
    expect(send(best)).toBeUndefined();
    expect(sent).not.toEqual(sent.toSorted());
    expect(node.template(minerWallet).transactions.map(({ id }) => id)).toEqual([best.id, ...sent.toSorted(), late.id]);
  });
});

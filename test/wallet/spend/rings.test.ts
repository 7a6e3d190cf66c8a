import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { commit, loadCrypto, scalarMulBase, zeroCommit } from '../../../src/crypto/index.ts';
import { type OutputByIndex, type OutputRequest, Untrusted } from '../../../src/daemon/index.ts';
import { type OutputKey, toAtomicAmount } from '../../../src/protocol/model.ts';
import type { Ring } from '../../../src/wallet/model.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import { inputOf } from '../../../src/wallet/spend/ring-answers.ts';
import { RingMaker, type RingPort } from '../../../src/wallet/spend/rings.ts';
import { BLOCKS, OUTPUTS_A_BLOCK, offsets, onChain } from './chain.ts';
import { paperOutput, seededSampler } from './fixtures.ts';

/** Order 8: not in the prime subgroup. */
const TORSION = hexToBytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
/** Where the chain has an output, and its key there. */
const placeOf = (index: bigint) => ({ height: onChain(index).height, key: bytesToHex(onChain(index).key) as OutputKey });
type Answer = (asked: OutputRequest, honest: OutputByIndex) => OutputByIndex;

/** A daemon and a journal: honest but for what `answer` alters. `log` tells the order of things. */
class World implements RingPort {
  readonly log: ('kept' | 'asked')[] = [];
  readonly asked: (readonly OutputRequest[])[] = [];
  readonly rings = new Map<string, Ring>();
  readonly own: readonly SpendableOutput[];
  answer: Answer = (_, honest) => honest;
  answers: (got: OutputByIndex[]) => OutputByIndex[] = (got) => got;

  constructor(...indices: bigint[]) {
    const mask = '05'.padEnd(64, '0');
    this.own = indices.map((globalIndex) => paperOutput({ amount: 5n, mask, globalIndex, ...placeOf(globalIndex) }));
  }

  distribution = async () => ({ amount: 0n, startHeight: 0, base: 0, distribution: offsets(), cumulative: true });
  histogram: RingPort['histogram'] = async (amounts) =>
    new Untrusted(amounts.map((amount) => ({ amount, total: 2_000n, unlocked: 1_900n, recent: 40n })));

  async outs(asked: readonly OutputRequest[]): Promise<Untrusted<readonly OutputByIndex[]>> {
    this.log.push('asked');
    this.asked.push(asked);
    const got = asked.map((one) => {
      const ours = this.own.find(({ globalIndex }) => globalIndex === one.index);
      const honest = ours === undefined ? onChain(one.index) : { ...onChain(one.index), mask: commit(5n, hexToBytes(ours.mask)) };
      return this.answer(one, honest);
    });
    return new Untrusted(this.answers(got));
  }

  kept({ keyImage }: SpendableOutput): Ring | undefined {
    return this.rings.get(keyImage);
  }

  async keep(rings: readonly Ring[]): Promise<void> {
    this.log.push('kept');
    for (const ring of rings) this.rings.set(ring.keyImage, ring);
  }

  make(seed = 'rings') {
    return new RingMaker(this, seededSampler(seed), 16).rings(this.own);
  }
}

beforeAll(loadCrypto);

const members = (ring: readonly { readonly globalIndex: bigint }[]) => ring.map(({ globalIndex }) => globalIndex);
const failsWith = (code: string) => expect.objectContaining({ code });
const isOurs = (world: World) => (index: bigint) => world.own.some(({ globalIndex }) => globalIndex === index);

describe('T3 a ring once chosen', () => {
  it('is on the disk before any daemon is asked', async () => {
    const world = new World(1_000n, 2_000n);
    const inputs = await world.make();
    expect(world.log[0]).toBe('kept');
    for (const { output, ring } of inputs) expect(world.rings.get(output.keyImage)!.members).toEqual(members(ring));
  });

  it('is the same after a daemon failed, at another daemon, with other random numbers, and nothing else is ever asked for', async () => {
    const world = new World(1_500n);
    world.answers = () => {
      throw new Error('the connection broke');
    };
    await expect(world.make('first')).rejects.toThrow('broke');
    expect(world.rings.get(world.own[0]!.keyImage)).toMatchObject({ members: [], asked: { length: 75 } });
    world.answers = (got) => got;
    const [second] = await world.make('second');
    const [third] = await world.make('third');
    expect(members(third!.ring)).toEqual(members(second!.ring));
    expect([world.asked[1], world.asked[2]]).toEqual([world.asked[0], world.asked[0]]);
  });

  it('consists of the most preferred usable candidates', async () => {
    const world = new World(1_500n);
    let unusable: bigint | undefined;
    world.answer = ({ index }, honest) => {
      unusable ??= world.rings.get(world.own[0]!.keyImage)!.asked![1];
      return { ...honest, unlocked: index !== unusable };
    };
    const [input] = await world.make();
    const kept = world.rings.get(input!.output.keyImage)!;
    expect(members(input!.ring)).toEqual([kept.asked![0]!, ...kept.asked!.slice(2, 17)].sort((a, b) => Number(a - b)));
    expect(kept.members).toEqual(members(input!.ring));
  });

  it('is not decided again when a later answer spoils a member of it', async () => {
    const world = new World(1_500n);
    const [input] = await world.make();
    const decoy = members(input!.ring).find((index) => !isOurs(world)(index));
    world.answer = ({ index }, honest) => (index === decoy ? { ...honest, mask: TORSION } : honest);
    await expect(world.make('again')).rejects.toMatchObject({ code: 'kept-ring-unusable', data: { reason: 'member' } });
    expect(world.rings.get(input!.output.keyImage)!.members).toEqual(members(input!.ring));
  });

  it('of a journal that has the members alone asks for the members alone', async () => {
    const world = new World(1_500n);
    const [input] = await world.make();
    const ring = { keyImage: input!.output.keyImage, members: members(input!.ring) };
    world.rings.set(ring.keyImage, ring);
    const [again] = await world.make('again');
    expect(again!.ring).toEqual(input!.ring);
    expect(world.asked[1]!.map(({ index }) => index)).toEqual(ring.members);
  });

  it('stops when a reorganisation has moved our output: a replaced index would be recognised as ours', async () => {
    const world = new World(1_500n);
    await world.make();
    const moved = { ...world.own[0]!, globalIndex: 1_501n, ...placeOf(1_501n) };
    const again = new RingMaker(world, seededSampler('moved'), 16).rings([moved]);
    await expect(again).rejects.toMatchObject({ code: 'kept-ring-unusable', data: { reason: 'moved' } });
    expect(world.asked).toHaveLength(1);
  });
});

describe('T2 what a daemon says about ring members', () => {
  it('is asked for in one request, sorted, with the real output among its decoys', async () => {
    const world = new World(700n, 2_100n);
    const inputs = await world.make();
    expect(world.asked.length).toBe(1);
    const halves = [world.asked[0]!.slice(0, 75), world.asked[0]!.slice(75)];
    halves.forEach((half, i) => {
      expect(half.map(({ index }) => index)).toEqual(half.map(({ index }) => index).toSorted((a, b) => Number(a - b)));
      expect(half.map(({ index }) => index)).toContain(world.own[i]!.globalIndex);
    });
    for (const { ring, real, output } of inputs) {
      expect(ring.length).toBe(16);
      expect(ring[real]!.globalIndex).toBe(output.globalIndex);
      expect(new Set(members(ring)).size).toBe(16);
    }
  });

  it.each<[string, Answer, string]>([
    [
      'our key altered',
      (_, honest) => ({ ...honest, key: scalarMulBase(hexToBytes('09'.padEnd(64, '0'))) }),
      'daemon-altered-output',
    ],
    ['our commitment altered', (_, honest) => ({ ...honest, mask: honest.key }), 'daemon-altered-output'],
    ['our output called locked', (_, honest) => ({ ...honest, unlocked: false }), 'output-not-spendable'],
  ])('stops everything when it has %s', async (_, alter, code) => {
    const world = new World(900n);
    world.answer = (asked, honest) => (isOurs(world)(asked.index) ? alter(asked, honest) : honest);
    await expect(world.make()).rejects.toThrow(failsWith(code));
  });

  it('stops everything when an output is at another height than the distribution says, or answers are missing', async () => {
    const lying = new World(900n);
    lying.answer = ({ index }, honest) => ({ ...honest, height: honest.height + (isOurs(lying)(index) ? 0 : 1) });
    await expect(lying.make()).rejects.toThrow(failsWith('bad-ring-member'));
    const short = new World(900n);
    short.answers = (got) => got.slice(0, -1);
    await expect(short.make()).rejects.toThrow(failsWith('bad-ring-member'));
  });

  it.each<[string, (honest: OutputByIndex) => OutputByIndex]>([
    ['no point for a key', (honest) => ({ ...honest, key: new Uint8Array(32).fill(0xff) })],
    ['a torsioned key', (honest) => ({ ...honest, key: TORSION })],
    ['a torsioned commitment', (honest) => ({ ...honest, mask: TORSION })],
  ])('is passed over where a decoy is %s, and refused when more than five are', async (_, spoil) => {
    const some = new World(900n);
    const spoilt = new Set<bigint>();
    some.answer = ({ index }, honest) => {
      if (isOurs(some)(index) || (spoilt.size === 5 && !spoilt.has(index))) return honest;
      spoilt.add(index);
      return spoil(honest);
    };
    const [input] = await some.make();
    expect(spoilt.size).toBe(5);
    expect(members(input!.ring).filter((index) => spoilt.has(index))).toEqual([]);
    const many = new World(900n);
    let count = 0;
    many.answer = ({ index }, honest) => (isOurs(many)(index) || ++count > 6 ? honest : spoil(honest));
    await expect(many.make()).rejects.toThrow(failsWith('bad-ring-member'));
  });

  it('passes over a few locked decoys, and refuses a daemon that calls many old ones locked to choose the ring', async () => {
    const lockEvery = (n: bigint) => {
      const world = new World(900n);
      world.answer = ({ index }, honest) => ({ ...honest, unlocked: isOurs(world)(index) || index % n !== 0n });
      return world;
    };
    const [input] = await lockEvery(60n).make();
    expect(members(input!.ring).filter((index) => index % 60n === 0n)).toEqual([900n]);
    await expect(lockEvery(3n).make()).rejects.toThrow(failsWith('bad-ring-member'));
  });

  it('accepts that many young coinbase outputs are locked', async () => {
    const world = new World(900n);
    world.answer = (_, honest) => ({ ...honest, unlocked: honest.height < BLOCKS - 60 });
    const [input] = await world.make();
    expect(members(input!.ring).every((index) => index < BigInt((BLOCKS - 60) * OUTPUTS_A_BLOCK))).toBe(true);
  });

  it('is refused when it repeats one key under many indices', async () => {
    const world = new World(900n);
    world.answer = ({ index }, honest) => (isOurs(world)(index) ? honest : { ...honest, key: onChain(1n).key });
    await expect(world.make()).rejects.toThrow(failsWith('bad-ring-member'));
  });

  it('is not requested when our output is claimed to be in another block: its index would stand out among decoys', async () => {
    const world = new World(900n);
    const misplaced = { ...world.own[0]!, globalIndex: 5n };
    await expect(new RingMaker(world, seededSampler('misplaced'), 16).rings([misplaced])).rejects.toThrow(
      failsWith('bad-distribution'),
    );
    expect(world.log).toEqual([]);
  });

  it('T4 is not requested when the distribution allows no decoy as young: our output would stand out', async () => {
    for (const blocks of [BLOCKS, BLOCKS - 9]) {
      const world = new World(BigInt(OUTPUTS_A_BLOCK * blocks));
      await expect(world.make()).rejects.toThrow(failsWith('bad-distribution'));
      expect(world.log).toEqual([]);
    }
  });
});

describe('an old output of a clear amount', () => {
  const old = (world: World) => {
    const [own] = world.own;
    const amount = toAtomicAmount(7_000_000_000n);
    return { ...own!, rct: false, amount, mask: '01'.padEnd(64, '0') };
  };

  it('hides among outputs of the same amount', async () => {
    const world = new World(900n);
    const output = old(world);
    const commitment = zeroCommit(output.amount);
    world.answer = (_, honest) => ({ ...honest, mask: commitment });
    const [input] = await new RingMaker(world, seededSampler('clear'), 16).rings([output]);
    expect(input!.ring.length).toBe(16);
    expect(world.asked[0]!.every(({ amount }) => amount === output.amount)).toBe(true);
    expect(world.asked[0]!.length).toBe(25);
    expect(input!.ring[input!.real]!.globalIndex).toBe(900n);
  });

  it('is refused when the daemon counts none', async () => {
    const world = new World(900n);
    world.histogram = async () => new Untrusted([]);
    await expect(new RingMaker(world, seededSampler('clear'), 16).rings([old(world)])).rejects.toThrow(
      failsWith('bad-distribution'),
    );
    expect(world.log).toEqual([]);
  });
});

it('T3 a chain with fewer usable outputs than a ring has members makes no smaller ring', () => {
  const output = { ...new World(1_000n).own[0]!, rct: false };
  const ring = (members: number) => {
    const others = Array.from({ length: members - 1 }, (_, i) => i);
    const honest = (index: number) => ({ ...onChain(BigInt(index)), mask: commit(5n, hexToBytes(output.mask)) });
    const answers = new Map([1_000, ...others].map((index) => [index, honest(index)]));
    return inputOf({ output, candidates: [1_000, ...others], members: undefined }, answers, { ringSize: 16, rct: undefined });
  };
  expect(ring(16).ring).toHaveLength(16);
  expect(() => ring(15)).toThrow(expect.objectContaining({ code: 'decoys-unavailable', data: { found: 15 } }));
});

import { bytesToHex, hexToBytes, SerialQueue } from '../../../src/base/index.ts';
import { commit } from '../../../src/crypto/index.ts';
import { type HistogramEntry, type OutputByIndex, type SendAnswer, Untrusted } from '../../../src/daemon/index.ts';
import { decodeAddress, encodeAddress, type Network, toAtomicAmount } from '../../../src/protocol/index.ts';
import type { SweepRequest, TransferRequest, UnmixableRequest } from '../../../src/wallet/api.ts';
import type { SubaddressIndex } from '../../../src/wallet/model.ts';
import type { Durability } from '../../../src/wallet/ports.ts';
import { KeySigner, type SpendContext } from '../../../src/wallet/spend/index.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { applyEvent, initialState } from '../../../src/wallet/state/fold.ts';
import { makeReady } from '../../support/paying.ts';
import { BLOCKS, OUTPUTS_A_BLOCK, offsets, onChain } from './chain.ts';
import { addressOf, makeKeys, ownedOutput, seededRandom } from './fixtures.ts';

export const COIN = 1_000_000_000_000n;
/** Tail emission: what mainnet charges. */
const REWARD = 600_000_000_000n;
export const FEES = [20_000n, 80_000n, 320_000n, 4_000_000n];
const random = seededRandom('prepare');

interface Lies {
  fees: readonly bigint[];
  /** What headers claim that blocks pay. */
  reward: bigint;
  quantization: bigint;
  /** How many blocks the daemon claims. */
  height: number;
  distribution: () => Float64Array;
  /** What a daemon answers to a transaction. */
  send: () => SendAnswer;
  /** Clear amounts that at least as many outputs as asked for have. */
  histogram: () => readonly bigint[];
  outs: (got: OutputByIndex[], asked: readonly { readonly index: bigint }[]) => OutputByIndex[];
}

/** The addresses that the wallet looks up by their spend key. */
const OWN = [0, 1, 2].map((major) => ({ major, minor: 0 }));
const sameKey = (...texts: readonly [string, string]) => {
  const [a, b] = texts.map((text) => bytesToHex(decodeAddress(text, 'mainnet').spendKey));
  return a === b;
};

export const account = (major: number, minor = 0): SubaddressIndex => ({ major, minor });

/** An output of ours: where it lies, unless anywhere does. */
interface Own {
  readonly amount: bigint;
  readonly at?: SubaddressIndex;
  readonly height?: number;
  readonly index?: bigint;
  /** From before RingCT: of a clear amount. */
  readonly clear?: boolean;
}

/** A wallet on mainnet with the outputs named, and a daemon that is honest but for `lies`. */
export function world(amounts: readonly Own[], kind: 'full' | 'view' = 'full', blocks = BLOCKS) {
  const keys = makeKeys(random);
  const network: Network = 'mainnet';
  const text = (index: SubaddressIndex) => {
    const { isSubaddress, ...pair } = addressOf(keys, index);
    return encodeAddress({ network, kind: isSubaddress ? 'subaddress' : 'standard', ...pair });
  };
  const own = amounts.map(({ amount, at, clear, ...place }, i): SpendableOutput => {
    const height = place.height ?? 20 + 30 * i;
    const globalIndex = place.index ?? BigInt(height * OUTPUTS_A_BLOCK + 3);
    const form = clear === true ? { rct: false, mask: `01${'00'.repeat(31)}` } : {};
    return { ...ownedOutput(keys, amount, random, at ?? account(0)), height, globalIndex, ...form };
  });
  const state = initialState({ kind, network, primaryAddress: text(account(0)), restoreHeight: 0, createdAt: 0 });
  applyEvent(state, {
    type: 'Synced',
    from: 0,
    to: blocks - 1,
    blocks: [],
    outputs: own,
    spends: [],
    used: [],
    reward: toAtomicAmount(REWARD),
  });
  const honest = offsets(blocks);
  const lies: Lies = {
    fees: FEES,
    reward: REWARD,
    quantization: 10_000n,
    height: blocks,
    distribution: () => honest,
    outs: (got) => got,
    send: () => ({ accepted: true, reasons: [], reason: '' }),
    histogram: () => [],
  };
  const asked: string[] = [];
  /** Indices of each request for outputs. */
  const requests: (readonly bigint[])[] = [];
  /** Amounts of each request for a histogram, and of how many outputs. */
  const histograms: { readonly amounts: readonly bigint[]; readonly minCount: bigint }[] = [];
  const events: WalletEvent[] = [];
  const answer = <T>(name: string, value: T) => {
    asked.push(name);
    return Promise.resolve(new Untrusted(value));
  };
  const outAt = (index: bigint): OutputByIndex => {
    const ours = own.find(({ globalIndex }) => globalIndex === index);
    const there = { ...onChain(index), height: heightIn(lies.distribution(), Number(index)) };
    if (ours === undefined) return there;
    return { ...there, key: hexToBytes(ours.key), mask: commit(ours.amount, hexToBytes(ours.mask)) };
  };
  const daemon = {
    getInfo: () => answer('info', { height: lies.height, blockWeightLimit: 600_000 }),
    getFeeEstimate: () => answer('fees', { fee: lies.fees[0]!, fees: lies.fees, quantizationMask: lies.quantization }),
    sendRawTransaction: () => answer('send', lies.send()),
    getTxPoolBacklog: () => answer('backlog', []),
    getBlockHeadersRange: (from: number, to: number) =>
      answer(
        'headers',
        Array.from({ length: to - from + 1 }, (_, i) => ({ height: from + i, reward: lies.reward, blockWeight: 90_000 })),
      ),
    getOutputDistribution: () =>
      answer('distribution', { amount: 0n, startHeight: 0, base: 0, distribution: lies.distribution(), cumulative: true }),
    getOutputHistogram: ({ amounts: of, minCount = 0n }: { amounts: readonly bigint[]; minCount?: bigint }) => {
      histograms.push({ amounts: of, minCount });
      const counts = { total: 100n, unlocked: 100n, recent: 0n };
      return answer(
        'histogram',
        lies.histogram().map((amount): HistogramEntry => ({ amount, ...counts })),
      );
    },
    getOuts: (wanted: readonly { index: bigint }[]) => {
      requests.push(wanted.map(({ index }) => index));
      return answer(
        'outs',
        lies.outs(
          wanted.map(({ index }) => outAt(index)),
          wanted,
        ),
      );
    },
  };
  const ctx = {
    state,
    daemon,
    append: async (appended: readonly WalletEvent[], durability: Durability) => {
      asked.push(...appended.map(({ type }) => `${durability} ${type}`));
      for (const event of appended) applyEvent(state, event);
      events.push(...appended);
    },
    signer: kind === 'full' ? new KeySigner(keys, random) : undefined,
    keys,
    trusted: true,
    boundsFees: true,
    leaving: new SerialQueue(),
    choosing: new SerialQueue(),
    addressOf: text,
    lookup: (address: string) => OWN.find((index) => sameKey(text(index), address)),
    random,
    clock: { now: () => 1_700_000_000_000 },
  } as unknown as SpendContext;
  const transfer = (request: Partial<TransferRequest>) =>
    makeReady(ctx, { kind: 'transfer', destinations: [pay(COIN)], account: 0, priority: 0, ...request });
  const sweep = (request: Partial<SweepRequest>) =>
    makeReady(ctx, { kind: 'sweep', address: receiver(), account: 0, priority: 1, ...request });
  const unmixable = (request: UnmixableRequest = {}) => makeReady(ctx, { kind: 'unmixable', ...request });
  return { ctx, own, lies, asked, requests, histograms, events, transfer, sweep, unmixable };
}

function heightIn(distribution: ArrayLike<number>, index: number): number {
  let [low, high] = [0, distribution.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (distribution[middle]! <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function receiver(network: Network = 'mainnet', paymentId?: Uint8Array): string {
  const { spendKey, viewKey } = addressOf(makeKeys(seededRandom('receiver')));
  return encodeAddress({ network, kind: paymentId ? 'integrated' : 'standard', spendKey, viewKey, paymentId });
}

export const pay = (amount: bigint, address = receiver()) => ({ address, amount: toAtomicAmount(amount) });
export const failsWith = (code: string) => ({ code });

import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, type JsonValue } from '../../src/base/index.ts';
import { isPoint } from '../../src/crypto/index.ts';
import { randomBelow as below } from '../../src/devnet/faucet.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import { type Block, parseTransaction, serializeBlock, type TransactionV2 } from '../../src/protocol/index.ts';
import { COIN, FEE, seededRandom } from '../devnet/support.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { mutatedBlock } from '../support/fuzz/blocks.ts';
import { mutatedBytes } from '../support/fuzz/bytes.ts';
import { signedMutant, signedPayment } from '../support/fuzz/signed.ts';
import { mutatedTransaction, withoutInputs } from '../support/fuzz/transactions.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { TestSampler } from '../support/random-sampler.ts';

// Blocks and transactions with something wrong in them, handed to monerod and to the devnet on one chain: both take them or refuse them
// with the same error, or the same flags, and have one chain and one pool afterwards. LONG=1: 10,000 of them; RUNS and SEED choose others,
// SECONDS ends it earlier, SHOW=1 tells how it goes.

const RUNS = Number(process.env.RUNS ?? (process.env.LONG === '1' ? 10_000 : 300));
const SEED = Number(process.env.SEED ?? 1);
const SECONDS = Number(process.env.SECONDS ?? 100_000);
/** Each costs monerod a proof of work. */
const BLOCKS_IN_A_HUNDRED = 25;
const BLOCKS = 90;
/** How many runs one set of payments serves before others are signed. */
const PAYMENTS_LAST = 250;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
const sampler = new TestSampler(SEED);
const random = seededRandom(`fuzz ${SEED}`);

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([serveDevnet({ history: { blocks: BLOCKS, transactions: 4 } }), startMonerod()]);
  both = new BothNodes(devnet, monerod);
  await feed(monerod, devnet.node);
});

afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

/** Inputs of so many coins that can be spent, each made to look spent until the next is found. */
function inputs(count: number): PaymentInput[] {
  const { minerWallet, node } = devnet;
  const found: PaymentInput[] = [];
  const marks: string[] = [];
  while (found.length < count) {
    const input = minerWallet.input(minerWallet.pick(2n * COIN)!, (limit) => below(random, limit))!;
    // Coinbases that pay to no point have been taken, and can be drawn.
    if (!input.ring.every(({ key }) => isPoint(key))) continue;
    found.push(input);
    if (found.length < count) marks.push(node.submitTransaction(sign([input]), { doNotRelay: true }).id);
  }
  for (const id of marks) node.pool.removeAll([id]);
  return found;
}

const sign = (spent: readonly PaymentInput[], amount = COIN): Uint8Array =>
  signedPayment({ inputs: spent, own: devnet.minerWallet, amount, fee: FEE, random });

interface Payments {
  /** Whole payments, which nobody has seen. */
  readonly fresh: readonly Uint8Array[];
  /** Spends what a payment spends that waits. */
  readonly rival: Uint8Array;
  readonly inputs: readonly PaymentInput[];
}

/** New payments, of which one waits on both. */
async function makePayments(): Promise<Payments> {
  await both.rpc('flush_txpool');
  const some = inputs(3);
  const waiting = sign([some[1]!]);
  const [ours, theirs] = await both.send(waiting);
  expect(theirs).toMatchObject({ status: 'OK' });
  expect(ours).toEqual(theirs);
  return {
    fresh: [sign([some[0]!]), sign([some[0]!], 2n * COIN), sign([some[0]!, some[2]!])],
    rival: sign([some[1]!], 3n * COIN),
    inputs: some,
  };
}

function transaction(payments: Payments): Uint8Array {
  const base = sampler.chance(85) ? sampler.pick(payments.fresh) : sampler.pick([payments.rival, minedPayment()]);
  const kind = sampler.below(100);
  if (kind < 35) return mutatedBytes(base, sampler);
  if (kind < 37) return withoutInputs(parseTransaction(base), sampler);
  if (kind < 50)
    return (
      signedMutant({ inputs: [payments.inputs[0]!], own: devnet.minerWallet, amount: COIN, fee: FEE, random }, sampler) ??
      base.subarray(1)
    );
  return mutatedTransaction(parseTransaction(base) as TransactionV2, sampler) ?? mutatedBytes(base, sampler);
}

function minedPayment(): Uint8Array {
  const { chain } = devnet.node;
  for (let height = chain.height - 1; ; height--) {
    const [tx] = chain.blockAt(height)!.transactions;
    if (tx !== undefined) return tx.blob;
  }
}

/** A block on top, on the block below, or on a branch. */
function honestBlock(): Block {
  const { node, minerWallet } = devnet;
  const where = sampler.below(10);
  const nonce = sampler.bytes(4);
  if (where < 7) return node.template(minerWallet, node.now(), { nonce }).parsed.block;
  const tips = node.branches.all.map(({ blockIds }) => blockIds[0]!);
  const recent = [1, 2, 5].map((depth) => node.chain.blockAt(node.chain.height - 1 - depth)!.id);
  const parent = where < 9 || tips.length === 0 ? sampler.pick(recent) : sampler.pick(tips);
  return node.templateOn(parent, minerWallet, { nonce })!.parsed.block;
}

function block(): Uint8Array {
  const { chain, pool, now } = devnet.node;
  const base = honestBlock();
  if (sampler.chance(45)) return mutatedBytes(serializeBlock(base), sampler);
  const recent = [0, 1, 2, 9].map((depth) => chain.blockAt(chain.height - 1 - depth)!);
  const known = {
    blocks: recent.map(({ id }) => hexToBytes(id)),
    transactions: [...recent.map(({ minerTx }) => minerTx), ...pool.all].map(({ id }) => hexToBytes(id)),
    now: now(),
  };
  return mutatedBlock(base, sampler, known) ?? mutatedBytes(serializeBlock(base), sampler);
}

/** Chain, branches and pool, as far as a node decides of them. */
async function state(): Promise<[object, object]> {
  const [infos, branches, pools] = await Promise.all([
    both.rpc('get_info'),
    both.rpc('get_alternate_chains'),
    both.path('get_transaction_pool_hashes'),
  ]);
  const of = (side: 0 | 1): object => {
    const { result: info } = infos[side] as { result: Record<string, JsonValue> };
    const { result } = branches[side] as { result: { chains?: { block_hash: string; height: number; length: number }[] } };
    const chains = (result.chains ?? []).map((one) => `${one.height} ${one.length} ${one.block_hash}`).sort();
    const waiting = ((pools[side] as { tx_hashes?: string[] }).tx_hashes ?? []).sort();
    return { height: info.height, top: info.top_block_hash, alternatives: info.alt_blocks_count, chains, waiting };
  };
  return [of(0), of(1)];
}

it(`takes and refuses what monerod takes and refuses, in ${RUNS} blocks and transactions`, { timeout: 7_200_000 }, async () => {
  const unlike: object[] = [];
  const counts = { transactions: 0, blocks: 0, taken: 0, outcomes: new Map<string, number>() };
  const began = performance.now();
  let payments = await makePayments();
  for (let run = 0; run < RUNS; run++) {
    if (run % PAYMENTS_LAST === PAYMENTS_LAST - 1) payments = await makePayments();
    if (performance.now() - began > SECONDS * 1000) break;
    const isBlock = sampler.chance(BLOCKS_IN_A_HUNDRED);
    const given = bytesToHex(isBlock ? block() : transaction(payments));
    const sanity = sampler.chance(80);
    const [ours, theirs] = isBlock
      ? await both.rpc('submit_block', [given])
      : await both.path('send_raw_transaction', { tx_as_hex: given, do_sanity_checks: sanity });
    counts[isBlock ? 'blocks' : 'transactions']++;
    // The devnet has words for what monerod refuses without any.
    const [left, right] = isBlock
      ? [ours, theirs]
      : [
          { ...(ours as object), reason: '' },
          { ...(theirs as object), reason: '' },
        ];
    const outcome = outcomeOf(theirs);
    counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + 1);
    const isTaken = [ours, theirs].some((one) => /OK/.test(JSON.stringify(one)));
    if (isTaken) counts.taken++;
    const isEqual = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
    const [here, there] = isTaken || !isEqual || run % 50 === 0 ? await state() : [{}, {}];
    if (!isEqual || JSON.stringify(here) !== JSON.stringify(there)) {
      unlike.push({ run, isBlock, sanity, given, ours, theirs, here, there });
      if (process.env.SHOW) console.log(JSON.stringify({ run, isBlock, sanity, ours, theirs, here, there, given }));
      if (unlike.length > 60) break;
    }
    if (isTaken && !isBlock) payments = await makePayments();
    if (process.env.SHOW && run % 100 === 99) console.log(`run ${run + 1}`, counts.transactions, counts.blocks, counts.taken);
  }
  if (process.env.SHOW) console.log(counts.transactions, counts.blocks, counts.taken, Object.fromEntries(counts.outcomes));
  expect(unlike).toEqual([]);
});

/** What monerod said, in short. */
function outcomeOf(reply: JsonValue): string {
  const { error, result, ...flags } = reply as { error?: { message: string }; result?: object };
  if (error !== undefined) return error.message;
  if (result !== undefined) return 'block taken';
  const raised = Object.entries(flags as Record<string, unknown>).filter(([, value]) => value === true);
  return raised.map(([name]) => name).join(' ') || JSON.stringify((flags as { status?: string }).status ?? flags);
}

const sorted = (value: JsonValue | object): unknown =>
  Object.entries(value as object)
    .filter(([, one]) => typeof one !== 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .concat(
      Object.entries(value as object)
        .filter(([, one]) => typeof one === 'object')
        .map(([name, one]) => [name, sorted(one)]),
    );

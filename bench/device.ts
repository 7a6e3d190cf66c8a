import { loadCrypto, systemRandom } from '../src/crypto/index.ts';
import type { UnsignedInput, UnsignedTransaction } from '../src/wallet/spend/unsigned.ts';
import { verifySigned } from '../src/wallet/spend/verify.ts';
import { connectDouble, liveApp } from '../test/support/ledger/device.ts';
import { recordedSpend } from '../test/support/ledger/recorded-spend.ts';
import { appKeys, TEST_MNEMONIC } from '../test/support/ledger/seed.ts';
import { type Trace, traces } from '../test/support/ledger/traces.ts';
import { type Row, row } from './rows.ts';

/**
 * Requests to a Ledger for one payment: ours counted at the double of its app, from the first request of the payment to the last of its proofs; the
 * reference's as recorded with the real app in an emulator, if there is such a recording.
 */

const OTHER = 'monero-wallet-rpc 0.18.5.3, recorded';
const RECORDED: Readonly<Record<number, string>> = { 1: '06a-send-1in-primary', 2: '06b-send-2in-primary' };
const INPUTS = [1, 2, 4, 10] as const;
/** A payment to five recipients, with a separate key for each output. */
const TO_MANY = '06i-send-5dest';
const MOST_OUTPUTS = 16;
const FREE = { perByte: 0n, quantization: 1n } as never;

/** The primary address's coins of every recorded spend, each once. */
function coinsOf(recorded: readonly Trace[]): readonly UnsignedInput[] {
  const spends = recorded.filter(({ after }) => after.txs?.[0]?.accepted === true);
  const inputs = spends.flatMap((trace) => recordedSpend(trace).unsigned.inputs);
  const own = inputs.filter(({ output: { subaddress } }) => subaddress.major === 0 && subaddress.minor === 0);
  return [...new Map(own.map((input) => [input.output.key, input])).values()];
}

/** A payment of one or more coins, whose change takes the remainder. */
function paymentOf(inputs: readonly UnsignedInput[], like: UnsignedTransaction): UnsignedTransaction {
  const total = inputs.reduce((sum, { output }) => sum + output.amount, 0n);
  const [paid, change] = like.outputs[0]!.address === like.changeAddress ? [...like.outputs].reverse() : like.outputs;
  const amount = total / 2n;
  return {
    ...like,
    inputs,
    outputs: [
      { ...paid!, amount },
      { ...change!, amount: total - amount - like.fee },
    ],
  };
}

/** As many outputs as a transaction may have: recipients of both kinds, repeated, and change. */
function paymentToMany(inputs: readonly UnsignedInput[], like: UnsignedTransaction): UnsignedTransaction {
  const recipients = like.outputs.filter(({ address }) => address !== like.changeAddress);
  const total = inputs.reduce((sum, { output }) => sum + output.amount, 0n);
  const amount = total / BigInt(2 * MOST_OUTPUTS);
  const paid = Array.from({ length: MOST_OUTPUTS - 1 }, (_, i) => ({ ...recipients[i % recipients.length]!, amount }));
  const change = { address: like.changeAddress!, amount: total - amount * BigInt(paid.length) - like.fee };
  return { ...like, inputs, outputs: [...paid, change] };
}

async function questions(unsigned: UnsignedTransaction): Promise<number> {
  const { viewKey } = appKeys(TEST_MNEMONIC);
  const device = await connectDouble(liveApp());
  const before = device.exchanges;
  device.lend(viewKey);
  const payment = { transactions: [{ unsigned, destinations: [] }] };
  const signing = await device.sign(payment, { turn: async () => {} });
  if (signing.kind !== 'signed') throw new Error('expected a signed transaction');
  verifySigned(unsigned, signing.transactions[0]!, FREE, viewKey, systemRandom);
  return device.exchanges - before;
}

export async function deviceRows(): Promise<Row[]> {
  await loadCrypto();
  const recorded = traces();
  const coins = coinsOf(recorded);
  const like = recordedSpend(recorded.find(({ name }) => name === RECORDED[2])!).unsigned;
  const rows: Row[] = [];
  for (const count of INPUTS) {
    const inputs = coins.slice(0, count);
    if (inputs.length < count) throw new Error(`expected ${count} recorded coins, there are ${coins.length}`);
    const ours = await questions(paymentOf(inputs, like));
    const native = recorded.find(({ name }) => name === RECORDED[count])?.exchanges.length;
    const other = native === undefined ? 'not recorded' : OTHER;
    rows.push(row(`questions to a Ledger, ${count} in 2 out`, 'Node, the double of its app', ours, native, other, 'questions'));
  }
  const toMany = recordedSpend(recorded.find(({ name }) => name === TO_MANY)!).unsigned;
  const ours = await questions(paymentToMany(coins.slice(0, 1), toMany));
  const name = `questions to a Ledger, 1 in ${MOST_OUTPUTS} out`;
  rows.push(row(name, 'Node, the double of its app', ours, undefined, 'not recorded', 'questions'));
  return rows;
}

import { hexToBytes, stringifyJson } from '../src/base/index.ts';
import { loadCrypto, systemRandom } from '../src/crypto/index.ts';
import { exactWeight, feeForWeight } from '../src/wallet/spend/fees.ts';
import { KeySigner, signedTransactions, type UnsignedTransaction } from '../src/wallet/spend/index.ts';
import { verifySigned } from '../src/wallet/spend/verify.ts';
import { addressOf, ERA, makeKeys, ownedOutput, ringAround } from '../test/wallet/spend/fixtures.ts';
import { median } from './rows.ts';

/**
 * A separate process (`signing-node.ts <inputs> …`): from an unsigned transaction of two outputs to verified bytes, with keys in memory. Prints
 * milliseconds, the median of several runs, for each number of inputs.
 */

const RUNS = 9;
const COIN = 1_000_000_000_000n;
const rate = { perByte: 20_000n, quantization: 10_000n };

await loadCrypto();
const keys = makeKeys(systemRandom);
const receiver = addressOf(makeKeys(systemRandom));
const signer = new KeySigner(keys, systemRandom);

function unsignedWith(count: number): UnsignedTransaction {
  const inputs = Array.from({ length: count }, (_, i) => {
    const output = ownedOutput(keys, COIN, systemRandom);
    return ringAround(output, hexToBytes(output.mask), (5 * i) % 16, systemRandom);
  });
  const changeAddress = addressOf(keys);
  const outputs = (fee: bigint) => [
    { address: receiver, amount: COIN / 2n },
    { address: changeAddress, amount: COIN * BigInt(count) - COIN / 2n - fee },
  ];
  const shape = {
    inputs: inputs.map(({ ring }) => ({ amount: 0n, ring: ring.map(({ globalIndex }) => globalIndex) })),
    outputs: [0n, 0n],
    extraSize: ERA.outputs.extraSize(outputs(0n), changeAddress, false),
    unlockTime: 0n,
  };
  const fee = feeForWeight(rate, exactWeight(ERA, { ...shape, fee: 1n << 34n }));
  return { majorVersion: ERA.version, inputs, outputs: outputs(fee), changeAddress, fee, unlockTime: 0n, paymentId: undefined };
}

async function signed(unsigned: UnsignedTransaction): Promise<number> {
  const start = performance.now();
  const payment = { transactions: [{ unsigned, destinations: [] }] };
  const [made] = signedTransactions(await signer.sign(payment, { turn: async () => undefined }));
  verifySigned(unsigned, made!, rate, keys.viewKey, systemRandom);
  return performance.now() - start;
}

const work = process.argv.slice(2).map((count) => unsignedWith(Number(count)));
const times: number[][] = work.map(() => []);
// Alternately, so that other work on the machine affects all sizes alike; the first round warms up.
for (let run = 0; run <= RUNS; run++) {
  for (const [i, unsigned] of work.entries()) {
    const time = await signed(unsigned);
    if (run > 0) times[i]!.push(time);
  }
}
process.stdout.write(stringifyJson(times.map(median)));

import { bytesToHex, bytesToU64, equalBytes, hexToBytes } from '../../../src/base/index.ts';
import { commit, commitmentMask, derivationToScalar, generateKeyDerivation, scalarSub } from '../../../src/crypto/index.ts';
import { DeviceError } from '../../../src/device/index.ts';
import type { SigningRandomness } from '../../../src/device/signing/randomness.ts';
import type { DeviceTransport } from '../../../src/device/transport/port.ts';
import {
  type KeyImage,
  type OutputKey,
  parseTransaction,
  type TransactionV2,
  toAtomicAmount,
} from '../../../src/protocol/index.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import type { UnsignedInput, UnsignedTransaction } from '../../../src/wallet/spend/unsigned.ts';
import { appKeys, TEST_MNEMONIC } from './seed.ts';
import type { Trace, TraceTransaction } from './traces.ts';

type Exchange = Trace['exchanges'][number];

const instruction = ([request]: Exchange) => request.slice(2, 4);
const p1 = ([request]: Exchange) => Number.parseInt(request.slice(4, 6), 16);
/** After the option byte. */
const data = ([request]: Exchange) => hexToBytes(request.slice(12));

/** The exchanges of the signing pass: from setting the real mode to the end of the transaction. */
function signingPass({ exchanges }: Trace): Exchange[] {
  const from = exchanges.findLastIndex(([request]) => request === '047201000200' + '01');
  // After a refusal the wallet starts again without setting the mode again.
  const opened = exchanges.findLastIndex((exchange) => instruction(exchange) === '70');
  const close = exchanges.findIndex((exchange, i) => i > opened && instruction(exchange) === '80');
  return [exchanges[from]!, ...exchanges.slice(opened, close + 1)];
}

/** The signing request of a recorded spend, with all of the wallet's random values. */
export interface RecordedSpend {
  readonly unsigned: UnsignedTransaction;
  readonly choices: SigningRandomness;
  /** In the reference wallet's order. */
  readonly exchanges: readonly Exchange[];
  readonly txHex: string;
}

/** From a trace with a spend that monerod accepted. */
export function recordedSpend(trace: Trace): RecordedSpend {
  const made = trace.after.txs![0]!;
  const exchanges = signingPass(trace);
  const tx = parseTransaction(hexToBytes(made.tx_hex)) as TransactionV2;
  const inputs = inputsOf(exchanges, made);
  const blinds = exchanges.filter((exchange) => instruction(exchange) === '78');
  const shown = exchanges.filter((exchange) => instruction(exchange) === '7c' && p1(exchange) === 2).map(data);
  const outputs = shown.map((bytes, i) => ({
    address: { isSubaddress: bytes[0] === 1, viewKey: bytes.slice(2, 34), spendKey: bytes.slice(34, 66) },
    amount: bytesToU64(data(blinds[i]!).slice(-32)),
  }));
  const change = outputs[shown.findIndex((bytes) => bytes[1] === 1)];
  const stealth = exchanges.find((exchange) => instruction(exchange) === '76');
  const paymentId = stealth && data(stealth).slice(-8);
  const unsigned: UnsignedTransaction = {
    majorVersion: 16,
    inputs: inputs.map(({ input }) => input),
    outputs,
    changeAddress: change?.address,
    fee: tx.rct.fee,
    unlockTime: tx.unlockTime,
    paymentId: paymentId?.some((byte) => byte !== 0) ? paymentId : undefined,
  };
  const positionOf = (input: UnsignedInput) =>
    tx.inputs.findIndex((spent) => spent.type === 'key' && bytesToHex(spent.keyImage) === input.output.keyImage);
  const prepared = exchanges.filter((exchange) => instruction(exchange) === '7f' && p1(exchange) === 1);
  const prunable = tx.prunable!;
  const choices: SigningRandomness = {
    outputOrder: (count) => Array.from({ length: count }, (_, i) => i),
    rangeProof: () => ({ proof: prunable.bulletproofsPlus[0]!, commitments: tx.rct.outPk }),
    pseudoMasks: (ordered) =>
      ordered.map((input) => scalarSub(hexToBytes(input.output.mask), data(prepared[positionOf(input)]!).slice(64, 96))),
    responses: (input) => prunable.clsags[positionOf(input)]!.s,
    candidates: (input) => inputs.find((known) => known.input === input)!.candidates,
  };
  return { unsigned, choices, exchanges, txHex: made.tx_hex };
}

function inputsOf(exchanges: readonly Exchange[], made: TraceTransaction) {
  const found: { input: UnsignedInput; candidates: Uint8Array[] }[] = [];
  let candidates: Uint8Array[] = [];
  let tried = 0;
  let index = 0;
  for (const exchange of exchanges) {
    if (instruction(exchange) === '32') candidates.push(data(exchange).slice(0, 32));
    if (instruction(exchange) === '46') tried += 1;
    if (instruction(exchange) === '38') index = new DataView(data(exchange).buffer).getUint32(64);
    if (instruction(exchange) !== '3a') continue;
    const key = tried === 1 ? candidates[0]! : candidates[1 + index]!;
    found.push({ input: inputOf(made, exchange[1]!, key, index), candidates });
    [candidates, tried] = [[], 0];
  }
  return found;
}

/** The wallet's own keys reveal the outputs it spends. */
function inputOf(made: TraceTransaction, keyImage: string, txKey: Uint8Array, outputIndex: number): UnsignedInput {
  const { members } = made.rings.find((ring) => ring.key_image === keyImage)!;
  const spent = made.spent.find((output) => output.key_image === keyImage) as unknown as SpentRecord;
  const ring = members.map(([at, key, commitment]) => {
    return { globalIndex: BigInt(at), key: hexToBytes(key), commitment: hexToBytes(commitment) };
  });
  const real = ring.findIndex(({ key }) => bytesToHex(key) === spent.pubkey);
  const shared = generateKeyDerivation(txKey, appKeys(TEST_MNEMONIC).viewKey)!;
  const amount = BigInt(spent.amount);
  const mask = commitmentMask(derivationToScalar(shared, outputIndex));
  const hidden = equalBytes(commit(amount, mask), ring[real]!.commitment);
  const output: SpendableOutput = {
    ...{ key: spent.pubkey as OutputKey, txHash: '' as never, outputIndex, globalIndex: BigInt(spent.global_index) },
    ...{ height: 0, blockId: '' as never, timestamp: 0, amount: toAtomicAmount(amount), rct: true, coinbase: !hidden },
    mask: hidden ? bytesToHex(mask) : `01${'00'.repeat(31)}`,
    ...{ unlockTime: 0n, subaddress: spent.subaddr_index, txPublicKey: bytesToHex(txKey), paymentId: undefined },
    keyImage: keyImage as KeyImage,
  };
  return { output, ring, real };
}

interface SpentRecord {
  readonly pubkey: string;
  readonly amount: number;
  readonly global_index: number;
  readonly subaddr_index: { readonly major: number; readonly minor: number };
}

/** Only the closing round of each ring, as our short form hashes it. */
export function closingRounds(exchanges: readonly Exchange[]): Exchange[] {
  const isHash = (exchange: Exchange | undefined) =>
    exchange !== undefined && instruction(exchange) === '7f' && p1(exchange) === 2;
  return exchanges.filter((exchange, i) => {
    if (!isHash(exchange)) return true;
    const end = exchanges.findIndex((later, at) => at > i && !isHash(later));
    return end - i <= 37;
  });
}

/** Replays a recording: each request must equal the recorded one, byte for byte. */
export class RecordedTransport implements DeviceTransport {
  readonly label = 'a recording';
  readonly #exchanges: readonly Exchange[];
  asked = 0;

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
  }

  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const next = this.#exchanges[this.asked];
    this.asked += 1;
    if (next === undefined) throw new Error(`request ${this.asked}: expected none, got ${bytesToHex(apdu)}`);
    const [request, reply, status] = next;
    if (bytesToHex(apdu) !== request) throw new Error(`request ${this.asked}: expected ${request}, got ${bytesToHex(apdu)}`);
    if (reply === null) throw new DeviceError('disconnected', 'expected the device to stay connected');
    return hexToBytes(reply + status);
  }

  async close(): Promise<void> {}
}

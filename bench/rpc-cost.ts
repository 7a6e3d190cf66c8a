import { fileURLToPath } from 'node:url';
import { bytesToHex, keccak256, loadCrypto } from '../src/crypto/index.ts';
import { type BlockHash, type KeyImage, type OutputKey, type TxHash, toAtomicAmount } from '../src/protocol/model.ts';
import { createInlineScanPool } from '../src/protocol/scan/index.ts';
import { answerJsonRpc } from '../src/rpc/json-edge.ts';
import { RpcService } from '../src/rpc/service.ts';
import { MemoryJournalStore } from '../src/storage/index.ts';
import { environment } from '../src/wallet/environment.ts';
import type { WalletEvent } from '../src/wallet/events.ts';
import { newWallet } from '../src/wallet/make.ts';
import type { ChainSpend, OwnedOutput } from '../src/wallet/model.ts';
import { Wallet } from '../src/wallet/wallet.ts';
import { oneWalletHost } from '../test/support/rpc-host.ts';
import { median, type Row, row } from './rows.ts';

/**
 * What a read of the service costs as the wallet grows: request bytes in, reply bytes out. The other figure is the goal: the cost at the
 * smallest wallet, grown as its reply grows. `after a block` is the first read after a block that brought something; `again` the next one.
 */

export const SIZES = [100, 10_000, 100_000];
const ROUNDS = 5;
/** Outputs a block, every third block spends one. */
const A_BLOCK = 10;
const SUBADDRESSES = 10;

const REQUESTS: readonly { readonly name: string; readonly method: string; readonly params: string }[] = [
  { name: 'get_balance', method: 'get_balance', params: '{"account_index":0}' },
  { name: 'get_transfers', method: 'get_transfers', params: '{"in":true,"out":true,"pending":true,"failed":true,"pool":true}' },
  {
    name: 'get_transfers of the last ten blocks',
    method: 'get_transfers',
    params: '{"in":true,"out":true,"filter_by_height":true,"min_height":TIP}',
  },
  { name: 'incoming_transfers', method: 'incoming_transfers', params: '{"transfer_type":"all"}' },
];

const encoder = new TextEncoder();
const hash = (text: string): string => bytesToHex(keccak256(encoder.encode(text)));

function outputAt(index: number, height: number): OwnedOutput {
  return {
    key: hash(`key ${index}`) as OutputKey,
    txHash: hash(`tx ${index}`) as TxHash,
    outputIndex: 0,
    globalIndex: BigInt(index),
    height,
    blockId: hash(`block ${height}`) as BlockHash,
    timestamp: height,
    amount: toAtomicAmount(BigInt(1 + (index % 1000)) * 1_000_000n),
    mask: hash('mask'),
    rct: true,
    coinbase: false,
    fee: toAtomicAmount(30_000n),
    unlockTime: 0n,
    subaddress: { major: 0, minor: index % SUBADDRESSES },
    txPublicKey: hash('r'),
    keyImage: hash(`image ${index}`) as KeyImage,
    paymentId: undefined,
  };
}

function spendOf(output: OwnedOutput, height: number): ChainSpend {
  const fee = toAtomicAmount(30_000n);
  return {
    keyImage: output.keyImage!,
    txHash: hash(`spend ${height}`) as TxHash,
    height,
    timestamp: height,
    fee,
    unlockTime: 0n,
  };
}

/** A block with some outputs, and a spend of one of the block before now and then. */
function blockAt(height: number, first: number, count: number): WalletEvent {
  const outputs = Array.from({ length: count }, (_, i) => outputAt(first + i, height));
  const spends = height % 3 === 2 && first > 0 ? [spendOf(outputAt(first - 1, height - 1), height)] : [];
  const blocks = [{ height, id: hash(`block ${height}`) as BlockHash, timestamp: height }];
  return {
    type: 'Synced',
    from: height,
    to: height,
    blocks,
    outputs,
    spends,
    used: [],
    reward: toAtomicAmount(600_000_000_000n),
  };
}

/** A service over a wallet of some outputs, and a way to bring it one more block. */
async function serviceOf(size: number) {
  const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
  const env = environment({ store, scanPool: createInlineScanPool });
  const wallet = await Wallet.create(env, 'bench', 'pw', await newWallet(env.random, 'regtest', { height: 0 }, 0));
  let height = wallet.state.height;
  let next = 0;
  const block = async (count: number) => {
    await wallet.room.append([blockAt(height, next, count)], 'strict');
    height += 1;
    next += count;
  };
  while (next < size) await block(Math.min(A_BLOCK, size - next));
  return { wallet, service: new RpcService(oneWalletHost(wallet)), block: () => block(1), tip: () => height - A_BLOCK };
}

interface Cost {
  readonly first: number;
  readonly again: number;
  readonly bytes: number;
}

async function costs(size: number): Promise<Cost[]> {
  const { wallet, service, block, tip } = await serviceOf(size);
  const found: Cost[] = [];
  for (const { method, params } of REQUESTS) {
    const times: { first: number; again: number }[] = [];
    let bytes = 0;
    const ask = async () => {
      const request = encoder.encode(
        `{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params.replace('TIP', String(tip()))}}`,
      );
      const start = performance.now();
      bytes = (await answerJsonRpc(service, request)).length;
      return performance.now() - start;
    };
    for (let round = 0; round < ROUNDS; round++) {
      await block();
      times.push({ first: await ask(), again: await ask() });
    }
    found.push({ first: median(times.map((time) => time.first)), again: median(times.map((time) => time.again)), bytes });
  }
  await wallet.close();
  return found;
}

/** A row for each method, size and kind of read. */
export async function rpcCostRows(sizes: readonly number[] = SIZES): Promise<Row[]> {
  await loadCrypto();
  const all: Cost[][] = [];
  for (const size of sizes) all.push(await costs(size));
  const [base] = all;
  return REQUESTS.flatMap(({ name }, method) =>
    sizes.flatMap((size, i) => {
      const [cost, smallest] = [all[i]![method]!, base![method]!];
      const grown = cost.bytes / smallest.bytes;
      const goal = `goal: ${sizes[0]} outputs × ${grown.toFixed(1)}, as the reply grows`;
      const label = `${name}, ${size} outputs, ${cost.bytes} bytes`;
      return [
        row(`${label}, after a block`, 'Node', cost.first, smallest.first * grown, goal, 'ms'),
        row(`${label}, again`, 'Node', cost.again, smallest.again * grown, goal, 'ms'),
      ];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await rpcCostRows());

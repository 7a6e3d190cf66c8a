import { bytesToHex } from '../src/base/index.ts';
import { keccak256 } from '../src/crypto/index.ts';
import { type BlockHash, type KeyImage, type OutputKey, type TxHash, toAtomicAmount } from '../src/protocol/model.ts';
import { RpcService } from '../src/rpc/service.ts';
import { createInlineScanPool } from '../src/scan/index.ts';
import { MemoryJournalStore } from '../src/storage/index.ts';
import { newWallet } from '../src/wallet/create-wallet.ts';
import { environment } from '../src/wallet/environment.ts';
import type { ChainSpend, OwnedOutput } from '../src/wallet/model.ts';
import type { WalletEvent } from '../src/wallet/state/events.ts';
import { Wallet } from '../src/wallet/wallet.ts';
import { inside } from '../test/support/inside.ts';
import { oneWalletHost } from '../test/support/rpc-host.ts';

/** Outputs per block; every third block spends one. */
const A_BLOCK = 10;
const SUBADDRESSES = 10;

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

/** A block with some outputs, and sometimes a spend of an output of the block before. */
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

/** A service over a wallet with some number of outputs, a function to add a block, and a height ten blocks back. */
export async function serviceOf(size: number) {
  const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
  const env = environment({ store, scanPool: createInlineScanPool });
  const wallet = await Wallet.create(
    env,
    'bench',
    'pw',
    await newWallet(env.random, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  let height = inside(wallet).state.height;
  let next = 0;
  const block = async (count: number) => {
    await inside(wallet).append([blockAt(height, next, count)], 'strict');
    height += 1;
    next += count;
  };
  while (next < size) await block(Math.min(A_BLOCK, size - next));
  return { wallet, service: new RpcService(oneWalletHost(wallet)), block: () => block(1), tip: () => height - A_BLOCK };
}

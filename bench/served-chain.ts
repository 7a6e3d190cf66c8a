import { hexToBytes } from '../src/base/index.ts';
import { GENESIS_BLOB_HEX } from '../src/devnet/rules.ts';
import {
  blockId,
  parseBlock,
  serializeBlock,
  serializeTransaction,
  transactionHash,
  transactionWeight,
} from '../src/protocol/index.ts';
import type { MadeBlock } from '../test/support/bootstrap-file.ts';
import { recipient } from './sync/chain.ts';
import { SeededRandom } from './sync/seeded.ts';
import { syntheticCoinbase, syntheticTransaction } from './sync/transactions.ts';

/** Blocks without valid proofs, two minutes apart up to now: one in `every` has a transaction. */
export function* madeChain(blocks: number, every: number): Iterable<MadeBlock> {
  const random = new SeededRandom(20_261_123);
  const to = recipient();
  const now = Math.floor(Date.now() / 1000);
  let prevId = blockId(parseBlock(hexToBytes(GENESIS_BLOB_HEX.regtest)));
  for (let height = 1; height <= blocks; height++) {
    const txs =
      height % every === 0
        ? [syntheticTransaction(random, to, { tagged: true, owned: false, minors: [0], spend: undefined }).tx]
        : [];
    const minerTx = syntheticCoinbase(random, height, true);
    const timestamp = BigInt(now - (blocks - height) * 120);
    const header = { majorVersion: 16, minorVersion: 16, timestamp, prevId, nonce: 0 };
    const block = { ...header, minerTx, txHashes: txs.map(transactionHash) };
    prevId = blockId(block);
    const weight = [minerTx, ...txs].reduce((sum, tx) => sum + transactionWeight(tx), 0);
    yield { blob: serializeBlock(block), transactions: txs.map(serializeTransaction), weight };
  }
}

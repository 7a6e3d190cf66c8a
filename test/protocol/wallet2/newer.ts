import { concatBytes } from '../../../src/crypto/index.ts';
import { ByteWriter } from '../../../src/protocol/index.ts';
import {
  type ExportedTransfer,
  encodeUnsignedTxSet,
  type OutputsExport,
  type UnsignedTxSet,
} from '../../../src/protocol/wallet2/index.ts';

/**
 * Files in clear as releases from 0.18.1.1 on write them (wallet2.h, exported_transfer_details and unsigned_tx_set; serialization/tuple.h),
 * byte by byte: the packaged programs are older.
 */

/** Offset, number of all, and outputs that say whose they are. */
function run(offset: number, total: number, outputs: readonly ExportedTransfer[]): Uint8Array {
  const writer = new ByteWriter().varint(3).varint(offset).varint(total).varint(outputs.length);
  for (const output of outputs) {
    writer.varint(1).key(output.key).varint(output.outputIndex).varint(output.globalIndex).key(output.txPublicKey);
    writer.u8(output.flags).varint(output.amount).varint(output.additionalPublicKeys.length);
    for (const key of output.additionalPublicKeys) writer.key(key);
    writer.varint(1).varint(300);
  }
  return writer.finish();
}

export const newerOutputs = ({ account, offset, outputs }: OutputsExport, total: number): Uint8Array =>
  concatBytes(account.spendKey, account.viewKey, run(offset, total, outputs));

export function newerUnsignedSet(set: UnsignedTxSet): Uint8Array {
  const bare = encodeUnsignedTxSet({ ...set, offset: 0, outputs: [] });
  // Between the version, and the two numbers and the empty list of the older form.
  const transactions = bare.subarray(1, -3);
  return concatBytes(Uint8Array.of(2), transactions, run(set.offset, set.offset + set.outputs.length, set.outputs));
}

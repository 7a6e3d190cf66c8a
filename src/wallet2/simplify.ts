import { ProtocolError } from '../protocol/errors.ts';
import { additionalPublicKeys, parseExtra, txPublicKeys } from '../protocol/extra.ts';
import { type ExportedTransfer, TRANSFER, type TransferDetails } from './transfers.ts';

/** Outputs of the older form in the newer one, which says less. @throws ProtocolError `bad-structure` */
export function simplify([offset, details]: readonly [number, readonly TransferDetails[]]): readonly [
  number,
  readonly ExportedTransfer[],
] {
  return [offset, details.map(simplified)];
}

function simplified(details: TransferDetails): ExportedTransfer {
  const { prefix, outputIndex, globalIndex, amount } = details;
  const output = prefix.outputs[Number(outputIndex)];
  const { fields } = parseExtra(prefix.extra);
  const txPublicKey = txPublicKeys(fields)[Number(details.publicKeyIndex)];
  if (output === undefined || txPublicKey === undefined) {
    throw new ProtocolError('bad-structure', 'expected the output and its transaction key in the prefix');
  }
  const flag = (set: boolean, bit: number) => (set ? bit : 0);
  const flags =
    flag(details.spent, TRANSFER.spent) |
    flag(details.frozen, TRANSFER.frozen) |
    flag(details.rct, TRANSFER.rct) |
    flag(details.keyImageKnown, TRANSFER.keyImageKnown) |
    flag(details.keyImageRequested, TRANSFER.keyImageRequested) |
    flag(details.keyImagePartial, TRANSFER.keyImagePartial);
  return {
    key: output.key,
    outputIndex,
    globalIndex,
    txPublicKey,
    flags,
    amount,
    additionalPublicKeys: additionalPublicKeys(fields),
  };
}

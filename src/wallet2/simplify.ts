import { additionalPublicKeys, ProtocolError, parseExtra, txPublicKeys } from '../protocol/index.ts';
import { type ExportedTransfer, type TransferDetails, type TransfersExport, transferFlags } from './transfers.ts';

/** Converts outputs of the older form to the newer one, which has less data. @throws ProtocolError `bad-structure` */
export function simplify([offset, details]: readonly [number, readonly TransferDetails[]]): TransfersExport {
  return { offset, outputs: details.map(simplified) };
}

function simplified(details: TransferDetails): ExportedTransfer {
  const { prefix, outputIndex, globalIndex, amount } = details;
  const output = prefix.outputs[Number(outputIndex)];
  const { fields } = parseExtra(prefix.extra);
  const txPublicKey = txPublicKeys(fields)[Number(details.publicKeyIndex)];
  if (output === undefined || txPublicKey === undefined) {
    throw new ProtocolError('bad-structure', 'expected the output and its transaction key in the prefix');
  }
  return {
    key: output.key,
    outputIndex,
    globalIndex,
    txPublicKey,
    flags: transferFlags(details),
    amount,
    additionalPublicKeys: additionalPublicKeys(fields),
  };
}

import { bytesToHex } from '../../base/index.ts';
import type { MultisigAccount } from './account.ts';

/** An account as it is stored in the journal. Keys are 32 bytes each. */
export interface StoredAccount extends Omit<MultisigAccount, 'origins'> {
  /** Hex, each with the indices into `signers` of its other holders. */
  readonly origins: readonly (readonly [key: string, signers: readonly number[]])[];
}

/** Converts an account to the form that is journalled. */
export function storedAccount({ origins, ...account }: MultisigAccount): StoredAccount {
  const names = account.signers.map(bytesToHex);
  const position = (signer: string): number => names.indexOf(signer);
  return { ...account, origins: [...origins].map(([key, by]) => [key, [...by].map(position)]) };
}

/** Converts a journalled account back. */
export function accountOf({ origins, ...account }: StoredAccount): MultisigAccount {
  const names = account.signers.map(bytesToHex);
  const by = (positions: readonly number[]) => new Set(positions.flatMap((at) => names[at] ?? []));
  return { ...account, origins: new Map(origins.map(([key, at]) => [key, by(at)])) };
}

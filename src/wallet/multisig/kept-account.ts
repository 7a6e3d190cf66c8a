import { bytesToHex } from '../../base/index.ts';
import type { MultisigAccount } from './account.ts';

/** An account as the journal holds it. Keys are 32 bytes each. */
export interface KeptAccount {
  readonly threshold: number;
  readonly signers: readonly Uint8Array[];
  readonly baseSecret: Uint8Array;
  readonly keyShares: readonly Uint8Array[];
  readonly commonSecret: Uint8Array;
  readonly commonKey: Uint8Array;
  readonly groupKey: Uint8Array;
  readonly roundsComplete: number;
  /** Hex, each with the positions among `signers` of those who hold it too. */
  readonly origins: readonly (readonly [key: string, signers: readonly number[]])[];
}

/** For the journal. */
export function keptAccount({ baseCommonSecret: _, origins, ...account }: MultisigAccount): KeptAccount {
  const names = account.signers.map(bytesToHex);
  const position = (signer: string): number => names.indexOf(signer);
  return { ...account, origins: [...origins].map(([key, by]) => [key, [...by].map(position)]) };
}

/** From the journal. */
export function accountOf({ origins, ...account }: KeptAccount): MultisigAccount {
  const names = account.signers.map(bytesToHex);
  const by = (positions: readonly number[]) => new Set(positions.flatMap((at) => names[at] ?? []));
  return { ...account, baseCommonSecret: undefined, origins: new Map(origins.map(([key, at]) => [key, by(at)])) };
}

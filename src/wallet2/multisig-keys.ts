import { asCount, asText, type JsonObject, latin1ToBytes } from '../base/index.ts';
import { key, list, readAll, writeAll } from './archive.ts';
import { Wallet2Error } from './errors.ts';

/** Multisig fields of a `.keys` file. Keys have 32 bytes. */
export interface MultisigKeys {
  readonly threshold: number;
  /** Base public keys of all signers, in no order. */
  readonly signers: readonly Uint8Array[];
  /** Completed rounds of the key exchange. */
  readonly roundsPassed: number;
  /** Keys that the current round's message proposes: secrets, in all rounds but the last of those that make keys. */
  readonly derivations: readonly Uint8Array[];
  /** Secret shares of the spend key. */
  readonly keyShares: readonly Uint8Array[];
  /** Whether the person has enabled multisig. */
  readonly enabled: boolean;
}

const keys = list(key);

/** The fields with arbitrary bytes, in the order in which they are written. */
export const multisigBytes = ({ signers, derivations }: MultisigKeys): readonly (readonly [string, Uint8Array])[] => [
  ['multisig_signers', writeAll(keys, signers)],
  ['multisig_derivations', writeAll(keys, derivations)],
];

/** @throws Wallet2Error `unsupported-kind` for a view-only wallet; ProtocolError, FormatError */
export function readMultisig(json: JsonObject, keyShares: readonly Uint8Array[]): MultisigKeys {
  const number = (name: string) => (json[name] === undefined ? 0 : asCount(json[name]));
  if (number('watch_only') !== 0)
    throw new Wallet2Error('unsupported-kind', 'expected a signer that holds its keys', { kind: 'multisig' });
  const keysIn = (name: string) =>
    json[name] === undefined ? [] : readAll(keys, latin1ToBytes(asText(json[name], name)), `the keys of ${name}`);
  return {
    threshold: number('multisig_threshold'),
    signers: keysIn('multisig_signers'),
    roundsPassed: number('multisig_rounds_passed'),
    derivations: keysIn('multisig_derivations'),
    keyShares,
    enabled: number('enable_multisig') !== 0,
  };
}

import { equalBytes } from '../base/index.ts';
import { key, type Layout, list, mapped, struct, type ValueOf, versioned } from './archive.ts';
import { Wallet2Error } from './errors.ts';

/**
 * Empty values of the fields `sigs` and `msout`, as since 0.18. They are the type, the message's 32 bytes, five counts or amounts of 0 and
 * six empty lists of proofs; then two empty lists.
 */
const EMPTY_SIGNATURE = new Uint8Array(1 + 32 + 5 + 6);
const EMPTY_OUT = new Uint8Array(2);

const constant = (expected: Uint8Array): Layout<undefined> => ({
  minSize: expected.length,
  read(reader) {
    if (!equalBytes(reader.bytes(expected.length), expected))
      throw new Wallet2Error('unsupported-kind', 'expected a multisig transaction of 0.18', { kind: 'multisig' });
    return undefined;
  },
  write: (writer) => void writer.bytes(expected),
});

/**
 * A transaction as one set of signers would sign it (`multisig_sig`, wallet2.h): nonces differ from attempt to attempt, because none may be
 * used twice. Keys, points and scalars of 32 bytes. Lists by input are in the order of the transaction's inputs.
 */
export type MultisigAttempt = ValueOf<typeof attempt>;

const attempt = mapped(
  struct({
    sigs: constant(EMPTY_SIGNATURE),
    /** Base keys of the signers who are left out. */
    ignored: list(key),
    /** Public nonces, k·G, of the signers after the first, among which each finds its own. */
    usedNonces: list(key),
    /** Public key shares of the group that have signed. */
    signingKeys: list(key),
    msout: constant(EMPTY_OUT),
    /** Sums of all signers' public nonces k·G, for each input. */
    nonceSums: list(list(key)),
    /** The same for k·Hp of the spent output. */
    nonceSumsImage: list(list(key)),
    /** Challenge of the ring's first member, for each input. */
    c1: list(key),
    /** Sum of the signature shares so far, for each input. */
    s: list(key),
  }),
  ({ sigs: _, msout: __, ...rest }) => rest,
  (value) => ({ ...value, sigs: undefined, msout: undefined }),
);

/** @throws Wallet2Error `unsupported-version` before version 1, `unsupported-kind` */
export const multisigAttempt: Layout<MultisigAttempt> = versioned(1, (version) => {
  if (version >= 1) return attempt;
  throw new Wallet2Error('unsupported-version', 'expected a multisig transaction of 0.18', { version });
});

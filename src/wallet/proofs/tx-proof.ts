import {
  CryptoError,
  checkTxProof as checkStatement,
  generateTxProof,
  scalarMulBase,
  scalarMulPoint,
  type TxProofStatement,
  type TxProofVersion,
} from '../../crypto/index.ts';
import { encodeBase58, type PaidAddress, type TxHash } from '../../protocol/index.ts';
import { confirmationsOf, findTransaction, proofKeysOf } from './chain.ts';
import type { ProofContext } from './context.ts';
import { decodeBase58Field, KEY_DIGITS, proofHash, SIGNATURE_DIGITS } from './encoding.ts';
import { ProofError } from './errors.ts';
import { derivationOf, receivedBy } from './received-outputs.ts';
import { type Receipt, withTxKeys } from './tx-key.ts';

/** A shared point and its proof, for one public key of the transaction. */
interface Part {
  /** 32 bytes. */
  readonly shared: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** A decoded proof of payment. */
export interface TxProof {
  /** `out`: made by the payer with the transaction keys. `in`: made by the recipient with the view key. */
  readonly direction: 'in' | 'out';
  readonly version: TxProofVersion;
  /** For the transaction's own public key, then for those of single outputs. */
  readonly parts: readonly Part[];
}

/** Result of checking a proof of payment. */
export type TxProofVerdict = ({ readonly good: true } & Receipt) | { readonly good: false };

const HEADER = /^(In|Out)ProofV([12])/;
const PART_DIGITS = KEY_DIGITS + SIGNATURE_DIGITS;

/** @throws ProofError `bad-header`, `bad-size`, `bad-encoding` */
export function decodeTxProof(text: string): TxProof {
  const header = HEADER.exec(text);
  if (header === null) throw new ProofError('bad-header', 'expected a text that begins with InProof or OutProof and its version');
  const digits = text.slice(header[0].length);
  if (digits.length % PART_DIGITS !== 0) throw new ProofError('bad-size', 'expected shared secrets and signatures, all whole');
  const parts = Array.from({ length: digits.length / PART_DIGITS }, (_, i) => {
    const part = digits.slice(i * PART_DIGITS, (i + 1) * PART_DIGITS);
    return { shared: decodeBase58Field(part.slice(0, KEY_DIGITS), 32), signature: decodeBase58Field(part.slice(KEY_DIGITS), 64) };
  });
  return { direction: header[1] === 'In' ? 'in' : 'out', version: header[2] === '1' ? 1 : 2, parts };
}

/** A proof of payment as text: direction, version and Base58. */
export function encodeTxProof({ direction, version, parts }: TxProof): string {
  const digits = parts.map(({ shared, signature }) => encodeBase58(shared) + encodeBase58(signature));
  return `${direction === 'in' ? 'In' : 'Out'}ProofV${version}${digits.join('')}`;
}

/** Makes a payment proof: with the transaction keys for somebody else's address, with the view key for ours (`get_tx_proof`, wallet2.cpp). */
export async function proveTx(ctx: ProofContext, txHash: TxHash, payee: PaidAddress, message: string): Promise<string> {
  const { transaction } = await findTransaction(ctx.daemon, txHash);
  const hash = proofHash(txHash, message);
  const direction = ctx.find(payee.spendKey) === undefined ? 'out' : 'in';
  const parts =
    direction === 'out'
      ? await withTxKeys(ctx.state, txHash, async (keys) => {
          const made: Part[] = [];
          for (const key of keys) made.push(await provePaid(ctx, hash, payee, key));
          return made;
        })
      : allKeys(proofKeysOf(transaction)).map((key) => proveReceived(ctx, hash, payee, key));
  const [main, ...additional] = parts.map(({ shared }) => derivationOf(shared));
  if (receivedBy(transaction, payee.spendKey, { main, additional }) === 0n) {
    throw new ProofError('nothing-received', 'expected a transaction that pays the address');
  }
  return encodeTxProof({ direction, version: 2, parts });
}

const allKeys = ({ main, additional }: ReturnType<typeof proofKeysOf>): readonly Uint8Array[] => [main, ...additional];
const baseOf = ({ isSubaddress, spendKey }: PaidAddress) => (isSubaddress ? spendKey : undefined);

async function provePaid(ctx: ProofContext, hash: Uint8Array, payee: PaidAddress, txKey: Uint8Array): Promise<Part> {
  const B = baseOf(payee);
  // Keys from a device are sealed: only the device can use them.
  if (ctx.device?.isNeeded) return ctx.device.prove({ hash, A: payee.viewKey, B, txKey });
  const R = B === undefined ? scalarMulBase(txKey) : scalarMulPoint(txKey, B);
  const shared = scalarMulPoint(txKey, payee.viewKey);
  return { shared, signature: generateTxProof({ hash, R, A: payee.viewKey, B, D: shared }, txKey, ctx.random) };
}

function proveReceived(ctx: ProofContext, hash: Uint8Array, payee: PaidAddress, publicKey: Uint8Array): Part {
  const { viewKey } = ctx.keys;
  const shared = sharedPoint(viewKey, publicKey);
  const statement = { hash, R: payee.viewKey, A: publicKey, B: baseOf(payee), D: shared };
  return { shared, signature: generateTxProof(statement, viewKey, ctx.random) };
}

/** A transaction's public key may be invalid. @throws ProofError `bad-key` */
export function sharedPoint(viewKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  try {
    return scalarMulPoint(viewKey, publicKey);
  } catch (error) {
    if (!(error instanceof CryptoError) || error.code !== 'bad-point') throw error;
    throw new ProofError('bad-key', 'expected public keys that are points', {}, error);
  }
}

/** `check_tx_proof`, wallet2.cpp: one valid part is enough; an invalid one proves nothing. */
export async function checkTx(
  { daemon }: Pick<ProofContext, 'daemon'>,
  txHash: TxHash,
  payee: PaidAddress,
  message: string,
  proof: string,
): Promise<TxProofVerdict> {
  const found = await findTransaction(daemon, txHash);
  const { direction, version, parts } = decodeTxProof(proof);
  const keys = allKeys(proofKeysOf(found.transaction));
  if (keys.length !== parts.length) {
    throw new ProofError('wrong-count', `expected a signature for each of ${keys.length} public keys`);
  }
  const hash = proofHash(txHash, message);
  const [main, ...additional] = parts.map(({ shared, signature }, i) => {
    const statement = statementOf(direction, hash, payee, keys[i]!, shared);
    return checkStatement(statement, signature, version) ? derivationOf(shared) : undefined;
  });
  if ([main, ...additional].every((derivation) => derivation === undefined)) return { good: false };
  const received = receivedBy(found.transaction, payee.spendKey, { main, additional });
  return { good: true, received, inPool: found.inPool, confirmations: await confirmationsOf(daemon, found) };
}

function statementOf(
  direction: TxProof['direction'],
  hash: Uint8Array,
  payee: PaidAddress,
  publicKey: Uint8Array,
  D: Uint8Array,
): TxProofStatement {
  const B = baseOf(payee);
  return direction === 'out' ? { hash, R: publicKey, A: payee.viewKey, B, D } : { hash, R: payee.viewKey, A: publicKey, B, D };
}

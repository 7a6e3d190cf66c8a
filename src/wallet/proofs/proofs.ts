import { hexToBytes } from '../../base/index.ts';
import { decodeAddress, type PaidAddress, payeeOf, type TxHash } from '../../protocol/index.ts';
import type { WalletContext } from '../context.ts';
import type { SubaddressIndex } from '../model.ts';
import type { ProofContext } from './context.ts';
import { ProofError } from './errors.ts';
import { type SignatureKind, signMessage } from './message.ts';
import { checkReserve, proveReserve, type ReserveScope, type ReserveVerdict } from './reserve-proof.ts';
import { checkSpend, proveSpend, requireSpendHeader } from './spend-proof.ts';
import { checkTxKey, type Receipt, txKeysOf } from './tx-key.ts';
import { checkTx, proveTx, type TxProofVerdict } from './tx-proof.ts';

/** Subject of a proof about a transaction. */
export interface SpendClaim {
  /** 64 hex digits. */
  readonly txHash: string;
  /** Part of what is signed; empty by default. */
  readonly message?: string;
}

/** Claim that a transaction paid an address. */
export interface PaymentClaim extends SpendClaim {
  /** Address that was paid. */
  readonly address: string;
}

/** Claim that a wallet has the amount in its reserve proof. */
export interface ReserveClaim {
  /** The primary address of that wallet. */
  readonly address: string;
  /** Part of what is signed; empty by default. */
  readonly message?: string;
}

const KEY_DIGITS = 64;

/**
 * Proofs of payment, of spending and of reserves, transaction keys and signed messages, in the reference wallet's formats. Those about a
 * transaction request it from the daemon by its hash (T24); without a daemon they throw ProofError `transaction-unavailable`.
 */
export class Proofs {
  readonly #ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'random' | 'device' | 'daemon' | 'ready'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'random' | 'device' | 'daemon' | 'ready'>) {
    this.#ctx = ctx;
  }

  /**
   * The concatenated secret keys of a transaction that this wallet sent or signed: 64 hex digits each, the main one first. Undefined if it
   * does not have them.
   */
  async txKey(txHash: string): Promise<string | undefined> {
    return txKeysOf(this.#ctx.state, txHash as TxHash)?.join('');
  }

  /**
   * Finds what a transaction paid to an address, by its secret keys.
   * @param txKey as returned by {@link txKey}
   * @throws ProofError `bad-key`, `wrong-count`, `transaction-unavailable`, `bad-daemon-answer`; ProtocolError for a mistyped address;
   *   DaemonError
   */
  async checkTxKey({ txHash, address }: PaymentClaim, txKey: string): Promise<Receipt> {
    const payee = this.#payee(address);
    return checkTxKey(await this.#asking(), txHash as TxHash, keysIn(txKey), payee);
  }

  /**
   * Proves that a transaction paid an address, somebody else's or ours.
   * @throws ProofError `no-tx-key`, `no-tx-public-key`, `bad-key`, `nothing-received`, `transaction-unavailable`, `bad-daemon-answer`;
   *   ProtocolError for a mistyped address; DaemonError
   */
  async txProof({ txHash, address, message = '' }: PaymentClaim): Promise<string> {
    const payee = this.#payee(address);
    return proveTx(await this.#asking(), txHash as TxHash, payee, message);
  }

  /**
   * Whether a proof of payment is valid, and what was paid.
   * @throws ProofError `bad-header`, `bad-size`, `bad-encoding`, `wrong-count`, `no-tx-public-key`, `transaction-unavailable`,
   *   `bad-daemon-answer`; ProtocolError for a mistyped address; DaemonError
   */
  async checkTxProof({ txHash, address, message = '' }: PaymentClaim, proof: string): Promise<TxProofVerdict> {
    const payee = this.#payee(address);
    return checkTx(await this.#asking(), txHash as TxHash, payee, message, proof);
  }

  /** Proves that this wallet made a transaction. @throws ProofError `view-only`, `one-of-several`, `not-ours`, `transaction-unavailable`, `bad-daemon-answer`; DaemonError */
  async spendProof({ txHash, message = '' }: SpendClaim): Promise<string> {
    return proveSpend(await this.#asking(), txHash as TxHash, message);
  }

  /**
   * Whether a proof that a wallet made a transaction is valid. @throws ProofError `bad-header`, `bad-encoding`, `transaction-unavailable`,
   * `bad-daemon-answer`; DaemonError
   */
  async checkSpendProof({ txHash, message = '' }: SpendClaim, proof: string): Promise<boolean> {
    requireSpendHeader(proof);
    return checkSpend(await this.#asking(), txHash as TxHash, message, proof);
  }

  /**
   * Proves that this wallet, or an account of it, has an amount. It reveals to the reader which coins those are.
   * @throws ProofError `view-only`, `no-balance`, `not-enough-balance`, `zero-amount`, `bad-key`
   */
  async reserveProof(scope: ReserveScope, message = ''): Promise<string> {
    return proveReserve(this.#ctx, scope, message);
  }

  /**
   * Whether a proof of reserve is valid, how much it shows and how much of that was spent since, according to the daemon.
   * @throws ProofError `bad-header`, `bad-encoding`, `bad-structure`, `other-address`, `unconfirmed`, `bad-index`, `foreign-output`,
   *   `repeated-output`, `repeated-key-image`, `bad-key-image`, `no-tx-public-key`, `bad-key`, `transaction-unavailable`,
   *   `bad-daemon-answer`; ProtocolError for a mistyped address; DaemonError
   */
  async checkReserveProof({ address, message = '' }: ReserveClaim, proof: string): Promise<ReserveVerdict> {
    const owner = this.#payee(address);
    return checkReserve(await this.#asking(), owner, message, proof);
  }

  /**
   * Signs a message by a key of an address of this wallet, by default its primary one.
   * @throws ProofError `view-only` when the key needs a spend key that the wallet does not have
   */
  async signMessage(
    message: string,
    index: SubaddressIndex = { major: 0, minor: 0 },
    by: SignatureKind = 'spend',
  ): Promise<string> {
    return signMessage(this.#ctx.keys, message, by, index, this.#ctx.random);
  }

  #payee(address: string): PaidAddress {
    return payeeOf(decodeAddress(address, this.#ctx.keys.network));
  }

  /** The context, once subaddresses are known. @throws ProofError `transaction-unavailable` without a daemon */
  async #asking(): Promise<ProofContext> {
    const { state, keys, random, device, daemon, find, ready } = this.#ctx;
    if (daemon === undefined) throw new ProofError('transaction-unavailable', 'expected a daemon to be set');
    await ready();
    return { state, keys, random, device, daemon, find };
  }
}

/** @throws ProofError `bad-key` */
function keysIn(txKey: string): Uint8Array[] {
  const parts = txKey.match(/.{1,64}/gs) ?? [''];
  if (parts.some((part) => part.length !== KEY_DIGITS || !/^[0-9a-fA-F]*$/.test(part)))
    throw new ProofError('bad-key', 'expected transaction keys of 64 hex digits each');
  return parts.map(hexToBytes);
}

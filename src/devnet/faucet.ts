import { type Random, systemRandom } from '../crypto/index.ts';
import { type Address, decodeAddress, feeEstimates, feeFromWeight, type TxHash } from '../protocol/index.ts';
import { DevnetError } from './errors.ts';
import type { MinerWallet } from './miner-wallet.ts';
import type { DevnetNode } from './node.ts';
import { buildPayment } from './payment.ts';
import { ERA } from './rules.ts';

/** Atomic units for one request: ten coins. */
export const FAUCET_AMOUNT = 10_000_000_000_000n;

/** More than the weight of a transaction with one input and two outputs. */
const PAYMENT_WEIGHT = 1700;

/** A whole number from 0 to below − 1, uniform enough for test coins: the remainder of 48 random bits. */
export function randomBelow(random: Random, below: number): number {
  return Buffer.from(random.bytes(6)).readUIntBE(0, 6) % below;
}

/** Gives away test coins from the devnet's own miner's wallet. */
export class Faucet {
  readonly #node: DevnetNode;
  readonly #minerWallet: MinerWallet;
  readonly #random: Random;

  constructor(node: DevnetNode, minerWallet: MinerWallet, random: Random = systemRandom) {
    this.#node = node;
    this.#minerWallet = minerWallet;
    this.#random = random;
  }

  /**
   * Pays to an address; the transaction is in the pool when this returns.
   * @throws DevnetError `bad-address`, or `no-coins` while the miner's wallet has none that can be spent
   */
  give(text: string, amount = FAUCET_AMOUNT): TxHash {
    let destination: Address;
    try {
      destination = decodeAddress(text, this.#node.network);
    } catch {
      throw new DevnetError('bad-address', 'expected an address of the chain: of mainnet on regtest');
    }
    return this.#pay(destination, amount);
  }

  /** Pays itself, to make outputs for others to hide among. */
  stir(amount: bigint): TxHash {
    return this.#pay(
      { kind: 'standard', spendKey: this.#minerWallet.spendKey, viewKey: this.#minerWallet.viewKey, paymentId: undefined },
      amount,
    );
  }

  #pay(destination: Pick<Address, 'kind' | 'spendKey' | 'viewKey' | 'paymentId'>, amount: bigint): TxHash {
    const fee = this.#fee();
    const coin = this.#minerWallet.pick(amount + fee);
    const input = coin === undefined ? undefined : this.#minerWallet.input(coin, (below) => randomBelow(this.#random, below));
    if (input === undefined) throw new DevnetError('no-coins', 'expected coins that can be spent: wait for a few blocks');
    const blob = buildPayment({ inputs: [input], destination, amount, fee, change: this.#minerWallet, random: this.#random });
    return this.#node.submitTransaction(blob, { sanityChecks: false }).id;
  }

  #fee(): bigint {
    const { chain } = this.#node;
    const [lowest] = feeEstimates(chain.baseReward, chain.weightMedian, chain.longTermMedian, ERA);
    return feeFromWeight(PAYMENT_WEIGHT, lowest);
  }
}

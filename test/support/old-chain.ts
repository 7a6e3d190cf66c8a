import { hexToBytes } from '../../src/base/index.ts';
import {
  derivePublicKey,
  generateKeyDerivation,
  type Random,
  randomScalar,
  scalarMulBase,
  scalarMulPoint,
} from '../../src/crypto/index.ts';
import type { DevnetNode } from '../../src/devnet/index.ts';
import {
  type Address,
  COINBASE_UNLOCK_WINDOW,
  digitsOfAmount,
  serializeBlock,
  serializeTransaction,
  type TransactionV1,
  type TxInput,
  type TxOutput,
  transactionHash,
} from '../../src/protocol/index.ts';

/** Recipients of clear amounts: each amount in a separate output. */
export interface OldPayment {
  readonly to: Pick<Address, 'kind' | 'spendKey' | 'viewKey'>;
  readonly amounts: readonly bigint[];
}

/** The reward of a block in the first days. */
const OLD_REWARD = 17_592_169_267_200n;
const TAG_PUBLIC_KEY = 1;

/**
 * A pre-RingCT block on top of a chain: version 1, with its coinbase and payments in transactions of version 1. The payments come from nowhere, and
 * their signatures prove nothing: the chain accepts the block as a replayed one.
 */
export function appendOldBlock(node: DevnetNode, random: Random, payments: readonly OldPayment[]): void {
  const { height, top } = node.chain;
  const txs = payments.map((payment) => madeUpPayment(payment, random));
  const block = serializeBlock({
    majorVersion: 1,
    minorVersion: 1,
    timestamp: BigInt(node.now() - 86_400 + height * 120),
    prevId: hexToBytes(top.id),
    nonce: 0,
    minerTx: coinbase(height, random),
    txHashes: txs.map(({ id }) => id),
  });
  node.append(
    block,
    txs.map(({ blob }) => blob),
  );
}

function coinbase(height: number, random: Random): TransactionV1 {
  const nobody = { kind: 'standard' as const, spendKey: anyPoint(random), viewKey: anyPoint(random) };
  const inputs = [{ type: 'gen' as const, height }];
  const paid = pay({ to: nobody, amounts: digitsOfAmount(OLD_REWARD) }, inputs, random);
  return { ...paid, unlockTime: BigInt(height + COINBASE_UNLOCK_WINDOW), signatures: [] };
}

function madeUpPayment(payment: OldPayment, random: Random): { readonly blob: Uint8Array; readonly id: Uint8Array } {
  const amount = payment.amounts.reduce((sum, part) => sum + part, 1n);
  const inputs = [{ type: 'key' as const, amount, keyOffsets: [0n], keyImage: anyPoint(random) }];
  const tx = pay(payment, inputs, random);
  return { blob: serializeTransaction(tx), id: transactionHash(tx) };
}

/** Outputs without view tags, as they were then. */
function pay({ to, amounts }: OldPayment, inputs: readonly TxInput[], random: Random): TransactionV1 {
  const secret = randomScalar(random);
  const publicKey = to.kind === 'subaddress' ? scalarMulPoint(secret, to.spendKey) : scalarMulBase(secret);
  const derivation = generateKeyDerivation(to.viewKey, secret)!;
  const outputs = amounts.map((amount, i): TxOutput => {
    return { amount, key: derivePublicKey(derivation, i, to.spendKey)!, viewTag: undefined };
  });
  const extra = Uint8Array.of(TAG_PUBLIC_KEY, ...publicKey);
  const signatures = inputs.map(() => [new Uint8Array(64)]);
  return { version: 1, unlockTime: 0n, inputs, outputs, extra, signatures };
}

const anyPoint = (random: Random): Uint8Array => scalarMulBase(randomScalar(random));

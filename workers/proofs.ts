import { decodeAddress } from '../src/protocol/index.ts';
import type { TxHash } from '../src/protocol/model.ts';
import { checkTx, type ProofAddress, type ProofContext, ProofError, proveTx } from '../src/wallet/proofs/index.ts';
import type { Wallet } from '../src/wallet/wallet.ts';
import type { PaymentClaim, PaymentVerdict } from './host.ts';

/** Proofs of payment over the open wallet: loaded when somebody asks for one. */

export async function provePayment(wallet: Wallet, { txHash, address, message }: PaymentClaim): Promise<string> {
  return proveTx(await contextOf(wallet), txHash as TxHash, payee(wallet, address), message);
}

export async function checkPayment(wallet: Wallet, claim: PaymentClaim, proof: string): Promise<PaymentVerdict> {
  const { txHash, address, message } = claim;
  const verdict = await checkTx(await contextOf(wallet), txHash as TxHash, payee(wallet, address), message, proof);
  if (!verdict.good) return { good: false };
  const { received, inPool, confirmations } = verdict;
  return { good: true, received, inPool, confirmations };
}

async function contextOf({ room }: Wallet): Promise<ProofContext> {
  const { state, keys, random, daemon } = room;
  if (daemon === undefined) throw new ProofError('transaction-unavailable', 'expected a daemon to be set');
  await room.ready();
  return { state, keys, random, daemon, find: (key) => room.find(key) };
}

function payee(wallet: Wallet, address: string): ProofAddress {
  const { spendKey, viewKey, kind } = decodeAddress(address.trim(), wallet.state.description.network);
  return { spendKey, viewKey, isSubaddress: kind === 'subaddress' };
}

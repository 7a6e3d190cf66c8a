import { unsignedSetFile } from '../../wallet2/index.ts';
import type { WalletContext } from '../context.ts';
import type { FileOptions } from '../offline-api.ts';
import type { Signer, Signing, UnsignedPayment } from '../spend/index.ts';
import { SpendError } from '../spend/index.ts';
import { constructionOf } from './construction.ts';
import { outputsToExport } from './outputs.ts';
import { positionsOf } from './transfers.ts';

/**
 * The signer of a view-only wallet: the payment becomes a file for the offline half to sign (`unsigned_monero_tx`), with the outputs that
 * it may not know yet. It never completes a payment.
 */
export function fileSigner(ctx: Pick<WalletContext, 'state' | 'keys' | 'random'>, { compat }: FileOptions = {}): Signer {
  return {
    async sign({ transactions }: UnsignedPayment): Promise<Signing> {
      const positions = positionsOf(ctx.state);
      const { network } = ctx.keys;
      const set = {
        transactions: transactions.map((transaction) => constructionOf({ ...transaction, network, positions })),
        ...outputsToExport(ctx.state, { compat }),
      };
      return {
        kind: 'unfinished',
        format: 'unsigned-set',
        bytes: await unsignedSetFile.seal(set, ctx.keys.viewKey, ctx.random, compat),
      };
    },
  };
}

/** The file made by {@link fileSigner}. @throws SpendError `check-failed` for anything that is signed */
export function setToSign(signing: Signing): Uint8Array {
  if (signing.kind === 'unfinished') return signing.bytes;
  throw new SpendError('check-failed', 'expected a set for the other half to sign');
}

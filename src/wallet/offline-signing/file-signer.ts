import { unsignedSetFile } from '../../wallet2/index.ts';
import type { WalletContext } from '../context.ts';
import type { FileOptions } from '../offline-api.ts';
import type { Signer, Signing, UnsignedPayment } from '../spend/index.ts';
import { SpendError } from '../spend/index.ts';
import { constructionOf } from './construction.ts';
import { outputsToExport } from './outputs.ts';
import { positionsOf } from './transfers.ts';

/**
 * The signer of a wallet that only watches: a payment leaves as the file that its other half signs (`unsigned_monero_tx`), with the outputs
 * that one may not know yet. It never comes to the end.
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

/** The file that a {@link fileSigner} passes on. @throws SpendError `check-failed` for what anybody signed */
export function setToSign(signing: Signing): Uint8Array {
  if (signing.kind === 'unfinished') return signing.bytes;
  throw new SpendError('check-failed', 'expected a set for the other half to sign');
}

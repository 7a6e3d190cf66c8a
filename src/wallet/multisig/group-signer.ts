import { bytesToHex, wipe } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import { type MultisigTxSet, sealMultisigTxSet } from '../../wallet2/index.ts';
import type { WalletContext } from '../context.ts';
import { positionsOf } from '../offline-signing/transfers.ts';
import { SpendError } from '../spend/errors.ts';
import type { Signer, Signing, SigningOptions, UnsignedPayment } from '../spend/signer.ts';
import { requireReady } from './account.ts';
import { signerNonces } from './cosigning-state.ts';
import { type ProposalFacts, proposeTransaction } from './propose.ts';
import type { GroupSealing } from './sealing.ts';

/** Signer of a multisig wallet: it makes a proposal with its own signature, which the other signers complete. */
export class GroupSigner implements Signer {
  readonly #ctx: Pick<WalletContext, 'state' | 'keys' | 'random'>;

  readonly #sealing: GroupSealing;

  constructor(ctx: Pick<WalletContext, 'state' | 'keys' | 'random'>, sealing: GroupSealing) {
    this.#ctx = ctx;
    this.#sealing = sealing;
  }

  /** @throws MultisigError `not-multisig`, `not-ready`, `info-missing`; SpendError `signer-refused` for coins of version 1 */
  async sign({ transactions }: UnsignedPayment, { turn, signal }: SigningOptions): Promise<Signing> {
    const { state, keys, random } = this.#ctx;
    const account = requireReady(state.multisig);
    const facts: ProposalFacts = {
      ...{ account, network: keys.network, positions: positionsOf(state) },
      noncesOf: (key) => signerNonces(state.cosigning, key),
    };
    const proposed: MultisigTxSet['transactions'][number][] = [];
    for (const [i, part] of transactions.entries()) {
      await turn(i + 1);
      signal?.throwIfAborted();
      if (part.unsigned.version === 1)
        throw new SpendError('signer-refused', 'expected coins of RingCT: a group signs no others');
      proposed.push(proposeTransaction(facts, part, random));
    }
    const set = { transactions: proposed, signers: [secretKeyToPublicKey(account.baseSecret)!] };
    const bytes = sealMultisigTxSet(set, await this.#sealing.of(account), random);
    const txKeys = proposed.map(({ txKey, additionalTxKeys }) => [txKey, ...additionalTxKeys].map(bytesToHex));
    for (const { txKey, additionalTxKeys } of proposed) wipe(txKey, ...additionalTxKeys);
    return { kind: 'unfinished', format: 'multisig-set', bytes, txKeys };
  }
}

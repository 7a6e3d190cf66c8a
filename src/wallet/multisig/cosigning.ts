import { bytesToHex, SerialQueue, wipe } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import { type TxHash, transactionWeight } from '../../protocol/index.ts';
import {
  type MultisigTxSet,
  openMultisigExport,
  openMultisigTxSet,
  sealMultisigExport,
  sealMultisigTxSet,
} from '../../wallet2/index.ts';
import type { WalletContext } from '../context.ts';
import type { GroupSetReview, SetObstacle } from '../group-api.ts';
import { realKeys } from '../offline-signing/claims.ts';
import { type DescribedSet, describeSet, reviewOfSet } from '../offline-signing/describe.ts';
import { isSentOrMined, resendPending, sentTransactionOf } from '../offline-signing/submit.ts';
import { keyImagesImported } from '../projection/index.ts';
import { ANY_RATE } from '../spend/fees.ts';
import { type SpendContext, sendChecked } from '../spend/index.ts';
import { verifySigned } from '../spend/verify.ts';
import type { WalletEvent } from '../state/events.ts';
import { type MultisigAccount, requireReady } from './account.ts';
import { MultisigError } from './errors.ts';
import { exportOf, outputsInOrder, readInfo, requireThisGroup, withSeed } from './info.ts';
import { NonceBook } from './nonce-book.ts';
import type { GroupSealing } from './sealing.ts';
import { requireMembers, requireSetBounds } from './set-bounds.ts';
import { includesKey } from './shared-inputs.ts';
import { signSet } from './sign-set.ts';
import { isAttemptFor, type VerifyContext, verifyProposal } from './verify-proposal.ts';

/** What cosigning needs of its wallet. */
export interface CosigningDeps {
  readonly ctx: WalletContext;
  readonly sealing: GroupSealing;
  /** @throws WalletError `no-daemon`, `closed` */
  spend(): SpendContext;
}

/** A set of transactions as it is passed from signer to signer. */
export interface CosignedSet {
  readonly bytes: Uint8Array;
  /** Ids of its transactions once enough members have signed; empty before. */
  readonly txHashes: readonly TxHash[];
}

/** The effect of a set, and its signers so far. */
export interface GroupSetView extends DescribedSet {
  /** Weight of each transaction, in bytes. */
  readonly weights: readonly number[];
  /** Base keys of those who have signed, 32 bytes each. */
  readonly signers: readonly Uint8Array[];
}

/**
 * Exports and transaction sets that the signers of a group pass to each other to spend. Calls run one at a time, so that no two use
 * one nonce. A payment is proposed like any other payment: the group is its signer.
 */
export class Cosigning {
  readonly #deps: CosigningDeps;
  readonly #book: NonceBook;
  readonly #queue = new SerialQueue();

  constructor(deps: CosigningDeps) {
    this.#deps = deps;
    this.#book = new NonceBook(deps.ctx);
  }

  /** Whether key images of coins are missing: such coins are in the balance but may be spent already. */
  get importNeeded(): boolean {
    const { state } = this.#deps.ctx;
    return state.multisig !== undefined && [...state.outputs.values()].some(({ output }) => output.keyImage === undefined);
  }

  /**
   * Our export for the next payments: partial key images, and new nonces. The earlier nonces can no longer sign anything.
   * @throws MultisigError `not-multisig`, `not-ready`
   */
  export(): Promise<Uint8Array> {
    return this.#queue.run(async () => {
      const account = requireReady(this.#deps.ctx.state.multisig);
      const { ctx } = this.#deps;
      return this.#deps.ctx.still(async () => {
        const outputs = outputsInOrder(ctx);
        const seed = await this.#book.draw(
          account,
          outputs.map(({ key }) => key),
        );
        const info = await withSeed(seed, (drawn) => exportOf(account, outputs, drawn));
        return sealMultisigExport(info, await this.#deps.sealing.of(account), ctx.random);
      });
    });
  }

  /**
   * Imports other signers' exports, and scans again for spends of coins whose key images were unknown: wait until the wallet is synced
   * before it exports or pays. Returns the number of outputs that all exports cover.
   * @throws Wallet2Error, ProtocolError for anything but an export; MultisigError as {@link readInfo}, `not-multisig`, `not-ready`. On an
   *   error nothing has changed
   */
  import(messages: readonly Uint8Array[]): Promise<number> {
    return this.#queue.run(async () => {
      const account = requireReady(this.#deps.ctx.state.multisig);
      const sealing = await this.#deps.sealing.of(account);
      const exports = messages.map((message) => openMultisigExport(message, sealing));
      return this.#deps.ctx.still(async () => {
        const { ctx } = this.#deps;
        const outputs = outputsInOrder(ctx);
        const { exports: signerExports, images } = readInfo(account, outputs, exports);
        if (images.length === 0) return 0;
        const fresh = images.filter(({ keyImage }, i) => outputs[i]!.keyImage !== keyImage);
        const heights = fresh.map(({ key }) => ctx.state.outputs.get(key)!.output.height);
        const events = keyImagesImported(ctx, fresh, heights);
        await ctx.append([{ type: 'MultisigInfoImported', signers: signerExports }, ...events], 'strict');
        return images.length;
      });
    });
  }

  /**
   * Describes a set as its proposer states it, unchecked: signing checks it against this wallet.
   * @throws Wallet2Error, ProtocolError for anything but a set; OfflineSigningError as `describeSet`; MultisigError
   */
  async describe(bytes: Uint8Array): Promise<GroupSetView> {
    const set = await this.#open(bytes);
    const described = describeSet(
      set.transactions.map(({ construction }) => construction),
      this.#deps.ctx.keys.network,
    );
    const weights = set.transactions.map(({ transaction }) => transactionWeight(transaction));
    return { ...described, weights, signers: set.signers };
  }

  /**
   * Adds our shares to another signer's proposal, after checking all of it against this wallet.
   * @throws Wallet2Error, ProtocolError for anything but a set; MultisigError, OfflineSigningError, SpendError as {@link signSet}
   */
  sign(bytes: Uint8Array): Promise<CosignedSet> {
    return this.#queue.run(async () => {
      const ctx = await this.#verifyContext();
      const sealing = await this.#deps.sealing.of(ctx.account);
      const set = this.#requireSound(openMultisigTxSet(bytes, sealing), bytes.length);
      const signed = await signSet({ ...ctx, nonces: await this.#book.store() }, set);
      const events = signed.txHashes.map(
        (txHash, i): WalletEvent => ({ type: 'TransactionSigned', txHash, txKeys: signed.txKeys[i]! }),
      );
      await this.#deps.ctx.append(events, 'strict');
      return { bytes: sealMultisigTxSet(signed.set, sealing, ctx.random), txHashes: signed.txHashes };
    });
  }

  /**
   * Sends the transactions of a fully signed set one after the other, after verifying all of it, signatures included.
   * @throws Wallet2Error, ProtocolError for anything but a set; MultisigError `too-few-signers`, `empty-set` and as `verifyProposal`; SpendError
   */
  submit(bytes: Uint8Array): Promise<readonly TxHash[]> {
    return this.#queue.run(async () => {
      const set = await this.#open(bytes);
      const ctx = await this.#verifyContext();
      const { threshold, commonSecret } = ctx.account;
      if (set.signers.length < threshold)
        throw new MultisigError('too-few-signers', 'expected a set that enough have signed', {
          found: set.signers.length,
          required: threshold,
        });
      const { ctx: wallet } = this.#deps;
      const transactions = set.transactions.map((pending) => sentTransactionOf(wallet, pending));
      const fresh = transactions.filter(({ txHash }, i) => {
        if (isSentOrMined(wallet.state, txHash)) return false;
        const { unsigned, proposed } = verifyProposal(ctx, set.transactions[i]!, i);
        verifySigned(unsigned, proposed, ANY_RATE, commonSecret, ctx.random);
        return true;
      });
      for (const { txHash } of transactions) await resendPending(wallet, this.#deps.spend(), txHash);
      await sendChecked(this.#deps.spend(), fresh);
      return transactions.map(({ txHash }) => txHash);
    });
  }

  /**
   * Signer of an export, and its number of outputs.
   * @throws Wallet2Error, ProtocolError for anything but an export; MultisigError `other-group`, `unknown-signer`, `not-multisig`, `not-ready`
   */
  async exportedBy(message: Uint8Array): Promise<{ readonly signer: string; readonly outputs: number }> {
    const account = requireReady(this.#deps.ctx.state.multisig);
    const signerExport = openMultisigExport(message, await this.#deps.sealing.of(account));
    requireThisGroup(account, signerExport);
    const { signer, outputs } = signerExport;
    if (!includesKey(account.signers, signer))
      throw new MultisigError('unknown-signer', 'expected an export of a member of this group');
    return { signer: bytesToHex(signer), outputs: outputs.length };
  }

  /**
   * Reads a set and checks that its signers are members of this group, and nothing else.
   * @internal
   * @throws Wallet2Error, ProtocolError for anything but a set; MultisigError `bad-set`, `empty-set`, `unknown-signer`
   */
  async look(bytes: Uint8Array): Promise<MultisigTxSet> {
    const set = await this.#open(bytes);
    if (set.transactions.length === 0) throw new MultisigError('empty-set', 'expected transactions');
    requireMembers(requireReady(this.#deps.ctx.state.multisig), set.signers);
    return set;
  }

  /**
   * Describes a set after checking all of it against this wallet, as signing does, and its signatures if it is fully signed.
   * @throws as {@link sign}, except for errors of the signing itself
   */
  async review(bytes: Uint8Array): Promise<GroupSetReview> {
    const set = await this.look(bytes);
    const ctx = await this.#verifyContext();
    const { account } = ctx;
    const verified = set.transactions.map((pending, i) => verifyProposal(ctx, pending, i));
    const complete = set.signers.length >= account.threshold;
    if (complete) {
      for (const { unsigned, proposed } of verified) verifySigned(unsigned, proposed, ANY_RATE, account.commonSecret, ctx.random);
    }
    wipe(...verified.flatMap(({ proposed }) => proposed.txKeys));
    const review = reviewOfSet(
      set.transactions.map(({ construction }) => construction),
      ctx.keys.network,
      (_, i) => verified[i]!.unsigned.inputs.map(({ output }) => output.subaddress),
    );
    return { ...review, obstacle: complete ? 'complete' : await this.#obstacle(set, account) };
  }

  /** Why this signer cannot sign a set; undefined if it can. */
  async #obstacle({ transactions, signers }: MultisigTxSet, account: MultisigAccount): Promise<SetObstacle | undefined> {
    if (includesKey(signers, secretKeyToPublicKey(account.baseSecret)!)) return 'signed';
    if (transactions.some(({ attempts }) => !attempts.some((attempt) => isAttemptFor(attempt, account)))) return 'not-asked';
    const { seedOf } = await this.#book.store();
    const keys = transactions.flatMap(({ construction }) => realKeys(construction));
    const seeds = keys.map(seedOf);
    wipe(...seeds.flatMap((seed) => seed ?? []));
    return seeds.includes(undefined) ? 'nonces' : undefined;
  }

  /** @throws as {@link openMultisigTxSet}; MultisigError `bad-set` for positions beyond the outputs of this wallet */
  async #open(bytes: Uint8Array): Promise<MultisigTxSet> {
    const account = requireReady(this.#deps.ctx.state.multisig);
    return this.#requireSound(openMultisigTxSet(bytes, await this.#deps.sealing.of(account)), bytes.length);
  }

  /** @throws MultisigError `bad-set` */
  #requireSound(set: MultisigTxSet, length: number): MultisigTxSet {
    const known = this.#deps.ctx.state.outputs.size;
    for (const [i, { transaction, construction, selectedTransfers }] of set.transactions.entries()) {
      const inputs = transaction.inputs.length;
      const counts = [selectedTransfers, construction.selectedTransfers, construction.sources];
      const positions = [...selectedTransfers, ...construction.selectedTransfers];
      if (inputs === 0 || counts.some(({ length }) => length !== inputs) || positions.some((position) => position >= known))
        throw new MultisigError('bad-set', 'expected as many outputs of this wallet as there are inputs', {
          transaction: i,
          reason: 'positions',
        });
    }
    requireSetBounds(requireReady(this.#deps.ctx.state.multisig), set, known, length);
    return set;
  }

  async #verifyContext(): Promise<VerifyContext> {
    const { ctx } = this.#deps;
    await ctx.ready();
    const { state, keys, random, boundsFees } = ctx;
    return {
      state,
      keys,
      random,
      boundsFees,
      find: (spendKey) => ctx.find(spendKey),
      account: requireReady(this.#deps.ctx.state.multisig),
    };
  }
}

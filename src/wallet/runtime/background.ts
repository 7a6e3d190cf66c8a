import type { OutputKey } from '../../protocol/model.ts';
import type { WalletContext } from '../context.ts';
import { WalletError } from '../errors.ts';
import type { OwnedOutput } from '../model.ts';
import { MultisigError } from '../multisig/errors.ts';
import type { Journal } from '../ports.ts';
import type { KeySigner } from '../spend/index.ts';

export type BackgroundDeps = Pick<WalletContext, 'state' | 'keys' | 'append' | 'still'> & {
  readonly journal: Pick<Journal, 'lock' | 'unlock' | 'secrets'>;
  readonly signer: KeySigner | undefined;
};

/** Attribute that says whether the wallet may be made to sync without its spend key, in the reference's words. */
const SETTING = 'background-sync';
const [OFF, ON] = ['off', 'reuse-wallet-password'];

/**
 * A wallet that looks at the chain by its view key alone, its spend key nowhere in memory (wallet2.cpp, start_background_sync). What it finds
 * meanwhile is kept in memory, and scanned again when that is lost.
 */
export class BackgroundSync {
  readonly #deps: BackgroundDeps;
  /** Outputs that had no key image when the spend key was forgotten; undefined while it is there. */
  #withoutImage: ReadonlySet<OutputKey> | undefined;

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** The spend key is nowhere in memory. */
  get isOn(): boolean {
    return this.#withoutImage !== undefined;
  }

  /** Whether the person allowed it for this wallet. */
  get isAllowed(): boolean {
    return (this.#deps.state.attributes.get(SETTING) ?? OFF) !== OFF;
  }

  /**
   * The person's word; it is kept with the wallet.
   * @throws MultisigError `already-multisig`, WalletError `view-only`: where there is no whole spend key to forget
   */
  async allow(allowed: boolean): Promise<void> {
    if (allowed === this.isAllowed) return;
    if (allowed) this.#requireSpendKey();
    await this.#deps.append([{ type: 'AttributeSet', key: SETTING, value: allowed ? ON : OFF }], 'strict');
  }

  /** Forgets the spend key; the scan goes on. @throws MultisigError `already-multisig`, WalletError `view-only` */
  start(): Promise<void> {
    return this.#deps.still(() => this.#start());
  }

  async #start(): Promise<void> {
    const { journal, keys, signer } = this.#deps;
    if (this.isOn) return;
    this.#requireSpendKey();
    this.#withoutImage = new Set(this.#imageless().map(({ key }) => key));
    await journal.lock();
    keys.forgetSpendKey();
    signer?.forget();
  }

  /**
   * The spend key is back. Blocks since the first output found meanwhile are scanned again: it may be spent already.
   * @throws StorageError `wrong-password`; WalletError `view-only`
   */
  stop(password: string): Promise<void> {
    return this.#deps.still(() => this.#stop(password));
  }

  async #stop(password: string): Promise<void> {
    const { journal, keys, signer } = this.#deps;
    await journal.unlock(password);
    const before = this.#withoutImage;
    if (before === undefined) return;
    const { spendKey } = journal.secrets;
    if (spendKey === undefined) throw new WalletError('view-only', 'expected a wallet that holds its spend key');
    keys.recallSpendKey(spendKey);
    signer?.recall(spendKey);
    this.#withoutImage = undefined;
    await this.#scanAgain(this.#imageless().filter(({ key }) => !before.has(key)));
  }

  #requireSpendKey(): void {
    const { state, keys } = this.#deps;
    if (state.multisig !== undefined) throw new MultisigError('already-multisig', 'expected a wallet of one owner');
    if (keys.spendKey === undefined && !this.isOn)
      throw new WalletError('view-only', 'expected a wallet that holds its spend key');
  }

  #imageless(): OwnedOutput[] {
    return [...this.#deps.state.outputs.values()].flatMap(({ output }) => (output.keyImage === undefined ? [output] : []));
  }

  /** Takes off the blocks from the first of these outputs on: they come again, with key images and spends. */
  async #scanAgain(outputs: readonly OwnedOutput[]): Promise<void> {
    if (outputs.length === 0) return;
    const height = outputs.reduce((lowest, output) => Math.min(lowest, output.height), Number.POSITIVE_INFINITY);
    await this.#deps.append([{ type: 'RestoreHeightSet', height }], 'strict');
  }
}

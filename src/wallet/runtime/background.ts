import type { OutputKey } from '../../protocol/index.ts';
import type { WalletContext } from '../context.ts';
import { WalletError } from '../errors.ts';
import type { OwnedOutput } from '../model.ts';
import { MultisigError } from '../multisig/errors.ts';
import type { Journal } from '../ports.ts';
import { rescanFrom } from '../rescan.ts';
import type { KeySigner } from '../spend/index.ts';
import type { WalletEvent } from '../state/events.ts';
import { BackgroundWallet, type BackgroundWalletDeps, isBackgroundWallet } from './background-wallet.ts';
import type { StateWriter } from './writer.ts';

/** What has the spend key, or must work without it. */
export type BackgroundDeps = BackgroundWalletDeps &
  Pick<WalletContext, 'state' | 'keys' | 'still' | 'random' | 'trusted'> & {
    readonly journal: Pick<Journal, 'secrets'>;
    readonly writer: Pick<StateWriter, 'append' | 'lock' | 'unlock'>;
    readonly signer: KeySigner | undefined;
  };

/** Every {@link BackgroundSyncType}. */
export const BACKGROUND_SYNC_TYPES = ['off', 'reuse-wallet-password', 'custom-background-password'] as const;

/**
 * How a wallet may sync without its spend key, in the reference's words: not at all; by itself, unlocked again with its own password; or
 * also in a view-only copy next to it, with a separate password.
 */
export type BackgroundSyncType = (typeof BACKGROUND_SYNC_TYPES)[number];

/** Attribute that stores the configured type; the reference's name. */
const SETTING = 'background-sync';
/** The event that sets it. */
export const backgroundSyncSet = (type: BackgroundSyncType): WalletEvent => ({ type: 'AttributeSet', key: SETTING, value: type });

/** Attribute: outputs in the journal may lack key images that the spend key would have made. Empty if none do. */
const IMAGES_MISSING = 'background-sync-images-missing';

/**
 * Syncing with the view key only, with no spend key in memory (wallet2.cpp, start_background_sync). What is found meanwhile is kept in
 * memory, and scanned again if that is lost.
 */
export class BackgroundSync {
  readonly #deps: BackgroundDeps;
  readonly #copy: BackgroundWallet;
  /** Outputs that had no key image when the spend key was forgotten; undefined while it is in memory. */
  #withoutImage: ReadonlySet<OutputKey> | undefined;

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
    this.#copy = new BackgroundWallet(deps);
  }

  /** Whether the spend key is forgotten. */
  get isOn(): boolean {
    return this.#withoutImage !== undefined;
  }

  /** Whether this is a background wallet: the copy of another wallet, without its spend key. */
  get isBackgroundWallet(): boolean {
    return isBackgroundWallet(this.#deps.state);
  }

  /** The configured type. */
  get type(): BackgroundSyncType {
    const setting = this.#deps.state.attributes.get(SETTING);
    return BACKGROUND_SYNC_TYPES.find((type) => type === setting) ?? 'off';
  }

  /**
   * Sets how the wallet may sync without its spend key; stored with the wallet. With a separate password for that, a view-only copy is
   * written next to the wallet as `NAME.background`, replacing an existing one.
   * @param backgroundPassword password of that copy
   * @throws MultisigError `already-multisig`, WalletError `view-only` where there is no whole spend key to forget; StorageError `exists` where
   *   the copy's name is another wallet's, `locked` while the copy is open elsewhere
   */
  async setUp(type: BackgroundSyncType, backgroundPassword = ''): Promise<void> {
    if (type !== 'off') this.#requireSpendKey();
    if (type === 'custom-background-password') await this.#copy.create(backgroundPassword);
    else await this.#copy.remove();
    if (type !== this.type) await this.#deps.writer.append([backgroundSyncSet(type)], 'strict');
  }

  /** Updates the copy that has a separate password, if there is one. */
  async updateCopy(): Promise<void> {
    if (this.type === 'custom-background-password') await this.#copy.update();
  }

  /** Forgets the spend key; the scan continues. @throws MultisigError `already-multisig`, WalletError `view-only` */
  start(): Promise<void> {
    return this.#deps.still(() => this.#start());
  }

  async #start(): Promise<void> {
    const { writer, keys, signer } = this.#deps;
    if (this.isOn) return writer.lock();
    this.#requireSpendKey();
    await writer.append([{ type: 'AttributeSet', key: IMAGES_MISSING, value: '1' }], 'strict');
    this.#withoutImage = new Set(this.#imageless().map(({ key }) => key));
    await writer.lock();
    keys.forgetSpendKey();
    signer?.forget();
  }

  /**
   * Restores the spend key. Blocks since the first output found meanwhile are scanned again, because it may be spent already.
   * @throws StorageError `wrong-password`; WalletError `view-only`
   */
  stop(password: string): Promise<void> {
    return this.#deps.still(() => this.#stop(password));
  }

  async #stop(password: string): Promise<void> {
    const { journal, writer, keys, signer } = this.#deps;
    await writer.unlock(password);
    const before = this.#withoutImage;
    if (before === undefined) return;
    const { spendKey } = journal.secrets;
    if (spendKey === undefined) throw new WalletError('view-only', 'expected a wallet that holds its spend key');
    await this.#scanAgain(this.#imageless().filter(({ key }) => !before.has(key)));
    keys.recallSpendKey(spendKey);
    signer?.recall(spendKey);
    this.#withoutImage = undefined;
  }

  /** Called when a wallet is opened: if the process ended during background sync, its blocks are scanned again (T16). @internal */
  async recover(): Promise<void> {
    if ((this.#deps.state.attributes.get(IMAGES_MISSING) ?? '') !== '') await this.#scanAgain(this.#imageless());
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

  /** Rewinds to the first of these outputs, or further back: the blocks are scanned again, with key images and spends. */
  async #scanAgain(outputs: readonly OwnedOutput[]): Promise<void> {
    const events: WalletEvent[] = [{ type: 'AttributeSet', key: IMAGES_MISSING, value: '' }];
    const { writer } = this.#deps;
    const first = outputs.reduce((lowest, output) => Math.min(lowest, output.height), Number.POSITIVE_INFINITY);
    const height = rescanFrom(first, this.#deps);
    if (outputs.length > 0) events.unshift({ type: 'RestoreHeightSet', height });
    await writer.append(events, 'strict');
  }
}

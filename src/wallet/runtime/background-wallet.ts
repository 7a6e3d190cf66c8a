import { bytesToHex, codeOf, hexToBytes } from '../../base/index.ts';
import { NETWORK_OPEN, RESTORE_DATE, RESTORED_FROM } from '../create-wallet.ts';
import type { WalletEnvironment } from '../environment.ts';
import type { Journal } from '../ports.ts';
import type { WalletEvent } from '../state/events.ts';
import { snapshot } from '../state/snapshot.ts';
import type { WalletState } from '../state/state.ts';
import type { Views } from '../views.ts';
import type { StateWriter } from './writer.ts';

/** The wallet that a background wallet is a copy of. */
export interface BackgroundWalletDeps {
  readonly state: WalletState;
  readonly journal: Pick<Journal, 'secrets'>;
  readonly writer: Pick<StateWriter, 'append'>;
  readonly env: Pick<WalletEnvironment, 'store' | 'random'>;
  readonly views: Pick<Views, 'name'>;
}

/** Attribute of a wallet that has a background wallet: hex of the key that encrypts it. Empty when there is none. */
const KEY = 'background-wallet-key';
/** Attribute of a background wallet. */
const IS_BACKGROUND_WALLET = 'background-wallet';

/** Ending of a background wallet's name (wallet2.cpp, BACKGROUND_WALLET_SUFFIX). */
const SUFFIX = '.background';
/** Default label of the first account, in the reference's words. */
const FIRST_LABEL = 'Primary account';

/** Events of the wallet that are copied unchanged. */
const COPIED: ReadonlySet<WalletEvent['type']> = new Set([
  ...(['Synced', 'BlocksVerified', 'KeyImagesImported', 'SpendsLearned', 'LookaheadSet'] as const),
]);
/** Attributes about where the chain is read from. */
const COPIED_ATTRIBUTES: ReadonlySet<string> = new Set([RESTORE_DATE, RESTORED_FROM, NETWORK_OPEN]);

/** The event that makes a wallet the background wallet of another one. */
export const MADE_BACKGROUND_WALLET: WalletEvent = { type: 'AttributeSet', key: IS_BACKGROUND_WALLET, value: '1' };

/** The event by which a wallet knows the key of its background wallet: 32 bytes. */
export const backgroundWalletKeySet = (key: Uint8Array): WalletEvent => keyKept(bytesToHex(key));

const keyKept = (value: string): WalletEvent => ({ type: 'AttributeSet', key: KEY, value });

/** Whether this wallet is the background wallet of another one. */
export const isBackgroundWallet = ({ attributes }: Pick<WalletState, 'attributes'>): boolean =>
  attributes.get(IS_BACKGROUND_WALLET) === '1';

/**
 * A view-only copy of a wallet, stored next to it as `NAME.background` with its own password (wallet2.cpp, write_background_sync_wallet).
 * It has what the chain shows and the key images known by then, but nothing that a person wrote. The wallet keeps the key that encrypts it,
 * so that it can be updated without its password.
 */
export class BackgroundWallet {
  readonly #deps: BackgroundWalletDeps;

  constructor(deps: BackgroundWalletDeps) {
    this.#deps = deps;
  }

  /**
   * Creates it, replacing an existing one.
   * @throws StorageError `exists` where another wallet has its name; `locked`, `bad-name`, `full`
   */
  async create(password: string): Promise<void> {
    const { env, journal, state } = this.#deps;
    await this.remove();
    const key = env.random.bytes(32);
    // Written first: if the process ends in between, the next one still recognises the copy as its own.
    await this.#keepKey(bytesToHex(key));
    const { viewKey, seedLanguage } = journal.secrets;
    const secrets = { spendKey: undefined, viewKey, seedLanguage };
    const copy = await env.store.create(this.#name, password, secrets, [...copyOf(state)], key);
    await copy.close();
  }

  /** Updates it. One that is missing, open elsewhere or another wallet's is left alone. */
  async update(): Promise<void> {
    const copy = await this.#open().catch(() => undefined);
    if (copy === undefined) return;
    try {
      await copy.compact(copyOf(this.#deps.state));
    } finally {
      await copy.close();
    }
  }

  /** Deletes it; another wallet's is left alone. @throws StorageError `locked` while it is open elsewhere */
  async remove(): Promise<void> {
    const copy = await this.#open().catch((error: unknown) => {
      if (codeOf(error) === 'locked') throw error;
      return undefined;
    });
    await copy?.close();
    if (copy !== undefined) await this.#deps.env.store.remove(this.#name);
    await this.#keepKey('');
  }

  get #name(): string {
    return this.#deps.views.name + SUFFIX;
  }

  /** @throws StorageError `not-found`, `locked`, `wrong-password` where another wallet has its name */
  async #open(): Promise<Journal | undefined> {
    const { env, state } = this.#deps;
    const key = state.attributes.get(KEY) ?? '';
    return key === '' ? undefined : env.store.openByKey(this.#name, hexToBytes(key));
  }

  async #keepKey(value: string): Promise<void> {
    const { state, writer } = this.#deps;
    if ((state.attributes.get(KEY) ?? '') !== value) await writer.append([keyKept(value)], 'strict');
  }
}

function* copyOf(state: WalletState): Generator<WalletEvent> {
  for (const event of snapshot(state)) {
    const copied = copiedEvent(event);
    if (copied !== undefined) yield copied;
  }
  yield MADE_BACKGROUND_WALLET;
}

function copiedEvent(event: WalletEvent): WalletEvent | undefined {
  if (event.type === 'Created') return { ...event, wallet: { ...event.wallet, kind: 'view' } };
  if (event.type === 'AccountsSet') return { ...event, accounts: event.accounts.map(unlabelled) };
  if (event.type === 'AttributeSet') return COPIED_ATTRIBUTES.has(event.key) ? event : undefined;
  return COPIED.has(event.type) ? event : undefined;
}

const unlabelled = (labels: readonly string[], account: number): readonly string[] =>
  labels.map((_, index) => (account === 0 && index === 0 ? FIRST_LABEL : ''));

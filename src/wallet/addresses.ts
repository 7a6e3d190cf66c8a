import { equalBytes } from '../base/index.ts';
import { decodeAddress } from '../protocol/index.ts';
import { type AddressDisplay, addressDisplayOf, addressDisplaySet } from './address-display.ts';
import type { AddressView } from './api.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';
import { isWithin, setLookahead } from './lookahead.ts';
import type { Lookahead, SubaddressIndex } from './model.ts';
import { indexKey } from './state/state.ts';

/** A wallet's addresses, and its lookahead. */
export class Addresses {
  readonly #ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'ready' | 'addressOf' | 'append'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'ready' | 'addressOf' | 'append'>) {
    this.#ctx = ctx;
  }

  /** Number of accounts. */
  get accounts(): number {
    return this.#ctx.state.accounts.length;
  }

  /** Number of addresses of an account that were made or used; 0 if there is no such account. */
  count(account: number): number {
    return this.#ctx.state.accounts[account]?.labels.length ?? 0;
  }

  /** The address at an index, whether it was made or not. */
  at(index: SubaddressIndex): string {
    return this.#ctx.addressOf(index);
  }

  /** View of the address at an index, whether it was made or not. */
  view(index: SubaddressIndex): AddressView {
    const { accounts, used } = this.#ctx.state;
    const label = accounts[index.major]?.labels[index.minor] ?? '';
    const display = addressDisplayOf(this.#ctx.state, index);
    return { index, address: this.at(index), label, used: used.has(indexKey(index)), display };
  }

  /**
   * The index of one of this wallet's addresses, within the lookahead; undefined for anybody else's. @throws ProtocolError for a mistyped
   * one
   */
  async indexOf(address: string): Promise<SubaddressIndex | undefined> {
    const { state, keys, ready, find } = this.#ctx;
    const { spendKey, viewKey } = decodeAddress(address, keys.network);
    // A known address is found at once, without waiting for the lookahead of a wallet that was just opened.
    const index = find(spendKey) ?? (await ready().then(() => find(spendKey)));
    const ours = index !== undefined && isWithin(state, index) && equalBytes(keys.addressKeys(index).viewKey, viewKey);
    return ours ? index : undefined;
  }

  /**
   * Makes the next addresses of an account, all or none.
   * @param count 1 or more
   * @throws WalletError `no-such-account`, `addresses-unknown`
   */
  async make(account: number, label: string, count = 1): Promise<readonly [AddressView, ...AddressView[]]> {
    const first = this.count(account);
    if (first === 0) throw new WalletError('no-such-account', 'expected an account that was made', { account });
    const made = { type: 'SubaddressAdded', major: account, label } as const;
    await this.#ctx.append(Array(count).fill(made), 'strict');
    const view = (_: unknown, i: number) => this.view({ major: account, minor: first + i });
    return [view(undefined, 0), ...Array.from({ length: count - 1 }, (_, i) => view(_, i + 1))];
  }

  /** Labels an address that was made; the label of minor 0 is its account's name. @throws WalletError `no-such-account` */
  async label(index: SubaddressIndex, label: string): Promise<void> {
    this.#requireMade(index);
    await this.#ctx.append([{ type: 'Labelled', index, label }], 'strict');
  }

  /**
   * Pins an address that was made to the top of lists, hides it there, or neither. It is stored with the wallet, and receives as before.
   * @throws WalletError `no-such-account`
   */
  async setDisplay(index: SubaddressIndex, display: AddressDisplay): Promise<void> {
    this.#requireMade(index);
    await this.#ctx.append([addressDisplaySet(index, display)], 'strict');
  }

  #requireMade(index: SubaddressIndex): void {
    if (index.minor >= this.count(index.major))
      throw new WalletError('no-such-account', 'expected a subaddress that was made', { ...index });
  }

  /** See {@link setLookahead}. */
  setLookahead(lookahead: Lookahead): Promise<void> {
    return setLookahead(this.#ctx, lookahead);
  }
}

import { asArray, asObject, asText, compareBytes, type JsonValue, parseJson, stringifyJson } from '../base/index.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

/**
 * Tags of accounts as in wallet2 (wallet2.cpp, get_account_tags): an account has one tag or none, a tag has a description, and a tag
 * without accounts is forgotten. Stored as an attribute of the wallet.
 */
export interface AccountTags {
  /** Descriptions by tag, in the order of the tags' bytes. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** Tag of each account; empty for none. */
  readonly tags: readonly string[];
}

/** Attribute in which they are stored. */
export const ACCOUNT_TAGS = 'account-tags';

/** The tags of all accounts, as the wallet has stored them. */
export function accountTags(state: WalletState): AccountTags {
  const text = state.attributes.get(ACCOUNT_TAGS);
  const stored = text === undefined ? { tags: [], descriptions: new Map<string, string>() } : parse(parseJson(text));
  const tags = state.accounts.map((_, account) => stored.tags[account] ?? '');
  const names = [...new Set(tags.filter((tag) => tag !== ''))].sort(byBytes);
  return { tags, descriptions: new Map(names.map((name) => [name, stored.descriptions.get(name) ?? ''])) };
}

/** Tags of accounts and their descriptions: names under which accounts are grouped. */
export class TaggedAccounts {
  readonly #ctx: Pick<WalletContext, 'state' | 'append'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'append'>) {
    this.#ctx = ctx;
  }

  /** The current tags. */
  read(): AccountTags {
    return accountTags(this.#ctx.state);
  }

  /** Sets the tag of accounts, or removes it if `tag` is empty. @throws WalletError `no-such-account`, and then none is changed */
  async tag(accounts: readonly number[], tag: string): Promise<void> {
    const { tags, descriptions } = this.read();
    const missing = accounts.find((account) => account >= tags.length);
    if (missing !== undefined) throw new WalletError('no-such-account', 'expected accounts that were made', { account: missing });
    const changed = tags.map((old, account) => (accounts.includes(account) ? tag : old));
    await this.#ctx.append([accountTagsSet(changed, descriptions)], 'strict');
  }

  /** Sets the description of a tag that an account has. @throws WalletError `not-found` */
  async describe(tag: string, description: string): Promise<void> {
    const { tags, descriptions } = this.read();
    if (!descriptions.has(tag)) throw new WalletError('not-found', 'expected a tag that an account has');
    await this.#ctx.append([accountTagsSet(tags, new Map([...descriptions, [tag, description]]))], 'strict');
  }
}

/** The event that stores all of them. @param tags by account */
export function accountTagsSet(tags: readonly string[], descriptions: ReadonlyMap<string, string>): WalletEvent {
  return { type: 'AttributeSet', key: ACCOUNT_TAGS, value: stringifyJson({ tags, descriptions: [...descriptions] }) };
}

function parse(value: JsonValue): AccountTags {
  const { tags, descriptions } = asObject(value);
  const pairs = asArray(descriptions).map((pair) => {
    const [tag, description] = asArray(pair);
    return [asText(tag), asText(description)] as const;
  });
  return { tags: asArray(tags).map((tag) => asText(tag)), descriptions: new Map(pairs) };
}

const encoder = new TextEncoder();

const byBytes = (a: string, b: string): number => compareBytes(encoder.encode(a), encoder.encode(b));

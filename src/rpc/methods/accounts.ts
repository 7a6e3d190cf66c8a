import * as v from 'valibot';
import { balanceOf, WalletError, type WalletErrorCode } from '../../wallet/index.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { bool, params, result, text, u32, u32s } from '../fields.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';
import { regexMatcher } from '../regex.ts';

export const accountMethods = new MethodGroup('Balances, addresses, accounts');

accountMethods.define({
  name: 'get_accounts',
  summary: 'All accounts, or those of a tag, with their balances.',
  // The reference reads `regexp`, its manual says `regex`.
  params: params({ tag: text(), strict_balances: bool(), regexp: bool(), regex: bool() }),
  result: v.object({
    total_balance: result.u64,
    total_unlocked_balance: result.u64,
    subaddress_accounts: v.array(
      v.object({
        account_index: result.u32,
        base_address: result.text,
        balance: result.u64,
        unlocked_balance: result.u64,
        label: result.text,
        tag: result.text,
      }),
    ),
  }),
  ...READS,
  errors: ['unknown'],
  async handler({ wallet }, { tag, strict_balances, ...by }) {
    const regexp = by.regexp || by.regex;
    const { tags, descriptions } = wallet.accountTags.read();
    if (tag !== '' && !regexp && !descriptions.has(tag)) throw new RpcError('unknown', `Tag ${tag} is unregistered.`);
    const matches = tag === '' ? () => true : regexp ? await regexMatcher(tag) : (own: string) => own === tag;
    const balances = await wallet.balances(strict_balances);
    const accounts = tags.flatMap((own, major) => {
      if (!matches(own)) return [];
      const funds = balances.account(major);
      const { address, label } = wallet.addresses.view({ major, minor: 0 });
      return [
        {
          account_index: major,
          base_address: address,
          balance: balanceOf(funds),
          unlocked_balance: funds.unlocked,
          label,
          tag: own,
        },
      ];
    });
    if (accounts.length === 0 && regexp) throw new RpcError('unknown', `No matches for regex filter ${tag} .`);
    return {
      total_balance: accounts.reduce((sum, account) => sum + account.balance, 0n),
      total_unlocked_balance: accounts.reduce((sum, account) => sum + account.unlocked_balance, 0n),
      subaddress_accounts: accounts,
    };
  },
});

accountMethods.define({
  name: 'create_account',
  summary: 'A new account.',
  params: params({ label: text() }),
  result: v.object({ account_index: result.u32, address: result.text }),
  ...WRITES,
  async handler({ wallet }, { label }) {
    const { account, address } = await wallet.addAccount(label);
    return { account_index: account, address };
  },
});

accountMethods.define({
  name: 'label_account',
  summary: 'Names an account.',
  params: params({ account_index: u32(), label: text() }),
  ...WRITES,
  errors: ['accountOutOfBounds'],
  async handler({ wallet }, { account_index, label }) {
    await wallet.addresses.label({ major: account_index, minor: 0 }, label);
  },
});

accountMethods.define({
  name: 'get_account_tags',
  summary: 'All tags, what they mean and the accounts that have them.',
  result: v.object({
    account_tags: v.array(v.object({ tag: result.text, label: result.text, accounts: v.array(result.u32) })),
  }),
  ...READS,
  handler({ wallet }) {
    const { tags, descriptions } = wallet.accountTags.read();
    return {
      account_tags: [...descriptions].map(([tag, label]) => ({
        tag,
        label,
        accounts: tags.flatMap((own, account) => (own === tag ? [account] : [])),
      })),
    };
  },
});

accountMethods.define({
  name: 'tag_accounts',
  summary: 'Gives accounts a tag.',
  params: params({ tag: text(), accounts: u32s() }),
  ...WRITES,
  errors: ['unknown'],
  async handler({ wallet }, { tag, accounts }) {
    await tagging(() => wallet.accountTags.tag(accounts, tag));
  },
});

accountMethods.define({
  name: 'untag_accounts',
  summary: 'Takes the tag from accounts.',
  params: params({ accounts: u32s() }),
  ...WRITES,
  errors: ['unknown'],
  async handler({ wallet }, { accounts }) {
    await tagging(() => wallet.accountTags.tag(accounts, ''));
  },
});

accountMethods.define({
  name: 'set_account_tag_description',
  summary: 'Describes a tag.',
  params: params({ tag: text(), description: text() }),
  ...WRITES,
  errors: ['unknown'],
  async handler({ wallet }, { tag, description }) {
    if (tag === '') throw new RpcError('unknown', 'Tag must not be empty');
    await tagging(() => wallet.accountTags.describe(tag, description));
  },
});

/** The reference's messages about tags. */
const TAG_WORDS: Partial<Record<WalletErrorCode, string>> = {
  'no-such-account': 'Account index out of bound',
  'not-found': 'Tag is unregistered',
};

const tagging = (work: () => Promise<void>): Promise<void> =>
  withErrorsMapped(work, (error) => {
    const description = error instanceof WalletError ? TAG_WORDS[error.code] : undefined;
    return description === undefined ? undefined : new RpcError('unknown', description);
  });

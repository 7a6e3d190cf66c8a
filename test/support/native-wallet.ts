import { callRpc, RpcFailure } from './rpc.ts';
import { type Comparable, comparable, without } from './rpc-both.ts';

// A wallet of the reference with every kind of data that people enter, and the requests to compare it between two programs.

/** The data put into a wallet. */
export interface Furniture {
  readonly accounts: number;
  /** Addresses of all accounts together, excluding the first of each. */
  readonly subaddresses: number;
}

/** Unrelated mainnet addresses for the address book: standard and integrated. */
const OTHERS = {
  standard: '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
  paymentId: '0123456789abcdef',
};
const NOTED = ['ab'.repeat(32), 'cd'.repeat(32)];
const MOST_AT_ONCE = 64;

type Call = (method: string, params?: unknown) => Promise<Record<string, unknown>>;

/** Creates accounts, addresses, labels, tags, notes, contacts and attributes with the service's methods. */
export async function furnish(url: string, { accounts, subaddresses }: Furniture): Promise<void> {
  const call: Call = (method, params) => callRpc(url, method, params);
  for (let i = 1; i < accounts; i++) await call('create_account', { label: i % 3 === 0 ? '' : `account ${i} ✓` });
  await addAddresses(call, accounts, subaddresses);
  await call('label_address', { index: { major: 1, minor: 2 }, label: 'ünïcode "quoted" \\ label' });
  await call('tag_accounts', { tag: 'shop', accounts: [0, 2] });
  await call('tag_accounts', { tag: 'häus', accounts: [1] });
  await call('set_account_tag_description', { tag: 'shop', description: 'what comes in from the shop' });
  await call('set_tx_notes', { txids: NOTED, notes: ['a note ✓', 'another\nline'] });
  await call('add_address_book', { address: OTHERS.standard, description: 'somebody' });
  const { integrated_address: integrated } = await call('make_integrated_address', {
    standard_address: OTHERS.standard,
    payment_id: OTHERS.paymentId,
  });
  await call('add_address_book', { address: integrated, description: 'by order ✓' });
  const { address: own } = await call('get_address', { account_index: 1, address_index: [0] });
  await call('add_address_book', { address: own, description: '' });
  await call('set_attribute', { key: 'wallet2.description', value: 'the wallet of the shop' });
  await call('set_attribute', { key: 'ключ', value: '{"a":1}' });
}

async function addAddresses(call: Call, accounts: number, subaddresses: number): Promise<void> {
  for (let account = 0, left = subaddresses; account < accounts; account++) {
    // Each account gets a different number of them, the last one the rest.
    let wanted = account === accounts - 1 ? left : Math.floor((left / (accounts - account)) * (account % 2 === 0 ? 1.2 : 0.7));
    left -= wanted;
    for (; wanted > 0; wanted -= MOST_AT_ONCE) {
      const count = Math.min(wanted, MOST_AT_ONCE);
      await call('create_address', { account_index: account, count, label: `batch of ${count}` });
    }
  }
}

/** A service's answer to a request, in a comparable form; an error by its code and message. */
export async function answerOf(url: string, method: string, params: unknown = {}): Promise<Comparable> {
  try {
    return comparable(await callRpc(url, method, params));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { code: String(error.code), message: error.message };
  }
}

/** All of a service's answers about the data that {@link furnish} created, and about the next addresses, which it then creates. */
export async function tellAll(url: string, accounts: number): Promise<Record<string, Comparable>> {
  const told: Record<string, Comparable> = {};
  const ask = async (method: string, params: unknown = {}, name = method) => {
    told[name] = await answerOf(url, method, params);
  };
  for (let account = 0; account < accounts; account++) {
    await ask('get_address', { account_index: account }, `addresses of ${account}`);
  }
  told.accounts = await accountsOf(url);
  await ask('get_account_tags');
  await ask('get_tx_notes', { txids: NOTED });
  // Ours also returns the payment id of an integrated address.
  told.get_address_book = without(await answerOf(url, 'get_address_book'), ['payment_id']);
  await ask('get_attribute', { key: 'wallet2.description' });
  await ask('get_attribute', { key: 'ключ' }, 'second attribute');
  await ask('query_key', { key_type: 'mnemonic' });
  for (let account = 0; account < accounts; account++) {
    await ask('create_address', { account_index: account, label: 'the next' }, `next of ${account}`);
  }
  await ask('create_account', { label: 'one more' });
  return told;
}

/** The parts of `get_accounts` that no scan changes: labels, tags and addresses. */
async function accountsOf(url: string): Promise<Comparable> {
  const { subaddress_accounts: accounts } = await callRpc<{ subaddress_accounts: Record<string, unknown>[] }>(
    url,
    'get_accounts',
    {},
  );
  return comparable(accounts.map(({ account_index, base_address, label, tag }) => ({ account_index, base_address, label, tag })));
}

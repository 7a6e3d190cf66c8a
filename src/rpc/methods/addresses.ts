import * as v from 'valibot';
import { bytesToHex } from '../../base/index.ts';
import { type Address, type Network, readAddress } from '../../protocol/index.ts';
import { balanceOf, type Funds, type SubaddressIndex, type Wallet, withPaymentId } from '../../wallet/index.ts';
import { notOpen, RpcError } from '../errors.ts';
import { bool, params, result, subaddressIndex, subaddressIndexParam, text, u32, u32s } from '../fields.ts';
import { isHex } from '../hex-params.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';

export const addressMethods = new MethodGroup('Balances, addresses, accounts');

/** Most addresses made by one call. */
const MAX_NEW_ADDRESSES = 65_536;
const SHORT_PAYMENT_ID = 8;

/** Most indices of one balance query: each may be of an address that was never made, which takes a curve point. */
const MOST_BALANCES = 1000;

/** Schema of the funds of an address, an account or the wallet. */
const funds = { balance: result.u64, unlocked_balance: result.u64, blocks_to_unlock: result.u32, time_to_unlock: result.u64 };

const shownFunds = (own: Funds) => ({
  balance: balanceOf(own),
  unlocked_balance: own.unlocked,
  blocks_to_unlock: own.blocksToUnlock,
  time_to_unlock: own.timeToUnlock,
});

addressMethods.define({
  name: 'get_balance',
  aliases: ['getbalance'],
  summary: 'The balance of an account or of all, in sum and by subaddress.',
  params: params({ account_index: u32(), address_indices: u32s(MOST_BALANCES), all_accounts: bool(), strict: bool() }),
  result: v.object({
    ...funds,
    multisig_import_needed: result.bool,
    per_subaddress: v.array(
      v.object({
        ...funds,
        account_index: result.u32,
        address_index: result.u32,
        address: result.text,
        label: result.text,
        num_unspent_outputs: result.u32,
      }),
    ),
  }),
  ...READS,
  async handler({ wallet }, { account_index, address_indices, all_accounts, strict }) {
    const balances = await wallet.balances(strict);
    const total = all_accounts ? balances.all() : balances.account(account_index);
    const majors = all_accounts ? Array(wallet.addresses.accounts).keys() : [account_index];
    const per_subaddress = [...majors].flatMap((major) => {
      const hasSelection = !all_accounts && address_indices.length > 0;
      const minors = hasSelection ? [...new Set(address_indices)].sort((a, b) => a - b) : balances.minors(major);
      return minors.map((minor) => {
        const own = balances.subaddress({ major, minor });
        const { address, label } = wallet.addresses.view({ major, minor });
        const index = { account_index: major, address_index: minor };
        return { ...index, address, label, num_unspent_outputs: own.unspentOutputs, ...shownFunds(own) };
      });
    });
    return { ...shownFunds(total), multisig_import_needed: wallet.cosigning.importNeeded, per_subaddress };
  },
});

addressMethods.define({
  name: 'get_address',
  aliases: ['getaddress'],
  summary: 'Addresses of an account, all or those asked for.',
  params: params({ account_index: u32(), address_index: u32s() }),
  result: v.object({
    address: result.text,
    addresses: v.array(v.object({ address: result.text, label: result.text, address_index: result.u32, used: result.bool })),
  }),
  ...READS,
  errors: ['accountOutOfBounds', 'addressOutOfBounds'],
  handler({ wallet }, { account_index: major, address_index }) {
    const count = requireAccount(wallet, major);
    const minors = address_index.length > 0 ? address_index : [...Array(count).keys()];
    const addresses = minors.map((minor) => {
      requireSubaddress(wallet, { major, minor });
      const { address, label, used } = wallet.addresses.view({ major, minor });
      return { address, label, address_index: minor, used };
    });
    return { address: wallet.addresses.at({ major, minor: 0 }), addresses };
  },
});

addressMethods.define({
  name: 'get_address_index',
  summary: 'Which account and subaddress an address of this wallet is.',
  params: params({ address: text() }),
  result: v.object({ index: subaddressIndex }),
  ...READS,
  errors: ['wrongAddress'],
  async handler({ wallet }, { address }) {
    requireAddress(address, wallet.description.network);
    const index = await wallet.addresses.indexOf(address);
    if (index === undefined) throw new RpcError('wrongAddress', "Address doesn't belong to the wallet");
    return { index };
  },
});

addressMethods.define({
  name: 'set_subaddress_lookahead',
  summary: 'How many accounts, and addresses in each, are watched beyond the last one made or used.',
  params: params({ password: text(), major_idx: u32(), minor_idx: u32() }),
  ...WRITES,
  errors: ['invalidPassword', 'unknown'],
  async handler({ wallet }, { password, major_idx: major, minor_idx: minor }) {
    await wallet.checkPassword(password);
    for (const [name, value] of Object.entries({ major, minor }))
      if (value === 0) throw new RpcError('unknown', `Subaddress ${name} lookahead may not be zero`);
    await wallet.addresses.setLookahead({ major, minor });
  },
});

addressMethods.define({
  name: 'create_address',
  summary: 'New subaddresses of an account.',
  params: params({ account_index: u32(), count: u32(1), label: text() }),
  result: v.object({
    address: result.text,
    address_index: result.u32,
    addresses: v.array(result.text),
    address_indices: v.array(result.u32),
  }),
  ...WRITES,
  errors: ['unknown', 'accountOutOfBounds'],
  async handler({ wallet }, { account_index: major, count, label }) {
    if (count < 1 || count > MAX_NEW_ADDRESSES)
      throw new RpcError('unknown', `Count must be between 1 and ${MAX_NEW_ADDRESSES}.`);
    requireAccount(wallet, major);
    const made = await wallet.addresses.make(major, label, count);
    const [{ address, index }] = made;
    const address_indices = made.map((one) => one.index.minor);
    return { address, address_index: index.minor, addresses: made.map((one) => one.address), address_indices };
  },
});

addressMethods.define({
  name: 'label_address',
  summary: 'Names a subaddress.',
  params: params({ index: subaddressIndexParam(), label: text() }),
  ...WRITES,
  errors: ['accountOutOfBounds', 'addressOutOfBounds'],
  async handler({ wallet }, { index, label }) {
    requireSubaddress(wallet, index);
    await wallet.addresses.label(index, label);
  },
});

/** Number of addresses of an account. @throws RpcError `accountOutOfBounds` */
function requireAccount(wallet: Wallet, major: number): number {
  const count = wallet.addresses.count(major);
  if (count === 0) throw new RpcError('accountOutOfBounds', 'account index is out of bound');
  return count;
}

/** @throws RpcError `accountOutOfBounds`, `addressOutOfBounds` */
function requireSubaddress(wallet: Wallet, { major, minor }: SubaddressIndex): void {
  if (minor >= requireAccount(wallet, major)) throw new RpcError('addressOutOfBounds', 'address index is out of bound');
}

/** Networks in the order in which the reference tries them. */
const NETWORKS: readonly Network[] = ['mainnet', 'testnet', 'stagenet'];

addressMethods.define({
  name: 'validate_address',
  summary: 'Whether a text is an address, and of what kind.',
  params: params({ address: text(), any_net_type: bool(), allow_openalias: bool() }),
  result: v.object({
    valid: result.bool,
    integrated: result.bool,
    subaddress: result.bool,
    nettype: result.text,
    openalias_address: result.text,
  }),
  ...READS,
  needs: 'nothing',
  errors: ['notOpen'],
  async handler({ host }, { address, any_net_type, allow_openalias }) {
    if (!any_net_type && host.wallet === undefined) throw notOpen();
    const own = host.wallet?.description.network ?? host.network;
    const networks = any_net_type ? NETWORKS : [own];
    const known = addressOfAny(address, networks);
    if (known !== undefined) return validity(known, '');
    const alias = allow_openalias && address.includes('.') ? (await host.resolveAlias?.(address))?.address : undefined;
    const behind = alias === undefined ? undefined : addressOfAny(alias, networks);
    if (behind !== undefined) return validity(behind, alias ?? '');
    return { valid: false, integrated: false, subaddress: false, nettype: '', openalias_address: '' };
  },
});

function addressOfAny(text: string, networks: readonly Network[]): Address | undefined {
  for (const network of networks) {
    const address = readAddress(text, network);
    if (address !== undefined) return address;
  }
  return undefined;
}

function validity({ kind, network }: Address, openalias_address: string) {
  return {
    valid: true,
    integrated: kind === 'integrated',
    subaddress: kind === 'subaddress',
    // The reference has no name for regtest, whose addresses are those of mainnet.
    nettype: network === 'regtest' ? 'mainnet' : network,
    openalias_address,
  };
}

/** @throws RpcError `wrongAddress` */
export function requireAddress(text: string, network: Network): Address {
  const address = readAddress(text, network);
  if (address === undefined) throw new RpcError('wrongAddress', 'Invalid address');
  return address;
}

addressMethods.define({
  name: 'make_integrated_address',
  summary: "An address with a payment id in it, of this wallet's primary address or of another.",
  params: params({ standard_address: text(), payment_id: text() }),
  result: v.object({ integrated_address: result.text, payment_id: result.text }),
  ...READS,
  errors: ['wrongPaymentId', 'wrongAddress'],
  handler({ host, wallet }, { standard_address, payment_id }) {
    const { network, primaryAddress } = wallet.description;
    if (payment_id !== '' && !isHex(payment_id, SHORT_PAYMENT_ID)) throw new RpcError('wrongPaymentId', 'Invalid payment ID');
    const paymentId = payment_id === '' ? bytesToHex(host.random.bytes(SHORT_PAYMENT_ID)) : payment_id.toLowerCase();
    if (standard_address !== '') requireStandard(standard_address, network);
    return { integrated_address: withPaymentId(standard_address || primaryAddress, paymentId), payment_id: paymentId };
  },
});

function requireStandard(text: string, network: Network): void {
  const address = requireAddress(text, network);
  if (address.kind === 'subaddress') throw new RpcError('wrongAddress', "Subaddress shouldn't be used");
  if (address.kind === 'integrated') throw new RpcError('wrongAddress', 'Already integrated address');
}

addressMethods.define({
  name: 'split_integrated_address',
  summary: 'The address and the payment id that an integrated address is made of.',
  params: params({ integrated_address: text() }),
  result: v.object({ standard_address: result.text, payment_id: result.text, is_subaddress: result.bool }),
  ...READS,
  errors: ['wrongAddress'],
  handler({ wallet }, { integrated_address }) {
    const { paymentId } = requireAddress(integrated_address, wallet.description.network);
    if (paymentId === undefined) throw new RpcError('wrongAddress', 'Address is not an integrated address');
    const standard_address = withPaymentId(integrated_address, '');
    return { standard_address, payment_id: bytesToHex(paymentId), is_subaddress: false };
  },
});

import type { SubaddressIndex } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { accountName, addressName } from '../services/addresses.ts';
import { wallet } from './wallet.svelte.ts';

/**
 * Tells which address of the open wallet this is; undefined if it is not one of them. Makes no request.
 * @throws ProtocolError when it is mistyped
 */
export async function ownAddressText(address: string): Promise<string | undefined> {
  const index = await wallet.api.addresses.indexOf(address);
  return index && (await textOf(index));
}

/** A watched address may be beyond the created ones, even in an account that does not exist yet. */
async function textOf({ major, minor }: SubaddressIndex): Promise<string> {
  const account = wallet.view?.accounts[major];
  const made = account === undefined ? [] : await wallet.api.subaddresses(major);
  const label = minor === 0 ? '' : (made.find(({ index }) => index.minor === minor)?.label ?? '');
  return m.own_yes({
    address: m.quoted({ text: addressName(minor, label) }),
    account: m.quoted({ text: accountName({ account: major, label: account?.label ?? '' }) }),
  });
}

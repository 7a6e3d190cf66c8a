import { RpcError } from '../errors.ts';
import { NO_RESULT, params, u64 } from '../fields.ts';
import { defineMethod, group } from '../method.ts';

const deleteAddressBook = defineMethod({
  name: 'delete_address_book',
  summary: 'Takes an entry out of the address book; those behind it move up.',
  params: params({ index: u64() }),
  result: NO_RESULT,
  needs: 'wallet',
  restricted: 'denied',
  access: 'write',
  errors: ['wrongIndex'],
  async handler({ wallet }, { index }) {
    const id = [...wallet.state.contacts.keys()][Number(index)];
    if (id === undefined) throw new RpcError('wrongIndex', `Index out of range: ${index}`);
    await wallet.room.append([{ type: 'ContactSet', id, contact: undefined }], 'strict');
    return {};
  },
});

export const uriAndContactMethods = group('Payment URIs and address book', [deleteAddressBook]);

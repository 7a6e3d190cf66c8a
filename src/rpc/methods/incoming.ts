import * as v from 'valibot';
import { RpcError } from '../errors.ts';
import { NO_RESULT, params, result, text } from '../fields.ts';
import { defineMethod, group } from '../method.ts';

/** Attributes set by clients have names of their own beside those the wallet keeps for itself. */
const clientKey = (key: string): string => `rpc:${key}`;

const setAttribute = defineMethod({
  name: 'set_attribute',
  summary: 'Keeps a text under a name, with the wallet.',
  params: params({ key: text(), value: text() }),
  result: NO_RESULT,
  needs: 'wallet',
  restricted: 'denied',
  access: 'write',
  errors: [],
  async handler({ wallet }, { key, value }) {
    await wallet.room.append([{ type: 'AttributeSet', key: clientKey(key), value }], 'strict');
    return {};
  },
});

const getAttribute = defineMethod({
  name: 'get_attribute',
  summary: 'The text kept under a name.',
  params: params({ key: text() }),
  result: v.object({ value: result.text }),
  needs: 'wallet',
  restricted: 'denied',
  access: 'read',
  errors: ['attributeNotFound'],
  handler({ wallet }, { key }) {
    const value = wallet.state.attributes.get(clientKey(key));
    if (value === undefined) throw new RpcError('attributeNotFound', 'Attribute not found.');
    return { value };
  },
});

export const incomingMethods = group('Incoming funds and history', [setAttribute, getAttribute]);

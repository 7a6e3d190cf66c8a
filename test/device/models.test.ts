import { describe, expect, test } from 'vitest';
import { nameOfDevice, recipientsAtOnce } from '../../src/device/models.ts';
import { isDeviceName } from '../../src/device/transport/by-name.ts';

describe('models', () => {
  test.each([
    ['Nano S', 0x1011, 'Nano S', undefined],
    [undefined, 0x0005, 'Nano S Plus', undefined],
    ['Nano X', 0x0004, 'Nano X', undefined],
    ['Stax', 0x0006, 'Stax', 3],
    ['Ledger Flex', 0x7011, 'Ledger Flex', 3],
    ['', 0x0008, 'Apex P', 3],
    ['Ledger', 0x6000, 'Ledger (Stax)', 3],
    [undefined, undefined, 'Ledger', undefined],
    ['Flexible display', 0x0004, 'Flexible display', undefined],
  ])('%s with product id %s is called %s', (product, id, name, holds) => {
    expect(nameOfDevice(product, id)).toBe(name);
    expect(recipientsAtOnce(nameOfDevice(product, id))).toBe(holds);
  });

  test('behind a socket the name tells what the socket does not', () => {
    for (const name of ['Ledger', 'Ledger:tcp://127.0.0.1:9999', 'Ledger:tcp://[::1]:9999/stax', 'Ledger:tcp://host:65535/flex'])
      expect(isDeviceName(name), name).toBe(true);
    for (const name of [
      'ledger',
      'Ledger:tcp://127.0.0.1',
      'Ledger:tcp://127.0.0.1:9/nano',
      'Ledger:tcp://h:1/stax/',
      'Ledger:tcp://h:65536',
    ])
      expect(isDeviceName(name), name).toBe(false);
  });
});

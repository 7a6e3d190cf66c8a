import { expect, it } from 'vitest';
import { isPin } from '../../src/app/services/pin.ts';

it('a PIN is six digits at least, and none that everybody tries first', () => {
  for (const pin of ['480215', '112233', '90125678']) expect(isPin(pin), pin).toBe(true);
  for (const text of ['', '12345', '111111', '123456', '987654', '48021a', '４８０２１５', ' 480215'])
    expect(isPin(text), text).toBe(false);
});

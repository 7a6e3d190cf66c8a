import { describe, expect, it } from 'vitest';
import { holdsKey, mayBeSecret, possibleSeed } from '../../src/app/services/secret-text.ts';

const ADDRESS = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const TWELVE = 'river often below cactus mango tulip window garden pencil rocket silver orange';

describe('text of a field for something else', () => {
  it('may be a seed from twelve words on, however they are separated or numbered', () => {
    expect(possibleSeed(TWELVE)).toBe(TWELVE);
    expect(possibleSeed(TWELVE.replaceAll(' ', ',\n'))).toBe(TWELVE);
    expect(possibleSeed(`1. ${TWELVE}`)).toBe(TWELVE);
    for (const text of ['', TWELVE.slice(6), `${TWELVE} 2026`, `Dear all: ${TWELVE}.`])
      expect(possibleSeed(text), text).toBeUndefined();
  });

  it('is not kept as an address from the first few words on, and if it has a key; addresses, requests and names are', () => {
    for (const text of ['river often below', 'ab'.repeat(32)]) expect(mayBeSecret(text), text).toBe(true);
    for (const text of [ADDRESS, ` ${ADDRESS}\n`, `monero:${ADDRESS}?tx_amount=1`, 'ana@example.org', ''])
      expect(mayBeSecret(text), text).toBe(false);
    expect(holdsKey(`${'AB'.repeat(31)}a`)).toBe(false);
  });
});

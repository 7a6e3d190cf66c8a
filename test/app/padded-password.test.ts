import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paddedPassword, passwordIn } from '../../src/app/services/padded-password.ts';

it('a padded password is read back, and passwords of up to 127 bytes have one length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (password) => {
      const padded = paddedPassword(password);
      expect(passwordIn(padded)).toBe(password);
      expect(padded.length % 128).toBe(0);
    }),
  );
  for (const password of ['', 'a', 'a'.repeat(127)]) expect(paddedPassword(password).length).toBe(128);
  // The last byte of this letter is the end mark.
  expect(passwordIn(paddedPassword('À'))).toBe('À');
});

it('what was sealed without padding is read, too, whatever its last byte', () => {
  // The second ends with the byte of the end mark.
  for (const password of ['correct horse', '비밀번호가', 'a'.repeat(128)]) {
    expect(passwordIn(new TextEncoder().encode(password))).toBe(password);
  }
});

import { describe, expect, it } from 'vitest';
import { isCommonPassword } from '../../src/app/services/password.ts';

describe('passwords that anybody would try first', () => {
  it.each([
    ...['password', 'PASSWORD', 'Passw0rd!', 'p@$$w0rd', '123password', 'passwordpassword', 'iloveyou2024'],
    ...['12345678', '87654321', '19840612', '0123456789', 'aaaaaaaaaa', 'abababab', 'abcdefgh', 'qwertyuiop1', 'asdfghjkl!'],
    ...['monero123', 'Nightjar1', 'letmein!!', 'correcthorsebatterystaple'],
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    ...['correct horse battery', 'another long one', 'Xk3!mqz9', 'gravel-teapot-sunday', 'wintergreen-lantern'],
    ...['passwordless gardening', '5 owls in the barn', 'Zß∂ƒ©˙∆˚'],
  ])('and none of them: %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});

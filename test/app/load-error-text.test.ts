import { expect, it, vi } from 'vitest';
import { RemoteError } from '../../workers/wire.ts';

// The words of errors are fetched when one is to be said.

vi.hoisted(() => vi.stubGlobal('self', globalThis));

const { loadErrorText } = await import('../../src/app/services/load-error-text.ts');
const { language } = await import('../../src/app/language/language.svelte.ts');
const { m } = await import('../../src/app/language/messages.ts');

const error = new RemoteError({ room: 'WalletError', code: 'wrong-password', message: '', data: undefined });

it('an error is said in its own words', async () => {
  expect(await loadErrorText(error)).toBe(m.err_wrong_password());
});

it('where the words cannot be fetched, that is said', async () => {
  vi.spyOn(language, 'whole').mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await loadErrorText(error)).toBe(m.err_part());
});

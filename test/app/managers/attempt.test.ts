import { expect, it, vi } from 'vitest';
import { RemoteError } from '../../../workers/wire.ts';

// What a page has and Node has not: the worker's client looks for it when it is loaded.
vi.hoisted(() => vi.stubGlobal('self', globalThis));

const { Attempt } = await import('../../../src/app/managers/attempt.svelte.ts');
const { FormRequest } = await import('../../../src/app/managers/form-request.svelte.ts');

/** Work that ends when it is told to. */
function held<T>(): { readonly promise: Promise<T>; readonly give: (value: T) => void; readonly fail: () => void } {
  let give: (value: T) => void = () => undefined;
  let fail: () => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    give = resolve;
    fail = () =>
      reject(new RemoteError({ room: 'page', code: 'wrong-password', message: 'as the engine says it', data: undefined }));
  });
  return { promise, give, fail };
}

it('an answer that comes once a field was changed is no answer to what stands there now', async () => {
  const request = new FormRequest<string>();
  const { promise, give } = held<string>();
  const asking = request.ask([], () => promise);
  request.changed();
  give('a good signature');
  await asking;
  expect([request.answer, request.busy]).toEqual([undefined, false]);
  await request.ask([], async () => 'of what stands there');
  expect(request.answer).toBe('of what stands there');
});

it('a failure that comes once its question was closed is not said at the next one, and what was to follow knows', async () => {
  const attempt = new Attempt();
  const { promise, fail } = held<void>();
  let waited: boolean | undefined;
  const running = attempt.run(async (wanted) => {
    await promise.finally(() => (waited = wanted()));
  });
  attempt.forget();
  fail();
  await running;
  expect([waited, attempt.problem, attempt.code, attempt.busy]).toEqual([false, undefined, undefined, false]);
});

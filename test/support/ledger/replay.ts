import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { scalarMulAdd } from '../../../src/crypto/index.ts';
import { MoneroApp } from './app.ts';
import { RecordedChance } from './chance.ts';
import type { Trace } from './traces.ts';

/** The result of replaying a trace against the double. */
export interface Replayed {
  /** Replies that the double reproduced exactly. */
  readonly predicted: number;
  /** Statuses other than 9000, which it also reproduced. */
  readonly refusals: number;
  /** Requests after which the device was gone, also for the double. */
  readonly gone: number;
  readonly app: MoneroApp;
}

/** Gives the double each recorded request, with the real app's random values. @throws Error at the first difference */
export async function replay({ name, app: version, account, exchanges }: Trace): Promise<Replayed> {
  const chance = new RecordedChance();
  let accepts = true;
  const isOther = !/^\d/.test(version);
  const app = new MoneroApp({
    ...{ chance, account, version: isOther ? '2.2.0' : version, owner: () => accepts },
    ...(isOther ? { other: 'Boilerplate' } : {}),
  });
  let [predicted, refusals, gone] = [0, 0, 0];
  for (const [i, [request, reply, status]] of exchanges.entries()) {
    const apdu = hexToBytes(request);
    // The app was closed by hand, or is reopened.
    if (status === null && app.alive) app.alive = false;
    if (i > 0 && exchanges[i - 1]![2] === null && status !== null) app.reopen();
    if (status !== null && !app.alive) throw new Error(`${name} ${i + 1}: the double is gone`);
    accepts = status !== '6982';
    chance.recorded = hexToBytes(reply ?? '');
    chance.scalars = drawn(app, apdu, chance.recorded);
    const answer = await app.answer(apdu);
    if (status === null) {
      if (answer !== undefined) throw new Error(`${name} ${i + 1}: the double answers`);
      gone += 1;
      continue;
    }
    const found = answer && bytesToHex(answer);
    if (found !== reply + status)
      throw new Error(`${name} ${i + 1}: ${request.slice(0, 12)} expected ${reply}${status}, got ${found}`);
    if (status === '9000') predicted += 1;
    else refusals += 1;
  }
  return { predicted, refusals, gone, app };
}

/** The app's random values for a request, taken from its reply. */
function drawn({ seal, keys }: MoneroApp, apdu: Uint8Array, reply: Uint8Array): Uint8Array[] {
  const instruction = apdu[1];
  if (reply.length < 64) return [];
  if (instruction === 0x40 || instruction === 0x70) return [seal.open(reply.slice(32, 64))];
  if (instruction === 0x7f && apdu[2] === 1) return [seal.open(reply.slice(0, 32))];
  if (instruction !== 0xa0) return [];
  const sealed = apdu.slice(6 + 160, 6 + 192);
  const r = sealed.every((byte) => byte === 0) ? keys.viewKey : seal.open(sealed);
  return [scalarMulAdd(reply.slice(0, 32), r, reply.slice(32, 64))];
}

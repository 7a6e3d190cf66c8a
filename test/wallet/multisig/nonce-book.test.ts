import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../src/base/index.ts';
import { loadCrypto, type Random, systemRandom } from '../../../src/crypto/index.ts';
import type { OutputKey } from '../../../src/protocol/index.ts';
import {
  applyCosigningEvent,
  type CosigningEvent,
  type CosigningState,
  cosigningEvents,
  NO_COSIGNING,
} from '../../../src/wallet/multisig/cosigning-state.ts';
import { NonceBook } from '../../../src/wallet/multisig/nonce-book.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { readyGroup } from './support.ts';

const KEYS = ['a', 'b', 'c'].map((digit) => digit.repeat(64) as OutputKey);

/** A journal and its mark, which a test may bring back to what they were. */
class Place {
  events: CosigningEvent[] = [];
  mark: string | undefined;
  /** Nothing is written any more: the power is gone. */
  dead: 'append' | 'mark' | undefined;

  book(random: Random = systemRandom): NonceBook {
    const place = this;
    const append = async (events: readonly WalletEvent[]) => {
      if (place.dead === 'append') throw new Error('no power');
      place.events.push(...(events as CosigningEvent[]));
    };
    const setMark = async (mark: string) => {
      if (place.dead === 'mark') throw new Error('no power');
      place.mark = mark;
    };
    const state = {
      get cosigning(): CosigningState {
        return place.events.reduce(applyCosigningEvent, NO_COSIGNING);
      },
    };
    return new NonceBook({ state, random, append, journal: { mark: async () => place.mark, setMark } } as never);
  }

  async known(): Promise<(string | undefined)[]> {
    const store = await this.book().store();
    return KEYS.map((key) => store.seedOf(key)).map((seed) => seed && bytesToHex(seed));
  }
}

async function drawn(): Promise<{ place: Place; seed: string }> {
  await loadCrypto();
  const place = new Place();
  const [account] = readyGroup(2, 2);
  return { place, seed: bytesToHex(await place.book().draw(account!, KEYS.slice(0, 2))) };
}

describe('T16 nonces of a group', () => {
  it('are known after the wallet was opened again, for the outputs that were told of', async () => {
    const { place, seed } = await drawn();
    expect(await place.known()).toEqual([seed, seed, undefined]);
  });

  it('T19 differ from those of the export before, also where randomness repeats', async () => {
    const { place } = await drawn();
    const [account] = readyGroup(2, 2);
    let draws = 0;
    const repeating: Random = {
      bytes(n) {
        draws += 1;
        return new Uint8Array(n).map((_, i) => ((draws % 2) + i * 37) & 0xff);
      },
    };
    const seeds = new Set<string>();
    for (let i = 0; i < 3; i++) seeds.add(bytesToHex(await place.book(repeating).draw(account!, KEYS)));
    expect(seeds.size).toBe(3);
  });

  it('are gone once used, and stay gone', async () => {
    const { place, seed } = await drawn();
    await (await place.book().store()).use([KEYS[0]!]);
    expect(await place.known()).toEqual([undefined, seed, undefined]);
    const compacted = [...cosigningEvents(place.events.reduce(applyCosigningEvent, NO_COSIGNING))];
    place.events = compacted;
    expect(await place.known()).toEqual([undefined, seed, undefined]);
  });

  it('are none in a journal from before they were used, brought back', async () => {
    const { place } = await drawn();
    const before = [...place.events];
    await (await place.book().store()).use([KEYS[0]!]);
    place.events = before;
    expect(await place.known()).toEqual([undefined, undefined, undefined]);
  });

  it('are none in a copy, which has no mark', async () => {
    const { place } = await drawn();
    place.mark = undefined;
    expect(await place.known()).toEqual([undefined, undefined, undefined]);
  });

  it.each(['append', 'mark'] as const)('are never given out for a share when the power goes at the %s', async (at) => {
    const { place, seed } = await drawn();
    place.dead = at;
    await expect((await place.book().store()).use([KEYS[0]!])).rejects.toThrow('no power');
    place.dead = undefined;
    // Before the record: nothing left, nothing is lost. After it: all is void.
    expect(await place.known()).toEqual(at === 'append' ? [seed, seed, undefined] : [undefined, undefined, undefined]);
  });

  it('are void with the next export', async () => {
    const { place, seed } = await drawn();
    const [account] = readyGroup(2, 2);
    const next = bytesToHex(await place.book().draw(account!, KEYS));
    expect(next).not.toBe(seed);
    expect(await place.known()).toEqual([next, next, next]);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { DeviceError, LedgerDevice, ledgerConnector } from '../../src/device/index.ts';
import { HidTransport } from '../../src/device/transport/hid.ts';
import { SpendError } from '../../src/wallet/spend/errors.ts';
import type { SignedTransaction, UnsignedTransaction } from '../../src/wallet/spend/unsigned.ts';
import { verifySigned } from '../../src/wallet/spend/verify.ts';
import { liveChance } from '../support/ledger/chance.ts';
import { connectDouble, type Faults, liveApp, transportTo } from '../support/ledger/device.ts';
import { hidPipeTo } from '../support/ledger/hid.ts';
import { recordedSpend } from '../support/ledger/recorded-spend.ts';
import { appKeys, TEST_MNEMONIC } from '../support/ledger/seed.ts';
import { traces } from '../support/ledger/traces.ts';

let viewKey: Uint8Array;
const spends = traces().filter(({ after }) => after.txs?.[0]?.accepted === true);
const TWO_TO_TWO = '06b-send-2in-primary';
const FREE = { perByte: 0n, quantization: 1n } as never;

let payments: ReadonlyMap<string, UnsignedTransaction>;
let twoToTwo: UnsignedTransaction;
beforeAll(async () => {
  await loadCrypto();
  viewKey = appKeys(TEST_MNEMONIC).viewKey;
  payments = new Map(spends.map((trace) => [trace.name, recordedSpend(trace).unsigned]));
  twoToTwo = payments.get(TWO_TO_TWO)!;
});

async function signWith(device: LedgerDevice, unsigned: UnsignedTransaction, signal?: AbortSignal): Promise<SignedTransaction> {
  device.lend(viewKey);
  const signing = await device.sign({ transactions: [{ unsigned, destinations: [] }] }, { turn: async () => {}, signal });
  if (signing.kind !== 'signed') throw new Error('expected a signed transaction');
  return signing.transactions[0]!;
}

/** As a wallet would: signed, then judged. */
async function payWith(device: LedgerDevice, unsigned: UnsignedTransaction): Promise<SignedTransaction> {
  const signed = await signWith(device, unsigned);
  verifySigned(unsigned, signed, FREE, viewKey, systemRandom);
  return signed;
}

async function outcome(faults: Faults, unsigned: UnsignedTransaction, app = liveApp()): Promise<string> {
  try {
    await payWith(await connectDouble(app, faults), unsigned);
    return 'paid';
  } catch (error) {
    if (error instanceof DeviceError || error instanceof SpendError) return error.code;
    throw error;
  }
}

/** Questions before the payment: the app, its version, its keys. */
const MEETING = 3;

describe('signing on the double', () => {
  test.each(spends.map(({ name, app }) => [name, app] as const))(
    '%s holds before the judge of every signer',
    async (name, version) => {
      const app = liveApp({ version });
      const signed = await payWith(await connectDouble(app), payments.get(name)!);
      expect(signed.transaction.inputs).toHaveLength(payments.get(name)!.inputs.length);
      expect(app.tx.place.instruction).toBe(0);
    },
  );

  test('two inputs and two outputs take at most 120 questions, hashed by the closing round alone', async () => {
    const device = await connectDouble(liveApp());
    await payWith(device, twoToTwo);
    expect(device.exchanges - MEETING).toBeLessThanOrEqual(120);
    expect(device.exchanges - MEETING).toBe(107);
  });

  test('every round is hashed on the device where that is asked for', async () => {
    const device = await connectDouble(liveApp(), {}, { rounds: 'every' });
    await payWith(device, twoToTwo);
    expect(device.exchanges - MEETING).toBe(107 + 2 * 15 * 37);
  });

  test('what is shown is what is paid, and change as change', async () => {
    const app = liveApp();
    await payWith(await connectDouble(app), twoToTwo);
    const recorded = spends.find(({ name }) => name === TWO_TO_TWO)!.after.screens!;
    const fee = recorded[recorded.indexOf('Fee') + 1];
    expect(app.screens.map(({ title }) => title).sort()).toEqual(['Amount', 'Change', 'Fee']);
    expect(app.screens.find(({ title }) => title === 'Fee')).toEqual({ title: 'Fee', text: fee });
    expect(app.screens.find(({ title }) => title === 'Amount')!.text).toBe(recorded[recorded.indexOf('Amount') + 1]);
    expect(app.screens.find(({ title }) => title === 'Change')!.text).toBe(recorded[recorded.indexOf('Change') + 1]);
  });

  test('over HID reports too', async () => {
    const app = liveApp();
    const device = await LedgerDevice.connect(new HidTransport(hidPipeTo(app)), { random: systemRandom });
    await payWith(device, twoToTwo);
    expect(bytesToHex(await device.viewKey())).toBe(bytesToHex(viewKey));
  });
});

describe('it always ends well', () => {
  const LAST = MEETING + 107;

  test('unplugged at any exchange: nothing signed, and after a new connection it goes on', { timeout: 120_000 }, async () => {
    for (let turn = 1; turn <= LAST; turn++) {
      const app = liveApp();
      const before = (at: number) => {
        if (at === turn) throw new DeviceError('disconnected', 'unplugged');
      };
      expect(await outcome({ before }, twoToTwo, app), `exchange ${turn}`).toBe('disconnected');
      if (turn % 20 !== 0) continue;
      expect(await outcome({}, twoToTwo, app), `after exchange ${turn}`).toBe('paid');
    }
  });

  test('unplugged at any packet of the meeting', async () => {
    for (let packet = 0; packet < 8; packet++) {
      const pipe = hidPipeTo(liveApp(), packet);
      await expect(LedgerDevice.connect(new HidTransport(pipe), { random: systemRandom })).rejects.toMatchObject({
        code: 'disconnected',
      });
    }
  });

  test.each([
    ['5515', 'locked'],
    ['6910', 'locked'],
    ['6e00', 'other-app'],
    ['6d00', 'other-app'],
    ['6601', 'in-use'],
    ['6a30', 'app-too-new'],
    ['6914', 'app-stopped'],
    ['6f00', 'app-stopped'],
  ])('status %s at any moment is %s', async (status, code) => {
    for (const turn of [2, 3, 4, 5, 6, 9, 15, 20, 25, 60, LAST - 3, LAST]) {
      const alter = (at: number, _: Uint8Array, reply: Uint8Array) =>
        at === turn ? Uint8Array.from(Buffer.from(status, 'hex')) : reply;
      expect(await outcome({ alter }, twoToTwo), `exchange ${turn}`).toBe(code);
    }
  });

  test('a reply that is a byte short, or a byte too long, is refused at any moment', async () => {
    for (const turn of await turnsWithData()) {
      const short = (at: number, _: Uint8Array, reply: Uint8Array) => (at === turn ? reply.slice(1) : reply);
      const long = (at: number, _: Uint8Array, reply: Uint8Array) => (at === turn ? Uint8Array.of(0, ...reply) : reply);
      expect(await outcome({ alter: short }, twoToTwo), `short ${turn}`).toBe('bad-answer');
      expect(await outcome({ alter: long }, twoToTwo), `long ${turn}`).toBe('bad-answer');
    }
    const empty = (at: number, _: Uint8Array, reply: Uint8Array) => (at === 20 ? reply.slice(0, 1) : reply);
    expect(await outcome({ alter: empty }, twoToTwo)).toBe('bad-answer');
  });

  test('a bit changed in any reply: refused by us, by the app, or by the judge', async () => {
    for (const turn of await turnsWithData()) {
      const alter = (at: number, _: Uint8Array, reply: Uint8Array) => {
        const changed = reply.slice();
        if (at === turn) changed[0]! ^= 1;
        return changed;
      };
      expect(await outcome({ alter }, twoToTwo), `exchange ${turn}`).not.toBe('paid');
    }
  });

  /** Exchanges whose reply holds anything; not the version, which may be any. */
  async function turnsWithData(): Promise<number[]> {
    const turns: number[] = [];
    const alter = (at: number, apdu: Uint8Array, reply: Uint8Array) => {
      if (reply.length > 2 && apdu[1] !== 0x02) turns.push(at);
      return reply;
    };
    await outcome({ alter }, twoToTwo);
    expect(turns.length).toBeGreaterThanOrEqual(30);
    return turns;
  }

  test.each(['Fee', 'Amount', 'Change'] as const)(
    'its owner says no at %s: refused, and the next try succeeds',
    async (title) => {
      let willing = false;
      const app = liveApp({ owner: (shown) => willing || shown.title !== title });
      const device = await connectDouble(app);
      await expect(signWith(device, twoToTwo)).rejects.toMatchObject({ code: 'signer-refused' });
      expect(device.ended).toBe(false);
      willing = true;
      await payWith(device, twoToTwo);
    },
  );

  test('stopped while the device waits for its owner: at once, and the next payment waits for the answer', async () => {
    let answer = (_yes: boolean): void => {};
    let shown = (): void => {};
    const onScreen = new Promise<void>((resolve) => {
      shown = resolve;
    });
    const asked = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    let first = true;
    const owner = () => {
      if (!first) return true;
      first = false;
      shown();
      return asked;
    };
    const app = liveApp({ owner });
    const device = await connectDouble(app);
    const stop = new AbortController();
    const signing = signWith(device, twoToTwo, stop.signal);
    await onScreen;
    stop.abort(new Error('enough'));
    await expect(signing).rejects.toThrow('enough');
    const next = payWith(device, twoToTwo);
    answer(true);
    await next;
    expect(app.screens.map(({ title }) => title).filter((title) => title === 'Fee')).toHaveLength(2);
  });

  test('a device that does not answer: timed out, and the connection is given up', async () => {
    const app = liveApp();
    const silent = { before: (at: number) => (at === 7 ? new Promise<void>(() => {}) : undefined) };
    let asked = 0;
    const watch = {
      sleep: (_: number, signal?: AbortSignal) => {
        asked += 1;
        return asked === 7
          ? Promise.resolve()
          : new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      },
    };
    const device = await connectDouble(app, silent, { watch });
    await expect(signWith(device, twoToTwo)).rejects.toMatchObject({ code: 'timed-out' });
    expect(device.ended).toBe(true);
    await expect(signWith(device, twoToTwo)).rejects.toMatchObject({ code: 'disconnected' });
  });

  test('another app, an app too old, and another network are said by name', async () => {
    await expect(connectDouble(liveApp({ other: 'Bitcoin' }))).rejects.toMatchObject({
      code: 'other-app',
      data: { app: 'Bitcoin' },
    });
    // The device's system without an app.
    await expect(connectDouble(liveApp({ other: 'BOLOS' }))).rejects.toMatchObject({ code: 'other-app', data: {} });
    await expect(connectDouble(liveApp({ other: 'BOLOS' }))).rejects.not.toHaveProperty('data.app');
    await expect(connectDouble(liveApp({ version: '1.7.8' }))).rejects.toMatchObject({
      code: 'app-too-old',
      data: { version: '1.7.8' },
    });
    const device = await connectDouble(liveApp({ network: 'stagenet' }));
    expect(device.network).toBe('stagenet');
  });

  test('the double keeps the order of commands: one that comes twice ends it, but for those that the app takes in any number', async () => {
    // Instruction and first part, in hexadecimal; the first item of a ring's hash (7f02) begins it anew.
    const free = ['7201', '7600', '3200', '3800', '3000', '3a00', '4400', '7700', '7800', '7f02', '8000', '4200', 'a000'];
    const once = ['7001', '7b00', '7d01', '7d02', '7c01', '7c02', '7c03', '7f01', '7f03'];
    const met = new Set<string>();
    const nameOf = (apdu: Uint8Array) => bytesToHex(apdu.slice(1, 3));
    await outcome({ before: (at, apdu) => void (at > MEETING && met.add(nameOf(apdu))) }, twoToTwo);
    expect([...met].sort()).toEqual([...free, ...once].sort());
    for (const name of met) {
      const app = liveApp();
      let done = false;
      const before = async (at: number, apdu: Uint8Array) => {
        if (done || at <= MEETING || nameOf(apdu) !== name) return;
        done = true;
        await app.answer(apdu);
      };
      expect((await outcome({ before }, twoToTwo, app)) === 'paid', name).toBe(free.includes(name));
    }
  });

  test('an app that wants every round hashed stops over the short form, and gets them with the next connection', async () => {
    const app = liveApp({ wantsEveryRound: true });
    const connect = ledgerConnector(async () => transportTo(app), { random: systemRandom });
    const first = (await connect()) as LedgerDevice;
    await expect(signWith(first, twoToTwo)).rejects.toMatchObject({
      code: 'app-stopped',
      message: expect.stringContaining('open the app again and repeat'),
      data: { status: '6984', slower: true },
    });
    expect([first.ended, app.alive]).toEqual([true, false]);
    app.reopen();
    const second = (await connect()) as LedgerDevice;
    await payWith(second, twoToTwo);
    expect(second.exchanges - MEETING).toBe(107 + 2 * 15 * 37);
    // It stays so: the next payment needs no first try.
    await payWith((await connect()) as LedgerDevice, twoToTwo);
  });

  test('an app that stops over anything else is asked in the short form again', async () => {
    const app = liveApp();
    const stops = (at: number, _: Uint8Array, reply: Uint8Array) => (at === 20 ? Uint8Array.of(0x69, 0x80) : reply);
    const faults: Faults[] = [{ alter: stops }, {}];
    const connect = ledgerConnector(async () => transportTo(app, faults.shift()), { random: systemRandom });
    await expect(signWith((await connect()) as LedgerDevice, twoToTwo)).rejects.toMatchObject({ code: 'app-stopped' });
    const device = (await connect()) as LedgerDevice;
    await payWith(device, twoToTwo);
    expect(device.exchanges - MEETING).toBe(107);
  });

  test('a screen to touch shows all at once and is answered once; a fourth recipient it has no room for', async () => {
    const app = liveApp({ touch: true });
    const three = payments.get('06f-send-3dest-additional')!;
    const device = await connectDouble(app);
    expect(device.recipientsAtOnce).toBe(3);
    await payWith(device, three);
    expect(app.screens.map(({ title }) => title).sort()).toEqual(['Amount', 'Amount', 'Amount', 'Change', 'Fee']);
    expect(await outcome({}, payments.get('06i-send-5dest')!, app)).toBe('signer-refused');
    expect((await connectDouble(liveApp())).recipientsAtOnce).toBeUndefined();
  });
});

describe('it does not trust the device', () => {
  test('key images come with a proof: another one is refused', async () => {
    const outputs = twoToTwo.inputs.map(({ output }) => output);
    const honest = await (await connectDouble(liveApp())).keyImages(outputs);
    expect(honest.map(bytesToHex)).toEqual(outputs.map(({ keyImage }) => keyImage));
    const other = honest[1]!;
    const alter = (_: number, apdu: Uint8Array, reply: Uint8Array) =>
      apdu[1] === 0x3a ? Uint8Array.of(...other, 0x90, 0x00) : reply;
    const lying = await connectDouble(liveApp(), { alter });
    await expect(lying.keyImages([outputs[0]!])).rejects.toMatchObject({ code: 'bad-answer' });
  });

  test('T12 the view key of another wallet is refused as the device’s lie, not as a slip of the person', async () => {
    const other = appKeys(`${'zoo '.repeat(11)}wrong`).viewKey;
    const alter = (_: number, apdu: Uint8Array, reply: Uint8Array) =>
      apdu[1] === 0x20 && apdu[2] === 2 ? Uint8Array.of(...other, 0x90, 0x00) : reply;
    await expect((await connectDouble(liveApp(), { alter })).viewKey()).rejects.toMatchObject({ code: 'bad-answer' });
  });

  test('T19 a nonce that comes twice ends it, in one transaction and in two', async () => {
    const stuck = () => {
      const chance = liveChance(systemRandom);
      const nonce = chance.scalar();
      return liveApp({ chance: { ...chance, scalar: () => nonce } });
    };
    expect(await outcome({}, twoToTwo, stuck())).toBe('bad-answer');
    const one = payments.get('06a-send-1in-primary')!;
    const device = await connectDouble(stuck());
    await payWith(device, one);
    await expect(payWith(device, one)).rejects.toMatchObject({ code: 'bad-answer' });
  });

  test('a payment to somebody else than was asked for does not pass, however the device signs it', async () => {
    const app = liveApp();
    const thief = liveApp({ mnemonic: `${'zoo '.repeat(11)}wrong` }).publicKeys;
    const swapping: Faults = {
      before: (_, apdu) => {
        // A device that makes its outputs for somebody else.
        if (apdu[1] === 0x7b && apdu[6 + 4 + 64 + 32 + 64 + 4] === 0)
          apdu.set([...thief.viewKey, ...thief.spendKey], 6 + 4 + 64 + 32);
        if (apdu[1] === 0x7c && apdu[2] === 2 && apdu[7] === 0) apdu.set([...thief.viewKey, ...thief.spendKey], 8);
      },
    };
    expect(await outcome(swapping, twoToTwo, app)).toBe('check-failed');
  });

  test('the app of another seed opens none of our outputs', async () => {
    expect(await outcome({}, twoToTwo, liveApp({ mnemonic: `${'zoo '.repeat(11)}wrong` }))).toBe('wrong-device');
  });
});

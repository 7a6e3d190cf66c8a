import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyCsv } from '../../src/app/services/csv.ts';
import { daemonObstacle } from '../../src/app/services/daemon-url.ts';
import { entryText } from '../../src/app/services/entry-text.ts';
import { largeFeePercent } from '../../src/app/services/fee.ts';
import { backupFileBytes, fileBytes, fileText, isBackup, walletNameOf } from '../../src/app/services/file.ts';
import { byMonth } from '../../src/app/services/months.ts';
import { networkName } from '../../src/app/services/network.ts';
import { unusedName } from '../../src/app/services/new-wallet.ts';
import { withoutNumbers } from '../../src/app/services/numbered.ts';
import { lastPaidTimes, suggestedPayees } from '../../src/app/services/payees.ts';
import { qrPath } from '../../src/app/services/qr.ts';
import { quizPositions } from '../../src/app/services/quiz.ts';
import { safetyPage, safetyPages } from '../../src/app/services/safety.ts';
import { matchesCoin, matchesSearch } from '../../src/app/services/search.ts';
import { linkedRequest, parsePaymentUri, parsePaymentUris, paymentUri, refusalOf } from '../../src/app/services/uri.ts';
import { isOlder } from '../../src/app/services/versions.ts';
import type { AtomicAmount } from '../../src/protocol/model.ts';
import type { HistoryEntry } from '../../src/wallet/api.ts';

const ADDRESS = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** An entry with all that one can have. */
const SENT: HistoryEntry = {
  txHash: 'ab'.repeat(32),
  direction: 'out',
  state: 'mined',
  amount: 18_446_744_073_709_551_615n,
  fee: 30_680_000n,
  height: 7,
  confirmations: 3,
  timestamp: Date.parse('2026-11-21T20:00:00Z') / 1000,
  account: 1,
  subaddresses: [
    { major: 1, minor: 0 },
    { major: 1, minor: 4 },
  ],
  destinations: [{ address: ADDRESS, amount: 5n as AtomicAmount }],
  paymentId: undefined,
  note: 'For "Ann", and\nBob',
  unlockTime: 0n,
  locked: false,
  verified: true,
  doubleSpendSeen: false,
  perhapsChange: false,
};

describe('a fee beside the amount', () => {
  it('T1 is large above a twentieth of it, and always where nobody is paid: the person is asked', () => {
    const coin = 10n ** 12n;
    expect([largeFeePercent(coin, coin / 20n), largeFeePercent(coin, coin / 20n + 1n)]).toEqual([undefined, 5]);
    expect(largeFeePercent(coin, 3n * coin)).toBe(300);
    expect(largeFeePercent(0n, 1n)).toBeGreaterThan(100);
    expect(largeFeePercent(0n, 0n)).toBeUndefined();
  });
});

it('who was paid last is at hand: named ones first among the names, others once each, neither failed payments nor our own', () => {
  const out = (id: number, to: readonly string[], more: Partial<HistoryEntry> = {}): HistoryEntry => {
    const destinations = to.map((address) => ({ address, amount: 1n as AtomicAmount }));
    return { ...SENT, txHash: String(id), destinations, ...more };
  };
  const history = [
    out(1, ['a'], { state: 'failed' }),
    out(2, ['ours'], { amount: 0n }),
    out(3, ['b', 'shop'], { timestamp: 50 }),
    out(4, ['in'], { direction: 'in' }),
    out(5, ['b', 'c', 'd', 'e'], { timestamp: 40 }),
  ];
  const contacts = ['ada', 'bob', 'cleo', 'shop'].map((address) => ({ id: address, address, description: address }));
  const hand = suggestedPayees(history, contacts, 3);
  expect(hand.others).toEqual(['b', 'c', 'd']);
  expect(hand.contacts.map(({ address }) => address)).toEqual(['shop', 'ada', 'bob']);
  expect([...lastPaidTimes(history)]).toEqual([['b', 50], ['shop', 50], ...['c', 'd', 'e'].map((address) => [address, 40])]);
});

describe('a chosen file', () => {
  it('T16 that is a backup is read whole; of any other one no more than it can have', async () => {
    const file = new File([new Uint8Array(64_000_001)], 'large');
    expect((await backupFileBytes(file)).length).toBe(64_000_001);
    expect((await fileBytes(file)).length).toBe(64_000_000);
  });

  it('T6 for a text field is read as text up to a length, and refused beyond it', async () => {
    expect(await fileText(new File(['añb'], 'list'), 4)).toBe('añb');
    await expect(fileText(new File(['añb'], 'list'), 3)).rejects.toMatchObject({ code: 'file-too-large' });
  });

  it('that was changed or deleted since, or is a folder, has an error of its own', async () => {
    const gone = Object.assign(new File([], 'gone'), { slice: () => ({ arrayBuffer: () => Promise.reject(new Error()) }) });
    for (const read of [fileBytes(gone), backupFileBytes(gone), fileText(gone, 1), isBackup(gone)])
      await expect(read).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

describe('payment requests', () => {
  it('what is asked for is what the payer reads', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), text, text, (amount, recipientName, description) => {
        const request = { address: ADDRESS, amount, recipientName, description };
        expect(parsePaymentUri(paymentUri(request))).toEqual(request);
      }),
    );
  });

  it('T12 an address is taken only when it is one word of base58', () => {
    expect(parsePaymentUri(`monero:${ADDRESS}`)?.address).toBe(ADDRESS);
    for (const text of [ADDRESS, 'monero:', 'monero:<b>', `javascript:${ADDRESS}`, `monero:${ADDRESS} x`]) {
      expect(parsePaymentUri(text), text).toBeUndefined();
    }
    expect(parsePaymentUri('monero:?address=<b>')).toBeUndefined();
  });

  it('several recipients are read in both forms, each with its own amount', () => {
    const both = [
      { address: ADDRESS, amount: 1_500_000_000_000n, recipientName: 'Ann', description: 'rent' },
      { address: OTHER, amount: 20_000_000_000n, recipientName: 'Bob', description: '' },
    ];
    const joined = `monero:${ADDRESS};${OTHER}?tx_amount=1.5;0.02&recipient_name=Ann;Bob&tx_description=rent`;
    const repeated = `monero:?address=${ADDRESS}&tx_amount=1.5&recipient_name=Ann&address=${OTHER}&tx_amount=0.02&recipient_name=Bob&tx_description=rent`;
    const first = `web+monero:${ADDRESS}?tx_amount=1.5&recipient_name=Ann&address=${OTHER}&tx_amount=0.02&recipient_name=Bob&tx_description=rent`;
    for (const text of [joined, repeated, first]) expect(parsePaymentUris(text), text).toEqual(both);
    expect(parsePaymentUri(joined), 'where one is meant').toBeUndefined();
    expect(parsePaymentUris(`monero:${ADDRESS};${OTHER}`)?.map(({ amount }) => amount)).toEqual([undefined, undefined]);
  });

  it('T20 an amount that could be either recipient’s is nobody’s: the request is refused', () => {
    for (const text of [
      `monero:${ADDRESS};${OTHER}?tx_amount=1.5`,
      `monero:${ADDRESS};${OTHER}?tx_amount=1;2;3`,
      `monero:?address=${ADDRESS}&tx_amount=1&address=${OTHER}`,
      `monero:${ADDRESS};?tx_amount=1;2`,
      'monero:?tx_amount=1',
      `monero:${ADDRESS}?tx_amount=1&tx_amount=100`,
    ])
      expect(parsePaymentUris(text), text).toBeUndefined();
  });

  it('T20 an amount that cannot be read is not left out, for what was typed before to be paid: the request is refused', () => {
    const unreadable = ['1,5', '1.000.5', '0.0000000000001', '1e3', '-1', '0x10', 'ten', '18446745', '1 5', '１'];
    for (const amount of unreadable) {
      const one = `monero:${ADDRESS}?tx_amount=${encodeURIComponent(amount)}`;
      const two = `monero:${ADDRESS};${OTHER}?tx_amount=1;${encodeURIComponent(amount)}`;
      for (const text of [one, two]) expect([text, refusalOf(text)]).toEqual([text, 'amounts']);
    }
    for (const amount of ['', '0', '0.0'])
      expect(parsePaymentUri(`monero:${ADDRESS}?tx_amount=${amount}`)).toMatchObject({ amount: undefined });
  });

  it('a request under a payment id of old is refused: what is paid without it is nobody’s', () => {
    const request = `monero:${ADDRESS}?tx_amount=1&tx_payment_id=`;
    for (const id of ['ab'.repeat(32), 'ab'.repeat(8)]) expect(parsePaymentUris(request + id), id).toBeUndefined();
    expect(parsePaymentUris(request)).toHaveLength(1);
  });

  it('what is refused of a request is told from what is none', () => {
    expect(refusalOf(`monero:${ADDRESS}?tx_payment_id=${'ab'.repeat(32)}`)).toBe('payment-id');
    expect(refusalOf(`monero:${ADDRESS}?tx_amount=1&tx_amount=100`)).toBe('amounts');
    expect(refusalOf(`web+monero:${ADDRESS};${OTHER}?tx_amount=1.5`)).toBe('amounts');
    for (const text of ['monero:', `monero:${ADDRESS} x`, 'monero:?tx_amount=1', 'monero:0'])
      expect(refusalOf(text), text).toBe('form');
    for (const text of ['', ADDRESS, 'monero', `monero:${ADDRESS}`]) expect(refusalOf(text), text).toBeUndefined();
  });

  it('T12 a stranger’s words turn no text around that stands beside them', () => {
    const request = parsePaymentUri(
      `monero:${ADDRESS}?recipient_name=Ann%E2%80%AE%E2%81%A9&tx_description=%E2%80%AD%E2%81%A61.5%E2%80%ACrent`,
    );
    expect(request).toMatchObject({ recipientName: 'Ann', description: '1.5rent' });
  });

  it('T12 a link longer than any payment stops no page: it is refused', () => {
    const much = `monero:${ADDRESS}?tx_amount=1&tx_description=${'x'.repeat(10_000)}`;
    for (const asked of [
      linkedRequest(`#/pay?uri=${encodeURIComponent(much)}`, ''),
      linkedRequest('', `?text=${encodeURIComponent(much)}`),
    ])
      expect([asked?.length, refusalOf(asked ?? '')]).toEqual([7, 'form']);
  });

  it('links and what is shared lead to a request, and nothing else does', () => {
    const uri = `monero:${ADDRESS}?tx_amount=1`;
    expect(linkedRequest(`#/pay?uri=${encodeURIComponent(uri)}`, '')).toBe(uri);
    const fields = linkedRequest(`#/pay?address=${ADDRESS}&tx_amount=1`, '');
    expect(parsePaymentUri(fields ?? '')).toMatchObject({ address: ADDRESS, amount: 10n ** 12n });
    expect(linkedRequest('', `?text=${encodeURIComponent(`Pay ${uri} please`)}`)).toBe(uri);
    expect(linkedRequest('', `?title=x&text=${ADDRESS}`)).toBe(ADDRESS);
    const code = `monero-wallet:${ADDRESS}?spend_key=00&height=1`;
    expect(linkedRequest('', `?text=${encodeURIComponent(`A gift: ${code}`)}`), 'not the address of the paper').toBe(code);
    for (const [hash, search] of [
      ['', ''],
      ['#/send', ''],
      ['#/pay?', ''],
      ['#/paying?uri=x', ''],
      ['', '?text=hello'],
      ['', `?text=${ADDRESS}abc`],
    ] as const)
      expect(linkedRequest(hash, search), hash + search).toBeUndefined();
  });
});

describe('daemon addresses', () => {
  const secure = { protocol: 'https:', hostname: 'wallet.example' };
  const loopback = { protocol: 'http:', hostname: '127.0.0.1' };

  it.each([
    ['http://node.example:18081', secure, 'mixed-content'],
    ['https://node.example:18089', secure, undefined],
    ['http://127.0.0.1:18081', secure, 'local-network'],
    ['https://192.168.1.5:18081', secure, 'local-network'],
    ['http://192.168.1.5:18081', secure, 'mixed-content'],
    ['https://10.node.example', secure, undefined],
    ['http://192.168.1.5:18081', loopback, undefined],
    ['http://node.example:18081', loopback, undefined],
    ['ftp://node.example', loopback, 'bad-url'],
    ['http://user:secret@127.0.0.1:18081', loopback, 'bad-url'],
    ['node.example', loopback, 'bad-url'],
    ['', loopback, 'bad-url'],
  ] as const)('%s', (url, page, obstacle) => {
    expect(daemonObstacle(url, page)).toBe(obstacle);
  });
});

describe('history', () => {
  const entry = SENT;
  const nobody = (): undefined => undefined;
  const own = ({ minor }: { minor: number }) => (minor === 4 ? { address: ADDRESS, label: 'Rent' } : undefined);
  const shop = (address: string): string | undefined => (address === ADDRESS ? 'The Shop' : undefined);

  it('names whom the address book knows, and calls what may be change no receipt', () => {
    expect(entryText(entry, shop).kind).toBe('Sent to The Shop');
    expect(entryText({ ...entry, direction: 'in', perhapsChange: true }, nobody).kind).toBe('Received, or your own change');
  });

  it('coins are found by their names, those of their addresses, amounts, and how an id begins', () => {
    const subaddress = { major: 0, minor: 1 };
    const ids = { txHash: 'ab12', keyImage: 'cd34', key: 'ef56', outputIndex: 0, globalIndex: 1n, subaddress };
    const rest = { height: 1, timestamp: 0, coinbase: false, unlockTime: 0n, unlocked: true, frozen: false };
    const coin = { ...ids, ...rest, name: 'Birthday', amount: 1_250_000_000_000n, hold: undefined, spentBy: undefined };
    for (const wanted of ['', 'birth', 'shop', '1.25', '1,2', 'ab1', 'cd34', 'ef'])
      expect(matchesCoin(coin, 'My shop', wanted), wanted).toBe(true);
    for (const wanted of ['rent', '25', 'b12', '1.26']) expect(matchesCoin(coin, 'My shop', wanted), wanted).toBe(false);
    expect(matchesCoin({ ...coin, keyImage: undefined }, '', 'cd34')).toBe(false);
  });

  it('is found by note, name, id and amount, with either decimal sign', () => {
    for (const wanted of [
      'for "ann"',
      'shop',
      ADDRESS.slice(5, 15).toLowerCase(),
      'abab',
      '18446744.07',
      '18446744,07',
      '0.00003068',
      '0,000000000005',
    ])
      expect(matchesSearch(entry, wanted, shop, own), wanted).toBe(true);
    for (const wanted of ['the bank', 'bb', '8446744', '0.00004'])
      expect(matchesSearch(entry, wanted, shop, own), wanted).toBe(false);
    expect(matchesSearch(entry, 'shop', nobody, own)).toBe(false);
    const incoming = { ...entry, direction: 'in', destinations: [] } as const;
    expect(matchesSearch(incoming, ADDRESS.slice(10, 16).toLowerCase(), nobody, own), 'an address of ours that was paid').toBe(
      true,
    );
    expect(matchesSearch(incoming, 'rent', nobody, own)).toBe(true);
    expect(matchesSearch(incoming, 'rent', nobody, nobody)).toBe(false);
  });

  it('tells what a payment to oneself cost, which is its fee', () => {
    expect(entryText({ ...entry, amount: 0n }, nobody)).toEqual({ kind: 'Sent to yourself', sign: '−', amount: entry.fee });
    expect(entryText(entry, nobody)).toEqual({ kind: 'Sent', sign: '−', amount: entry.amount });
    expect(entryText({ ...entry, direction: 'in', amount: 0n }, nobody)).toEqual({ kind: 'Received', sign: '+', amount: 0n });
  });

  it('T20 as a table has every digit, and one field for what holds quotes, commas and lines', () => {
    const [head, row] = historyCsv([entry]).split('\r\n');
    expect(head).toMatch(/^date,direction,state,amount,fee,block,transaction,/);
    expect(row).toBe(
      `2026-11-21T20:00:00.000Z,out,mined,-18446744.073709551615,0.00003068,7,${entry.txHash},1,0 4,,${ADDRESS} 0.000000000005,"For ""Ann"", and\nBob"`,
    );
  });

  it('has a column of worth in money where that is switched on; empty where the price of a day is not known', () => {
    const fiat = {
      currency: 'EUR',
      worthThen: (amount: bigint, at: number) => (at === entry.timestamp ? amount * 2n : undefined),
    };
    const [, last] = historyCsv([{ ...entry, timestamp: 2 ** 60 }]).split('\r\n');
    expect(last, 'a block that a lying daemon dates beyond all dates').toMatch(/^\+275760-09-13T00:00:00.000Z,/);
    expect(historyCsv([], fiat)).toMatch(/,note,worth then in EUR\r\n$/);
    expect(historyCsv([{ ...entry, amount: 1_500_000_000_000n, note: '' }], fiat).trimEnd()).toMatch(/,,3\.00$/);
    expect(historyCsv([{ ...entry, timestamp: 1, note: '' }], fiat).trimEnd()).toMatch(/,,$/);
  });

  it('T12 no note becomes a formula there, wherever cells are parted, and no address that a file told', () => {
    const noteOf = (note: string) =>
      historyCsv([{ ...entry, note }])
        .split('\r\n')
        .slice(1)
        .join('')
        .split(',')
        .at(-1);
    expect(noteOf('x; =1;+1')).toBe("x;' =1;'+1");
    expect(noteOf('x\n=1')).toBe('"x\n\'=1"');
    expect(noteOf('＝1')).toBe("'＝1");
    expect(noteOf('a=1, 2-1')).toMatch(/2-1"$/);
    const told = [{ address: '=1+1', amount: 1n }];
    expect(historyCsv([{ ...entry, destinations: told as never }])).toContain(",'=1+1 0.000000000001,");
    for (const note of ['=HYPERLINK(1)', '+1', '-1', '@x', '\t=1'])
      expect(historyCsv([{ ...entry, note }]).trimEnd(), note).toMatch(/'[=+\-@\t][^,]*"?$/);
  });
});

describe('a version', () => {
  it('is older by its first number that differs, not by its letters, and not where it is the same or none', () => {
    const older = ['0.1.0', '0.9.9', '1.9.0', '1.10.0-rc.1'].map((version) => isOlder(version, '1.10.1'));
    expect(older).toEqual([true, true, true, true]);
    const others = ['1.10.1', '1.10.2', '1.11.0', '2.0.0', '', 'main'].map((version) => isOlder(version, '1.10.1'));
    expect(others).toEqual([false, false, false, false, false, false]);
  });
});

describe('small things', () => {
  it('asks for different words, in order', () => {
    for (let round = 0; round < 50; round += 1) {
      const positions = quizPositions(25, 3);
      expect(new Set(positions).size).toBe(3);
      expect([...positions].sort((a, b) => a - b)).toEqual(positions);
      expect(positions.every((position) => position >= 0 && position < 25)).toBe(true);
    }
  });

  it('history falls into months, also where the clocks of blocks disagree about the order', () => {
    const at = (text: string) => ({ timestamp: Date.parse(text) / 1000 }) as HistoryEntry;
    const entries = [at('2026-11-20T12:00Z'), at('2026-11-02T12:00Z'), at('2026-10-15T12:00Z'), at('2026-11-01T12:00Z')];
    const months = byMonth(entries);
    expect(months.map(({ entries: { length } }) => length)).toEqual([2, 1, 1]);
    expect(months.flatMap(({ entries: part }) => part)).toEqual(entries);
    expect(months[0]?.name).toMatch(/2026/);
  });

  it('networks have names that people know', () => {
    expect(networkName('mainnet')).toBe('Mainnet');
    for (const network of ['stagenet', 'testnet', 'regtest']) expect(networkName(network)).toMatch(/test network/);
  });

  it('finds a name that is free', () => {
    expect(unusedName('My wallet', [])).toBe('My wallet');
    expect(unusedName('My wallet', ['My wallet', 'My wallet 2'])).toBe('My wallet 3');
  });

  it('promises under Safety only what a wallet has', () => {
    const said = (kind: 'full' | 'view' | 'device' | 'multisig') =>
      safetyPages({ kind, group: undefined })
        .flatMap(({ title, text }) => [title(), text()])
        .join(', ');
    for (const name of ['recovery words', 'View key', 'large payments']) {
      expect(said('full').toLowerCase()).toContain(name.toLowerCase());
      expect(said('view').toLowerCase()).not.toContain(name.toLowerCase());
    }
    expect(said('device')).not.toContain('ecovery words');
    expect(said('multisig')).not.toContain('View key');
    expect(safetyPage({ kind: 'view', group: undefined }, 'lock')?.title()).toBe('Lock automatically');
  });

  it('finds the name of a wallet in that of its file', () => {
    expect(walletNameOf('Rent 2 2026-11-27.nightjar')).toBe('Rent 2');
    expect(walletNameOf('Rent 2026-11-27 (1).nightjar')).toBe('Rent');
    expect(walletNameOf('savings.KEYS')).toBe('savings');
    for (const other of ['photo.jpg', '.keys', 'savings', '']) expect(walletNameOf(other), other).toBe('');
  });

  it('draws every dark square of a QR code once', () => {
    const { size, path } = qrPath(ADDRESS);
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map(
      ([, x, y, run]) => [Number(x), Number(y), Number(run)] as const,
    );
    expect(runs.map(([x, y, run]) => `M${x} ${y}h${run}v1h-${run}z`).join('')).toBe(path);
    const cells = new Set(runs.flatMap(([x, y, run]) => Array.from({ length: run }, (_, i) => `${x + i},${y}`)));
    expect(cells.size).toBe(runs.reduce((sum, [, , run]) => sum + run, 0));
    // The finder pattern's corner, and the quiet zone around it.
    expect(cells.has('2,2')).toBe(true);
    expect([...cells].some((cell) => cell.startsWith('0,') || cell.startsWith(`${size - 1},`))).toBe(false);
  });
});

it.each([
  ['1. island 2. raven', 'island raven'],
  ['1) island\n2) raven\n', 'island\nraven\n'],
  ['1 island 12:raven', 'island raven'],
  ['1.island\t2.raven', 'island\traven'],
  ['island raven 25', 'island raven 25'],
  ['かな2 ra3ven', 'かな2 ra3ven'],
])('of a numbered list %j are the words %j', (list, words) => expect(withoutNumbers(list)).toBe(words));

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcService } from '../../src/rpc/service.ts';
import { inside } from '../support/inside.ts';
import { eachSame, NOBODY, OneSeed, PAYMENT_ID, type Row } from '../support/one-seed.ts';
import { MINER_ADDRESS } from '../support/premined.ts';
import { ourAnswer, theirAnswer } from '../support/rpc-both.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

// What a wallet keeps beside its payments, and commands that need none: the same requests to both.
let seed: OneSeed;

beforeAll(async () => {
  seed = await OneSeed.start();
}, 900_000);

afterAll(() => seed?.stop());

const each = (rows: readonly Row[]): void => eachSame(() => seed, rows);

describe('notes and attributes', () => {
  each([
    ['get_tx_notes', { txids: [NOBODY] }],
    ['get_tx_notes', {}],
    ['set_tx_notes', { txids: [NOBODY, 'cd'.repeat(32)], notes: ['a note', 'ünïcode ✓'] }],
    ['get_tx_notes', { txids: [NOBODY.toUpperCase(), 'ef'.repeat(32)] }],
    ['set_tx_notes', { txids: [NOBODY], notes: [''] }],
    ['get_tx_notes', { txids: ['cd'.repeat(32), NOBODY] }],
    ['set_tx_notes', {}],
    ['set_tx_notes', { txids: [NOBODY], notes: [] }],
    ['set_tx_notes', { txids: ['abcd'], notes: ['x'] }],
    ['get_tx_notes', { txids: ['abcd'] }],
    ['get_tx_notes', { txids: [''] }],
    ['get_tx_notes', { txids: NOBODY }],
    ['set_tx_notes', { txids: [1], notes: [2] }],
    ['get_attribute', { key: 'colour' }],
    ['get_attribute', {}],
    ['set_attribute', { key: 'colour', value: 'red' }],
    ['get_attribute', { key: 'colour' }],
    ['set_attribute', { key: 'colour', value: '' }],
    ['get_attribute', { key: 'colour' }],
    ['get_attribute', { key: 'Colour' }],
    ['set_attribute', {}],
    ['get_attribute', { key: '' }],
    ['set_attribute', { key: 1, value: 'x' }],
  ]);
});

describe('payment URIs', () => {
  it.each([
    ['address', {}],
    ['address', { amount: 1 }],
    ['subaddress', { amount: 12_345_678_901_234 }],
    ['address', { amount: 2n ** 64n - 1n }],
    ['integrated', { amount: 5, recipient_name: 'A & B', tx_description: '50% off? <yes> "ünï" ~{}|/' }],
    ['address', { recipient_name: 'x\ny' }],
    ['address', { payment_id: PAYMENT_ID }],
    ['integrated', { payment_id: PAYMENT_ID }],
    ['address', { amount: -1 }],
    ['address', { tx_description: 5 }],
  ] as const)('make_uri of %s with %o, read again', async (kind, more) => {
    await seed.expectSame(['make_uri', { address: seed[kind], ...more }]);
    const made = (await theirAnswer(seed.theirs, 'make_uri', { address: seed[kind], ...more })) as { uri?: string };
    if (made.uri !== undefined) await seed.expectSame(['parse_uri', { uri: made.uri }]);
  });

  each([
    ['make_uri', {}],
    ['make_uri', { address: 'nobody' }],
    ['parse_uri', {}],
    ['parse_uri', { uri: '' }],
    ['parse_uri', { uri: 'bitcoin:x' }],
    ['parse_uri', { uri: 'monero:' }],
    ['parse_uri', { uri: 'monero:nobody?tx_amount=1' }],
    ['parse_uri', { uri: 5 }],
  ]);

  it.each([
    '',
    '?',
    '?tx_amount=239.39014&tx_description=donation',
    '?tx_amount=1.0000000000001',
    '?tx_amount=x',
    '?tx_amount=',
    '?tx_amount=18446744.073709551615',
    '?tx_amount=18446744.073709551616',
    `?tx_payment_id=${NOBODY}`,
    `?tx_payment_id=${NOBODY.toUpperCase()}`,
    `?tx_payment_id=${PAYMENT_ID}`,
    '?tx_amount=1&tx_amount=2',
    '?tx_amount=x&tx_amount=1',
    '?tx_payment_id=12&tx_amount=x&flag',
    '?flag',
    '?a=1&',
    '?colour=red&tx_description=a%20b+c&size=5',
    '?recipient_name=%e2%9c%93%zz%4',
  ])('parse_uri of an address and "%s"', async (query) => {
    await seed.expectSame(['parse_uri', { uri: `monero:${seed.address}${query}` }]);
  });

  it('no payment id beside an integrated address', async () => {
    await seed.expectSame(['parse_uri', { uri: `monero:${seed.integrated}?tx_payment_id=${NOBODY}` }]);
  });
});

describe('the address book', () => {
  it('entries come, change and go alike', async () => {
    const { address } = seed;
    const rows: readonly Row[] = [
      ['get_address_book', {}],
      ['get_address_book', { entries: [0] }],
      ['add_address_book', { address, description: 'myself' }],
      ['add_address_book', { address: seed.integrated, description: 'with an id' }],
      ['add_address_book', { address: seed.subaddress }],
      ['add_address_book', { address: 'nobody', description: 'x' }, 'own words'],
      ['add_address_book', {}, 'own words'],
      ['add_address_book', { address: 5 }],
      ['get_address_book', {}],
      ['get_address_book', { entries: [] }],
      ['get_address_book', { entries: [2, 0, 2] }],
      ['get_address_book', { entries: [3] }],
      ['get_address_book', { entries: [-1] }],
      ['get_address_book', { entries: 0 }],
      ['edit_address_book', { index: 0, set_description: true, description: 'me' }],
      ['edit_address_book', { index: 0, description: 'not set' }],
      ['edit_address_book', { index: 2, set_address: true, address: MINER_ADDRESS }],
      ['edit_address_book', { index: 2, set_address: true, address: 'nobody' }, 'own words'],
      ['edit_address_book', { index: 9, set_description: true }],
      ['edit_address_book', {}],
      ['get_address_book', {}],
      ['delete_address_book', { index: 0 }],
      ['get_address_book', { entries: [0, 1] }],
      ['delete_address_book', { index: 2 }],
      ['delete_address_book', { index: -2 }],
      ['delete_address_book', { index: 1.5 }],
      ['delete_address_book', {}],
      ['get_address_book', {}],
    ];
    const dropped = ['payment_id'];
    for (const row of rows) await seed.expectSame(row, dropped);
  });

  it('what is not marked to be set stays, and an address is taken whole', async () => {
    const shown = async () => {
      const answers = await seed.both('get_address_book', { entries: [1] });
      const [ours, reference] = answers as unknown as { entries: { address: string }[] }[];
      expect(ours!.entries[0]!.address).toBe(reference!.entries[0]!.address);
      return ours!.entries[0]!.address;
    };
    await seed.both('add_address_book', { address: seed.integrated, description: 'shop' });
    await seed.both('edit_address_book', { index: 1, set_description: true, description: 'changed' });
    expect(await shown()).toBe(seed.integrated);
    await seed.both('edit_address_book', { index: 1, set_address: true, address: seed.subaddress });
    expect(await shown()).toBe(seed.subaddress);
  });

  it('payment ids are part of the address, and show beside it', async () => {
    const { address, integrated } = seed;
    const before = inside(seed.wallet).state.contacts.size;
    await seed.service.call('add_address_book', { address, payment_id: PAYMENT_ID, description: 'shop' });
    const shown = async () =>
      ((await seed.service.call('get_address_book', { entries: [before] })) as { entries: unknown[] }).entries[0];
    expect(await shown()).toEqual({ index: before, address: integrated, description: 'shop', payment_id: PAYMENT_ID });
    await seed.service.call('edit_address_book', { index: before, set_description: true, description: 'till' });
    expect(await shown()).toMatchObject({ address: integrated, description: 'till' });
    await seed.service.call('edit_address_book', { index: before, set_payment_id: true });
    expect(await shown()).toEqual({ index: before, address, description: 'till' });
    const wrong = [
      { address: seed.subaddress, payment_id: PAYMENT_ID },
      { address, payment_id: '12' },
    ];
    for (const params of wrong) {
      expect(await ourAnswer(seed.service, 'add_address_book', params)).toMatchObject({ code: '-5' });
    }
  });

  it('an OpenAlias name stands for its address', async () => {
    const named = new RpcService(
      oneWalletHost(seed.wallet, {
        resolveAlias: async (name) => ({
          answered: true,
          verified: true,
          found: name === 'donate.example',
          address: name === 'donate.example' ? MINER_ADDRESS : undefined,
        }),
      }),
    );
    await named.call('add_address_book', { address: 'donate.example' });
    const { entries } = (await named.call('get_address_book', {})) as { entries: { address: string }[] };
    expect(entries.at(-1)!.address).toBe(MINER_ADDRESS);
    expect(await ourAnswer(named, 'add_address_book', { address: 'nobody.example' })).toEqual({
      code: '-2',
      message: 'WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: nobody.example',
    });
  });
});

describe('multisig', () => {
  each([
    ['is_multisig', {}],
    ['is_multisig', { anything: 1 }],
    ['export_multisig_info', {}],
    ['import_multisig_info', { info: ['00'] }],
    ['import_multisig_info', {}],
    ['import_multisig_info', { info: '00' }],
    ['exchange_multisig_keys', { multisig_info: ['x'], password: '' }],
    ['exchange_multisig_keys', {}],
    ['sign_multisig', { tx_data_hex: '00' }],
    ['sign_multisig', { tx_data_hex: 0 }],
    ['submit_multisig', { tx_data_hex: 'zz' }],
  ]);
});

describe('mining and the log', () => {
  each([
    ['stop_mining', {}],
    ['start_mining', {}],
    ['start_mining', { threads_count: 0 }],
    ['start_mining', { threads_count: 1_000_000 }],
    ['start_mining', { threads_count: -1 }],
    ['start_mining', { threads_count: 1, do_background_mining: 'no' }],
    ['set_log_level', { level: 5 }],
    ['set_log_level', { level: -1 }],
    ['set_log_level', { level: 128 }],
    ['set_log_level', { level: 300 }],
    ['set_log_level', { level: '1' }],
    ['set_log_level', { level: 0 }],
    ['set_log_level', {}],
    ['set_log_categories', { categories: 5 }],
  ]);

  it('the daemon mines to the wallet until told not to, at the word of a trusted wallet', async () => {
    const status = () => seed.daemon.path<{ active: boolean; address: string; threads_count: number }>('mining_status');
    await seed.service.call('start_mining', { threads_count: 1, do_background_mining: true, ignore_battery: true });
    expect(await status()).toMatchObject({ active: true, address: seed.address, threads_count: 1 });
    await seed.expectSame(['start_mining', { threads_count: 1 }]);
    await seed.service.call('stop_mining', {});
    expect((await status()).active).toBe(false);
    await seed.expectSame(['stop_mining', {}]);
    await seed.wallet.setDaemon({ url: seed.daemon.url, trusted: false });
    expect(await ourAnswer(seed.service, 'start_mining', { threads_count: 1 })).toEqual({
      code: '-1',
      message: 'This command requires a trusted daemon.',
    });
    await seed.wallet.setDaemon({ url: seed.daemon.url, trusted: true });
  });
});

import About from '../../components/settings/About.svelte';
import AccountDetail from '../../components/settings/AccountDetail.svelte';
import Accounts from '../../components/settings/Accounts.svelte';
import Appearance from '../../components/settings/Appearance.svelte';
import AskNode from '../../components/settings/AskNode.svelte';
import AutoLock from '../../components/settings/AutoLock.svelte';
import ChangePassword from '../../components/settings/ChangePassword.svelte';
import CoinFacts from '../../components/settings/CoinFacts.svelte';
import Coins from '../../components/settings/Coins.svelte';
import CoinTable from '../../components/settings/CoinTable.svelte';
import Console from '../../components/settings/Console.svelte';
import Contacts from '../../components/settings/Contacts.svelte';
import ContactsTable from '../../components/settings/ContactsTable.svelte';
import Daemon from '../../components/settings/Daemon.svelte';
import FindPayment from '../../components/settings/FindPayment.svelte';
import Ledger from '../../components/settings/Ledger.svelte';
import Lookahead from '../../components/settings/Lookahead.svelte';
import NodeField from '../../components/settings/NodeField.svelte';
import Nodes from '../../components/settings/Nodes.svelte';
import Offline from '../../components/settings/Offline.svelte';
import Passkey from '../../components/settings/Passkey.svelte';
import Pin from '../../components/settings/Pin.svelte';
import ReauthLimit from '../../components/settings/ReauthLimit.svelte';
import Rename from '../../components/settings/Rename.svelte';
import Safety from '../../components/settings/Safety.svelte';
import SaveKeysFile from '../../components/settings/SaveKeysFile.svelte';
import Scan from '../../components/settings/Scan.svelte';
import SecondDaemon from '../../components/settings/SecondDaemon.svelte';
import { m } from '../../language/messages.ts';
import { CoinList } from '../../managers/coins.svelte.ts';
import { ledger } from '../../managers/ledger.svelte.ts';
import { type Measured, nodes } from '../../managers/nodes.svelte.ts';
import { passkeys } from '../../managers/passkey.svelte.ts';
import { pins } from '../../managers/pin.svelte.ts';
import { session } from '../../managers/session.svelte.ts';
import type { SafetyPagePath } from '../../services/safety.ts';
import { give, press, steps, write } from '../act.ts';
import { enter, hasAll, host, refusing } from '../answers.ts';
import { type Entry, entry, nothing } from '../sample.ts';
import {
  accounts,
  coinOf,
  group,
  HASH,
  HEIGHT,
  HOLDS,
  LONG_NAME,
  ledgerMet,
  nodeless,
  OTHER,
  prepared,
  review,
  sync,
  view,
} from '../values.ts';

const NODE = 'https://node.example:18089';
const healthy = {
  latency: 84,
  height: HEIGHT,
  behind: 0,
  rightNetwork: true,
  restricted: true,
  version: '0.18.5.3',
  outdated: false,
};
const plain = () => ({});
const saves = async (): Promise<void> => undefined;
const ofView = (more: Parameters<typeof view>[0] = {}) => ({
  world: () => enter(view(more)),
  props: () => ({ view: view(more) }),
});
const second = { url: NODE, verdict: 'agree' as const, height: HEIGHT, agreedTo: HEIGHT, at: 0, error: undefined };
const methods = ['get_balance', 'transfer', 'sweep_dust'].map((name) => ({
  ...{
    name,
    summary: `${name}, in one line.`,
    group: 'wallet',
    writes: name !== 'get_balance',
    template: '{\n  "account_index": 0\n}',
  },
  params: [
    { name: 'destinations', type: 'object[]', depth: 0 },
    { name: 'amount', type: 'integer', depth: 1 },
  ],
  result: [{ name: 'balance', type: 'integer', depth: 0 }],
}));
const asked = [
  { name: 'get_info', about: 'chain', parameters: [] },
  { name: 'get_block', about: 'blocks', parameters: [{ name: 'height', kind: 'number', optional: true }] },
];
const answered = {
  lines: [
    { depth: 0, name: 'height', value: '3402118' },
    { depth: 0, name: 'block_size_median', value: '300000', measure: { unit: 'bytes', value: 300_000n } },
    { depth: 0, name: 'bootstrap_daemon_address', value: HASH },
  ],
  ...{ json: '{}', cut: true },
};
/** A search for a payment by its id. */
const finds = (scanTransactions: () => Promise<unknown>) => ({
  world: () => enter(view(), { history: async () => [], chain: { scanTransactions } }),
  act: steps(write(m.tx_id(), HASH), press(m.find_button())),
  props: plain,
});
/** A file of a set is given, and read so. */
const readsSet = (reviewUnsigned: () => Promise<unknown>) => ({
  world: () => enter(view(), { offline: { reviewUnsigned } }),
  act: give(),
  props: () => ({ view: view() }),
});
/** A node is asked by hand, and answers so. */
const asksNode = (askNode: () => Promise<unknown>, asks = { url: NODE, gateway: false }) => ({
  world: () => host({ readOnlyCalls: async () => asked, askNode }),
  act: press(m.ask_run()),
  props: () => asks,
});
/** A command is run, and answered so. */
const runs = (rpc: () => Promise<unknown>) => ({
  world: () => host({ rpcMethods: async () => methods, rpc }),
  act: steps(write(m.console_method(), 'get_balance'), press(m.console_run())),
  props: plain,
});
/** More than one looks through by eye. */
const manyContacts = Array.from({ length: 9 }, (_, i) => ({ id: `${i}`, address: OTHER, description: `Shop ${i}` }));
const safety = (part: SafetyPagePath | undefined, more: Parameters<typeof view>[0] = {}) => ({
  ...ofView(more),
  props: () => ({ view: view(more), part }),
});
const savings = () => {
  const [, one] = accounts(2);
  if (!one) throw new RangeError('expected a second account');
  return one;
};
/** Parts of Settings. */
export const settings: Readonly<Record<string, Entry>> = {
  'settings/About': entry(About)({ whole: plain }),
  'settings/AccountDetail': entry(AccountDetail)({
    usual: { wide: true, props: () => ({ account: savings(), rename: nothing }) },
    'addresses that cannot be read': {
      wide: true,
      world: () => enter(view(), { subaddresses: refusing('WalletError', 'closed') }),
      props: () => ({ account: savings(), rename: nothing }),
    },
  }),
  'settings/Accounts': entry(Accounts)({
    several: () => ({ view: view() }),
    many: () => ({ view: view({ accounts: accounts(12) }) }),
    'a new one': { height: 420, act: press(m.accounts_new()), props: () => ({ view: view() }) },
    'a name that is there already': {
      ...{ height: 460, props: () => ({ view: view() }) },
      act: steps(press(m.accounts_new()), write(m.receive_label(), 'Greenhouse'), press(m.accounts_make())),
    },
  }),
  'settings/Appearance': entry(Appearance)({ usual: plain }),
  'settings/ReauthLimit': entry(ReauthLimit)({
    never: () => ({ name: 'nobody' }),
    setting: { height: 520, act: press(m.ask_above_set()), props: () => ({ name: 'nobody' }) },
  }),
  'settings/AskNode': entry(AskNode)({
    answered: asksNode(async () => answered),
    failed: asksNode(refusing('DaemonError', 'unreachable'), { url: '/daemon', gateway: true }),
  }),
  'settings/AutoLock': entry(AutoLock)({ usual: plain }),
  'settings/ChangePassword': entry(ChangePassword)({
    empty: () => ({ name: 'x', close: nothing }),
    'in the wrong': { act: press(m.safety_password_button()), props: () => ({ name: 'x', close: nothing }) },
  }),
  'settings/Coins': entry(Coins)({
    many: { height: 640, ...ofView() },
    none: { world: () => enter(view(), { outputs: async () => [] }), props: () => ({ view: view() }) },
  }),
  'settings/CoinTable': entry(CoinTable)({
    'every hold': {
      wide: true,
      props: () => ({
        ...{ coins: HOLDS.map((hold, i) => coinOf(i, hold)), list: new CoinList() },
        ...{ addressOf: () => LONG_NAME.slice(0, 40), choosable: true, onfreeze: nothing, onshow: nothing },
      }),
    },
  }),
  'settings/CoinFacts': entry(CoinFacts)({
    usual: { world: () => enter(), props: () => ({ coin: coinOf(1, undefined), address: 'Shop', rename: saves }) },
    'without a key image': () => ({
      coin: { ...coinOf(0, 'no-key-image'), keyImage: undefined },
      address: LONG_NAME,
      rename: saves,
    }),
  }),
  'settings/Console': entry(Console)({
    loading: plain,
    'none chosen': { world: () => host({ rpcMethods: async () => methods }), props: plain },
    'a method': {
      world: () => host({ rpcMethods: async () => methods }),
      ...{ act: write(m.console_method(), 'transfer'), props: plain },
    },
    answered: runs(async () => ({ open: true, result: '{\n  "balance": 12345678901234\n}' })),
    'an error': runs(async () => ({ open: true, code: -17, message: 'not enough money' })),
    'a payment in the open': {
      world: async () => {
        host({ rpcMethods: async () => methods });
        const open = { ...prepared(), warnings: ['all-in-the-open'] };
        await enter(view(), { payments: { prepareUnmixable: async () => open } });
      },
      act: steps(write(m.console_method(), 'sweep_dust'), press(m.console_run())),
      ...{ height: 900, props: plain },
    },
    'a secret': { ...runs(refusing('HostError', 'password-needed')), height: 900 },
  }),
  'settings/Contacts': entry(Contacts)({
    several: plain,
    none: { world: () => enter(view(), { contacts: async () => [] }), props: plain },
    'many, one looked for': {
      world: () => enter(view(), { contacts: async () => manyContacts }),
      act: write(m.contacts_search(), 'shop 3'),
      props: plain,
    },
    'a new one, too early': { height: 620, act: steps(press(m.contacts_new()), press(m.save())), props: plain },
    'an address that is there already': {
      ...{ height: 640, act: steps(press(m.contacts_new()), write(m.send_address(), OTHER)) },
      props: plain,
    },
  }),
  'settings/ContactsTable': entry(ContactsTable)({
    usual: plain,
    'some left out': {
      height: 200,
      world: async () => {
        host({ checkAddress: async () => 'standard' });
        await enter(view(), { saveContact: async () => undefined });
      },
      act: give('contacts.csv', `name,address\nAna,${OTHER}\nBea,\n`),
      props: plain,
    },
  }),
  'settings/Daemon': entry(Daemon)({
    'the gateway': { ...ofView(), props: plain },
    'none yet': {
      world: async () => {
        session.site = { network: undefined, regtest: false, daemon: undefined, faucet: false };
        await enter(view({ sync: nodeless }));
      },
      props: plain,
    },
    'one of its own, which fails': {
      world: async () => {
        host({ daemon: async () => ({ url: 'http://node.example:18081', username: 'ana', trusted: false }) });
        await enter(view({ secondDaemon: second }), { tryDaemon: refusing('DaemonError', 'unreachable') });
      },
      act: steps(write(m.daemon_password(), 'x'), press(m.daemon_save())),
      props: plain,
    },
  }),
  'settings/FindPayment': entry(FindPayment)({
    'a wrong id': { act: steps(write(m.tx_id(), 'abc'), press(m.find_button())), props: plain },
    found: finds(async () => HEIGHT - 900),
    'not this wallet’s': finds(async () => undefined),
    'not known to the node': finds(refusing('WalletError', 'not-found')),
  }),
  'settings/Ledger': entry(Ledger)({
    'not connected': ofView({ kind: 'device', unseen: { coins: 4, scanFrom: undefined } }),
    connected: { world: () => void Object.assign(ledger, { met: ledgerMet }), props: () => ({ view: view({ kind: 'device' }) }) },
  }),
  'settings/Lookahead': entry(Lookahead)({
    usual: () => ({ view: view() }),
    'less than now': {
      act: steps(write(m.ahead_addresses(), '20'), press(m.ahead_button())),
      props: () => ({ view: view() }),
    },
    'too many': {
      world: () =>
        enter(view(), { addresses: { setLookahead: refusing('WalletError', 'lookahead-out-of-range', { most: 2_000_000 }) } }),
      act: steps(write(m.ahead_addresses(), '900000'), press(m.ahead_button())),
      props: () => ({ view: view() }),
    },
    widened: {
      world: () => enter(view(), { addresses: { setLookahead: async () => undefined } }),
      act: steps(write(m.ahead_addresses(), '1000'), press(m.ahead_button())),
      props: () => ({ view: view() }),
    },
  }),
  'settings/NodeField': entry(NodeField)({
    empty: () => ({ label: m.nodes_add_label(), url: '', bad: false }),
    'in the wrong': () => ({ label: m.nodes_add_label(), url: 'x', bad: true }),
  }),
  'settings/Nodes': entry(Nodes)({
    'every health': { world: manyNodes, props: () => ({ own: NODE, take: async () => undefined }) },
  }),
  'settings/Offline': entry(Offline)({
    'the half that signs': ofView(),
    'the half that watches': ofView({ kind: 'view', unseen: { coins: 3, scanFrom: undefined } }),
    'a set to be signed': readsSet(async () => review({ warnings: ['links-subaddresses'] })),
    'a damaged file': readsSet(refusing('OfflineSigningError', 'damaged-file')),
  }),
  'settings/Passkey': entry(Passkey)({
    'none here': () => ({ name: 'nobody' }),
    'set up': { world: () => hasAll(passkeys), props: () => ({ name: 'Savings' }) },
  }),
  'settings/Pin': entry(Pin)({
    none: () => ({ name: 'nobody' }),
    'being set up': { height: 620, act: press(m.pin_add()), props: () => ({ name: 'nobody' }) },
    'set up': { world: () => hasAll(pins), props: () => ({ name: 'Savings' }) },
  }),
  'settings/Rename': entry(Rename)({
    named: ofView(),
    taken: {
      world: () => {
        session.wallets = [{ name: 'Holiday', network: 'mainnet', kind: 'full' }];
        return enter();
      },
      act: steps(write(m.wallet_name(), 'Holiday'), press(m.save())),
      props: () => ({ view: view() }),
    },
  }),
  'settings/Safety': entry(Safety)({
    list: safety(undefined),
    'list, of a view-only wallet': safety(undefined, { kind: 'view' }),
    backup: safety('backup'),
    unlock: safety('unlock'),
    lock: safety('lock'),
    programs: safety('programs'),
    'backup, one of a group': safety('backup', { kind: 'multisig', group: group.made }),
  }),
  'settings/SaveKeysFile': entry(SaveKeysFile)({
    empty: () => ({ name: 'Savings', close: nothing }),
    'wrong password': {
      world: () => enter(view(), { exportKeysFile: refusing('StorageError', 'wrong-password') }),
      act: steps(write(m.password(), 'x'), press(m.save())),
      props: () => ({ name: 'Savings', close: nothing }),
    },
  }),
  'settings/Scan': entry(Scan)({
    'at the tip': () => ({ view: view() }),
    paused: () => ({ view: view({ sync: sync({ phase: 'paused', height: 3_150_000 }) }) }),
    'asks back': {
      ...{ height: 760, act: steps(write(m.from_height_label(), '0'), press(m.scan_again_button())) },
      props: () => ({ view: view() }),
    },
  }),
  'settings/SecondDaemon': entry(SecondDaemon)({
    none: () => ({ secondDaemon: undefined }),
    agrees: () => ({ secondDaemon: second }),
    'in the wrong': { act: press(m.second_daemon_save()), props: () => ({ secondDaemon: undefined }) },
  }),
};

async function manyNodes(): Promise<void> {
  await enter(view());
  const measured: readonly Measured[] = [
    { health: { ...healthy, agrees: undefined } },
    { health: { ...healthy, agrees: true } },
    { health: { ...healthy, agrees: false } },
    { health: { ...healthy, behind: 4012, agrees: undefined } },
    { health: { ...healthy, outdated: true, agrees: undefined } },
    { health: { ...healthy, rightNetwork: false, agrees: undefined } },
    { problem: m.err_daemon_unreachable(), code: 'unreachable' },
    { problem: m.daemon_cors({ origin: window.location.origin }), code: 'cors' },
  ];
  const urls = measured.map((_, i) =>
    i === 0 ? NODE : i === 5 ? `http://${'q'.repeat(56)}.onion:18081` : `http://${i}.node.example:18081`,
  );
  nodes.list = urls;
  nodes.measured = new Map(measured.map((one, i) => [urls[i] ?? '', one]));
  nodes.measuring = new Set([urls[2] ?? '']);
  nodes.usage = new Map([[NODE, { since: Date.now(), payments: 2 }]]);
}

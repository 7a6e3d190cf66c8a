import AccountList from '../../components/AccountList.svelte';
import AccountPicker from '../../components/AccountPicker.svelte';
import Actions from '../../components/Actions.svelte';
import AddressText from '../../components/AddressText.svelte';
import Amount from '../../components/Amount.svelte';
import Arrivals from '../../components/Arrivals.svelte';
import Authenticate from '../../components/Authenticate.svelte';
import Callout from '../../components/Callout.svelte';
import CheckBlock from '../../components/CheckBlock.svelte';
import Checkbox from '../../components/Checkbox.svelte';
import CoinRow from '../../components/CoinRow.svelte';
import Columns from '../../components/Columns.svelte';
import ContactPicker from '../../components/ContactPicker.svelte';
import CopyButton from '../../components/CopyButton.svelte';
import Dialog from '../../components/Dialog.svelte';
import EmptyState from '../../components/EmptyState.svelte';
import Fact from '../../components/Fact.svelte';
import Field from '../../components/Field.svelte';
import FileButton from '../../components/FileButton.svelte';
import Form from '../../components/Form.svelte';
import GiveUp from '../../components/GiveUp.svelte';
import Heading from '../../components/Heading.svelte';
import HistoryRow from '../../components/HistoryRow.svelte';
import Icon from '../../components/Icon.svelte';
import OfflineDeviceStatus from '../../components/OfflineDeviceStatus.svelte';
import PasswordForm from '../../components/PasswordForm.svelte';
import SearchField from '../../components/SearchField.svelte';
import SegmentedControl from '../../components/SegmentedControl.svelte';
import { m } from '../../language/messages.ts';
import { CoinList } from '../../managers/coins.svelte.ts';
import { device } from '../../managers/device.svelte.ts';
import { discreet } from '../../managers/discreet.svelte.ts';
import { pins } from '../../managers/pin.svelte.ts';
import { press, steps, write } from '../act.ts';
import { enter, hasAll, host, refusing } from '../answers.ts';
import { button, buttons, type Entry, entry, markup, nothing, words } from '../sample.ts';
import {
  accounts,
  coinOf,
  entryOf,
  HASH,
  HOLDS,
  history,
  LONG_NAME,
  MOST,
  OWN,
  paid,
  sync,
  unmined,
  view,
  young,
} from '../values.ts';

const unchecked = { txHash: HASH, onchecked: nothing, onfalse: nothing };
const stranger = { url: 'http://node.example:18081', trusted: false };
const hide = (): void => {
  discreet.on = true;
};
const coin = (coins: readonly ReturnType<typeof coinOf>[], choosable: boolean) => () =>
  coins.map((one) => ({
    coin: one,
    list: new CoinList(),
    address: LONG_NAME.slice(0, 40),
    choosable,
    onfreeze: nothing,
    onshow: nothing,
  }));

/** Components that every room uses, A to I. */
export const shared: Readonly<Record<string, Entry>> = {
  AccountList: entry(AccountList)({
    'a few': () => ({ view: view() }),
    many: () => ({ view: view({ accounts: accounts(9) }) }),
    'hidden amounts': { world: hide, props: () => ({ view: view() }) },
  }),
  AccountPicker: entry(AccountPicker)({ several: () => ({ view: view() }) }),
  Actions: entry(Actions)({
    two: () => ({ children: buttons(button(m.review_confirm()), button(m.review_back(), '')) }),
  }),
  AddressText: entry(AddressText)({ whole: () => ({ address: OWN }) }),
  Amount: entry(Amount)({
    hero: () => ({ amount: 12_345_678_901_234n, size: 'hero' }),
    'hero, nothing': () => ({ amount: 0n, size: 'hero' }),
    'hero, not sure': () => ({ amount: 1_500_000_000_000n, size: 'hero', unsure: true }),
    'hero, the most there can be': () => ({ amount: MOST, size: 'hero' }),
    'hero, hidden': { world: hide, props: () => ({ amount: 1n, size: 'hero', veil: true }) },
    large: () => ({ amount: 400_044_200_000n, size: 'large' }),
    plain: () => ({ amount: 1_234_567_890_123n }),
    short: () => ({ amount: 1_234_567_890_123n, short: true }),
    'in a column': {
      listed: 'rows',
      props: () => [1_234_567_890_123n, 12_500_000_000_000n, MOST].map((amount) => ({ amount, column: true })),
    },
    'a fee': () => ({ amount: 44_200_000n, exact: true }),
    'came in': () => ({ amount: 1_250_000_000_000n, sign: '+' }),
    'went out': () => ({ amount: 1_250_000_000_000n, sign: '−' }),
  }),
  Arrivals: entry(Arrivals)({
    none: { world: () => enter(view()), props: () => ({ minor: 9 }) },
    'none, out of reach': { world: () => enter(view({ sync: sync({ phase: 'offline' }) })), props: () => ({ minor: 9 }) },
    'seen, in a block, sent twice': {
      world: () => enter(view(), { history: async () => [unmined, young, { ...unmined, doubleSpendSeen: true }].map(arrival) }),
      props: () => ({ minor: 3 }),
    },
  }),
  PasswordForm: entry(PasswordForm)({
    empty: () => ({ button: m.save(), run: async () => undefined }),
    'wrong password': {
      act: steps(write(m.password(), 'x'), press(m.save())),
      props: () => ({ button: m.save(), run: refusing('StorageError', 'wrong-password') }),
    },
  }),
  Callout: entry(Callout)({
    plain: () => ({ children: words(m.review_final()) }),
    good: () => ({ tone: 'good', icon: 'check', children: words(m.group_address_done()) }),
    warn: () => ({ tone: 'warn', children: words(m.offline_unchecked()) }),
    bad: () => ({ tone: 'bad', children: words(m.err_worker_stopped()) }),
    'long word': () => ({ children: words(OWN) }),
  }),
  Checkbox: entry(Checkbox)({
    off: () => ({ checked: false, children: words(m.coins_show_spent()) }),
    on: () => ({ checked: true, children: words(m.daemon_trusted()) }),
  }),
  CheckBlock: entry(CheckBlock)({
    plain: () => unchecked,
    'what the node learns': {
      props: () => unchecked,
      world: () => host({ daemon: async () => stranger }),
      act: press(m.block_check()),
      height: 460,
    },
    'not shown': {
      props: () => unchecked,
      world: async () => {
        host({ daemon: async () => stranger });
        await enter(view(), { chain: { verifyPayment: async () => false } });
      },
      act: steps(press(m.block_check()), press(m.block_yes())),
    },
  }),
  SearchField: entry(SearchField)({
    empty: () => ({ label: m.contacts_search(), value: '', none: false }),
    'nothing found': () => ({ label: m.contacts_search(), value: 'bakery', none: true }),
  }),
  SegmentedControl: entry(SegmentedControl)({
    three: () => ({
      legend: m.from_legend(),
      value: 'date',
      options: [
        { value: 'date', label: m.from_date() },
        { value: 'height', label: m.from_height() },
        { value: 'start', label: m.from_start() },
      ],
    }),
    'two, legend read aloud': () => ({
      ...{ legend: m.daemon_route(), hideLegend: true, value: 'b' },
      options: [
        { value: 'a', label: m.daemon_gateway() },
        { value: 'b', label: m.daemon_direct() },
      ],
    }),
  }),
  CoinRow: entry(CoinRow)({
    'every hold': {
      listed: 'rows',
      props: coin(
        HOLDS.map((hold, i) => coinOf(i, hold)),
        true,
      ),
    },
    'not to be chosen': { listed: 'rows', props: coin([coinOf(1, undefined), coinOf(2, 'locked', MOST)], false) },
  }),
  Columns: entry(Columns)({
    two: () => ({ children: words(m.about_keys_text()), aside: words(m.about_daemon_text()) }),
  }),
  ContactPicker: entry(ContactPicker)({
    closed: () => ({ onchosen: nothing }),
    open: { height: 460, act: press(m.contacts_title()), props: () => ({ onchosen: nothing }) },
    many: { height: 700, world: manyContacts, act: press(m.contacts_title()), props: () => ({ onchosen: nothing }) },
  }),
  CopyButton: entry(CopyButton)({
    small: () => ({ text: OWN }),
    'with words': () => ({ text: OWN, label: m.receive_copy_address(), small: false }),
    'what most came for': () => ({ text: OWN, label: m.receive_copy_address(), primary: true }),
  }),
  OfflineDeviceStatus: entry(OfflineDeviceStatus)({
    'not kept yet': () => ({ change: true }),
    'kept, still online': { world: () => void Object.assign(device, { kept: true }), props: () => ({}) },
  }),
  Dialog: entry(Dialog)({
    open: { height: 320, props: () => ({ open: true, title: m.scan_ask_title(), children: words(m.scan_ask_meanwhile()) }) },
    'long title': { height: 320, props: () => ({ open: true, title: LONG_NAME, children: words(OWN) }) },
  }),
  EmptyState: entry(EmptyState)({
    plain: () => ({ text: m.history_empty_syncing() }),
    'with a way on': () => ({ text: m.tx_unknown_text(), children: markup(`<a href="#/">${m.home_all()}</a>`) }),
    'with an icon': () => ({ icon: 'people', text: m.contacts_none() }),
  }),
  Fact: entry(Fact)({ plain: () => ({ name: m.tx_fee(), look: 'num', children: words('0.0000442') }) }),
  Field: entry(Field)({
    empty: () => ({ label: m.amount(), value: '', placeholder: '0.00' }),
    'filled, with a hint': () => ({ label: m.wallet_name(), value: LONG_NAME, hint: m.receive_label_hint() }),
    'in the wrong': () => ({ label: m.amount(), value: '1,2,3', error: m.err_amount_format() }),
    'too long': () => ({ label: m.wallet_name(), value: LONG_NAME, most: 10 }),
    'a few secret digits': () => ({ label: m.pin(), value: '123456', type: 'password' as const, code: true }),
    lines: () => ({ label: m.send_address(), value: OWN, lines: 3, mono: true, hint: m.send_address_hint() }),
    'lines in the wrong': () => ({ label: m.send_address(), value: 'x', lines: 3, mono: true, error: m.err_address_form() }),
  }),
  FileButton: entry(FileButton)({
    plain: () => ({ text: m.offline_load_unsigned(), onfile: nothing }),
    'small, busy': () => ({ text: m.offline_busy(), small: true, disabled: true, onfile: nothing }),
  }),
  Form: entry(Form)({ 'with a button': () => ({ submit: nothing, children: markup(button(m.save())) }) }),
  GiveUp: entry(GiveUp)({ plain: () => ({ txHash: '' }) }),
  Heading: entry(Heading)({
    plain: () => ({ text: m.nav_history(), focus: false }),
    'with a way back': () => ({ text: m.review_title(), back: 'x', focus: false }),
    long: () => ({ text: LONG_NAME, back: 'x', focus: false }),
  }),
  HistoryRow: entry(HistoryRow)({
    'every state': {
      listed: 'rows',
      props: () =>
        [
          {},
          { note: LONG_NAME },
          { direction: 'mined' as const, amount: 600_000_000_000n },
          unmined,
          young,
          { ...young, confirmations: 12, unlockTime: 3_500_000n },
          { verified: false },
          { doubleSpendSeen: true },
          paid,
          { ...paid, note: m.proof_title() },
          { ...paid, ...unmined, state: 'sent' as const },
          { ...paid, ...unmined, state: 'failed' as const, amount: MOST },
        ].map((more, i) => ({ entry: entryOf({ ...more, txHash: `${i}` }) })),
    },
    many: { listed: 'rows', props: () => history(20).map((one) => ({ entry: one })) },
    'hidden amounts': { world: hide, listed: 'rows', props: () => history(3).map((one) => ({ entry: one })) },
  }),
  Icon: entry(Icon)({ usual: () => ({ name: 'home' }), large: () => ({ name: 'scan', size: 40 }) }),
  Authenticate: entry(Authenticate)({
    password: () => asking('nobody'),
    'wrong password': {
      act: steps(write(m.password(), 'x'), press(m.unlock())),
      props: () => ({ ...asking('nobody'), done: refusing('StorageError', 'wrong-password') }),
    },
    PIN: { world: () => hasAll(pins), props: () => asking('Savings') },
    busy: {
      act: steps(write(m.password(), 'x'), press(m.unlock())),
      props: () => ({ ...asking('nobody'), done: () => new Promise<never>(nothing) }),
    },
  }),
};

function asking(name: string) {
  return { name, label: m.unlock(), busy: m.unlocking(), passkey: m.passkey_unlock(), done: async () => undefined };
}

function arrival(more: object, i: number) {
  return { ...entryOf(more), txHash: `${i}`, subaddresses: [{ major: 0, minor: 3 }] };
}

function manyContacts(): Promise<void> {
  const many = Array.from({ length: 24 }, (_, i) => ({
    id: `${i}`,
    address: OWN,
    description: i === 2 ? LONG_NAME : `Ana ${i + 1}`,
  }));
  return enter(view(), { contacts: async () => many });
}

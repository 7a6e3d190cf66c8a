import ActionRow from '../../components/ActionRow.svelte';
import FindWord from '../../components/FindWord.svelte';
import Keypad from '../../components/Keypad.svelte';
import LabelDialog from '../../components/LabelDialog.svelte';
import LazyComponent from '../../components/LazyComponent.svelte';
import LinkList from '../../components/LinkList.svelte';
import Logo from '../../components/Logo.svelte';
import NewPassword from '../../components/NewPassword.svelte';
import NightScene from '../../components/NightScene.svelte';
import Notices from '../../components/Notices.svelte';
import PasswordField from '../../components/PasswordField.svelte';
import PaymentFacts from '../../components/PaymentFacts.svelte';
import PaymentKey from '../../components/PaymentKey.svelte';
import PaymentProof from '../../components/PaymentProof.svelte';
import PaymentReview from '../../components/PaymentReview.svelte';
import PinPad from '../../components/PinPad.svelte';
import PriceJumpWarning from '../../components/PriceJumpWarning.svelte';
import PriceSource from '../../components/PriceSource.svelte';
import ProgressBar from '../../components/ProgressBar.svelte';
import QrCode from '../../components/QrCode.svelte';
import QrSquare from '../../components/QrSquare.svelte';
import QrZoom from '../../components/QrZoom.svelte';
import RecipientFields from '../../components/RecipientFields.svelte';
import RemoveWallet from '../../components/RemoveWallet.svelte';
import ReservedHeight from '../../components/ReservedHeight.svelte';
import RestoreFrom from '../../components/RestoreFrom.svelte';
import SavePayee from '../../components/SavePayee.svelte';
import SecondDaemonLine from '../../components/SecondDaemonLine.svelte';
import SecretCheck from '../../components/SecretCheck.svelte';
import SeedEntry from '../../components/SeedEntry.svelte';
import SeedWords from '../../components/SeedWords.svelte';
import SendReview from '../../components/SendReview.svelte';
import SendStages from '../../components/SendStages.svelte';
import Sent from '../../components/Sent.svelte';
import ShortAddress from '../../components/ShortAddress.svelte';
import SortHeading from '../../components/SortHeading.svelte';
import StatusDot from '../../components/StatusDot.svelte';
import Steps from '../../components/Steps.svelte';
import SyncLine from '../../components/SyncLine.svelte';
import ThemeButton from '../../components/ThemeButton.svelte';
import UpdateOffer from '../../components/UpdateOffer.svelte';
import WalletCreationFields from '../../components/WalletCreationFields.svelte';
import WalletCreationSteps from '../../components/WalletCreationSteps.svelte';
import WalletName from '../../components/WalletName.svelte';
import { decimalSign } from '../../language/formats.ts';
import { m } from '../../language/messages.ts';
import { fiat } from '../../managers/fiat.svelte.ts';
import { NewName } from '../../managers/new-name.svelte.ts';
import { NewPassword as Password } from '../../managers/new-password.svelte.ts';
import { notices } from '../../managers/notices.svelte.ts';
import { RestoreStart } from '../../managers/restore-start.svelte.ts';
import { SendFlow } from '../../managers/send.svelte.ts';
import { SendForm } from '../../managers/send-form.svelte.ts';
import { update } from '../../managers/update.svelte.ts';
import { WalletCreation } from '../../managers/wallet-creation.svelte.ts';
import { toAtomic } from '../../services/atomic.ts';
import { qrPath } from '../../services/qr.ts';
import { press, steps, unfold, write } from '../act.ts';
import { host, refusing } from '../answers.ts';
import { button, buttons, type Entry, entry, markup, nothing, words } from '../sample.ts';
import { HASH, HEIGHT, LONG_NAME, LONG_WORDS, OTHER, OWN, prepared, sync, WORDS } from '../values.ts';

/** A coin at a price, by hand. */
const inEuros = () => fiat.useHand('EUR', 152n * 10n ** 12n);
const facts = { recipients: [{ address: OTHER, amount: 400_000_000_000n }], amount: 400_000_000_000n, fee: 44_200_000n };
const ownAddress = () => m.own_yes({ address: m.quoted({ text: LONG_NAME }), account: m.quoted({ text: m.account_primary() }) });
const reviewed = buttons<[boolean]>(button(m.review_confirm()), button(m.review_back(), ''));
const second = { url: 'https://node.example:18089', height: HEIGHT, agreedTo: HEIGHT, at: 0, error: undefined };
const checked = { unknown: [], completions: [], checksum: undefined, polyseed: undefined, holdsSeed: true };
const stopped = (code: string) => ({ code, message: code });

/** A search for the wrong word of a seed. */
const findsWord = (findSeedWord: () => Promise<unknown>) => ({
  world: () => host({ checkAddress: async () => 'standard', findSeedWord }),
  act: steps(write(m.watch_address(), OWN), press(m.find_word_button())),
  props: () => ({ words: '', take: nothing }),
});

/** A payment on its way. */
export function flowOf(more: Partial<SendFlow> = {}, count = 1): SendFlow {
  const flow = new SendFlow(() => 'mainnet');
  fill(flow.form);
  return Object.assign(flow, { prepared: prepared(count) }, more);
}

/** A payment that is being filled in. */
export function formOf(more: Partial<SendForm> = {}): SendForm {
  const form = new SendForm(() => 'mainnet');
  fill(form);
  return Object.assign(form, more);
}

function fill({ recipients }: SendForm): void {
  Object.assign(recipients[0] ?? {}, { address: OTHER, amount: '0.4' });
}

/** The key of a payment, asked for and answered so. */
const keyOf = (said: string | undefined) => ({
  world: () => host({ revealTxKey: async () => said }),
  act: steps(unfold, write(m.password(), 'x'), press(m.txkey_show())),
  props: () => ({ txHash: HASH }),
});

function recipientOf(more: Partial<SendForm>, fields: object = {}) {
  const form = formOf(more);
  const recipient = form.recipients[0] as SendForm['recipients'][number];
  return { form, recipient: Object.assign(recipient, fields), index: 0, over: '', remove: nothing };
}

/** Components that every room uses, K to Z. */
export const more: Readonly<Record<string, Entry>> = {
  ReservedHeight: entry(ReservedHeight)({ 'what comes and goes': () => ({ children: words(m.arrival_unknown()) }) }),
  Keypad: entry(Keypad)({
    'a PIN': () => ({ press: nothing, erase: nothing }),
    'an amount': () => ({ press: nothing, erase: nothing, sign: decimalSign() }),
  }),
  LabelDialog: entry(LabelDialog)({
    new: { height: 340, props: () => labelling({}) },
    'has one': { height: 340, props: () => labelling({ before: LONG_NAME }) },
    failed: {
      ...{ height: 460, act: press(m.save()) },
      props: () => labelling({ save: refusing('page', 'worker-stopped') }),
    },
  }),
  LinkList: entry(LinkList)({
    'one chosen': () => ({ links: places(), current: 'a' }),
    compact: () => ({ links: places(), compact: true, current: 'b' }),
  }),
  WalletCreationFields: entry(WalletCreationFields)({
    empty: () => creation(new WalletCreation()),
    'asked for too early': () => creation(Object.assign(new WalletCreation(), { tried: true })),
    busy: () => {
      const busy = new WalletCreation();
      busy.attempt.busy = true;
      return creation(busy);
    },
    failed: () => {
      const failed = new WalletCreation();
      failed.attempt.problem = m.err_disk_full();
      return creation(failed);
    },
  }),
  SortHeading: entry(SortHeading)({
    ascending: () => ({ text: m.amount(), column: 'amount', sorting: { by: 'amount', down: false }, choose: nothing }),
    descending: () => ({ text: m.amount(), column: 'amount', sorting: { by: 'amount', down: true }, choose: nothing }),
    another: () => ({ text: m.amount(), column: 'amount', sorting: { by: 'name', down: true }, choose: nothing }),
  }),
  WalletCreationSteps: entry(WalletCreationSteps)({
    'the first': () => ({
      ...{ place: 'restore', title: m.restore_title(), back: '', creation: new WalletCreation(), start: new RestoreStart() },
      ...{ button: m.restore_finish(), read: async () => false, finish: async () => undefined, children: words(m.keys_text()) },
    }),
  }),
  Logo: entry(Logo)({ small: () => ({}), large: () => ({ size: 96 }) }),
  ActionRow: entry(ActionRow)({
    list: {
      listed: 'entries',
      props: () =>
        ['Ana', LONG_NAME].map((name, i) => ({
          id: `named-${i}`,
          button: m.contacts_change(),
          onclick: nothing,
          children: words(name),
        })),
    },
    'to be used': {
      listed: 'entries',
      props: () =>
        ['Ana', LONG_NAME].map((name, i) => ({
          id: `used-${i}`,
          button: m.contacts_change(),
          onclick: nothing,
          use: { onclick: nothing, text: m.nav_send() },
          children: words(name),
        })),
    },
  }),
  NewPassword: entry(NewPassword)({
    empty: () => ({ password: new Password(), tried: false }),
    short: () => ({ password: Object.assign(new Password(), { text: 'abc' }), tried: true }),
    common: () => ({ password: Object.assign(new Password(), { text: 'password1' }), tried: true }),
    different: () => ({ password: Object.assign(new Password(), { text: 'correct horse', again: 'x' }), tried: true }),
  }),
  NightScene: entry(NightScene)({ whole: { height: 500, props: () => ({}) } }),
  Notices: entry(Notices)({
    three: {
      height: 360,
      world: () => {
        notices.list = (['plain', 'good', 'bad'] as const).map((tone, id) => ({ id, tone, text: NOTICES[tone]() }));
      },
      props: () => ({}),
    },
  }),
  LazyComponent: entry(LazyComponent)({
    there: () => ({ load: Promise.resolve({ default: ThemeButton as never }), props: {} }),
    'did not come': () => ({ load: Promise.reject(new Error('offline')), props: {} }),
  }),
  PasswordField: entry(PasswordField)({
    empty: () => ({ label: m.password(), value: '' }),
    'filled, in the wrong': () => ({ label: m.password(), value: 'correct horse', error: m.err_wrong_password() }),
  }),
  PaymentFacts: entry(PaymentFacts)({
    one: () => ({ ...facts, transactions: 1 }),
    'asked for, in a stranger’s words': () => ({
      ...{ ...facts, transactions: 1 },
      recipients: [{ address: OWN, amount: facts.amount, asked: LONG_NAME }],
    }),
    'to an address of one’s own': () => ({
      ...{ ...facts, transactions: 1 },
      recipients: [{ address: OWN, amount: facts.amount, own: ownAddress() }],
    }),
    'several, with change': () => ({
      ...{
        ...facts,
        transactions: 2,
        change: 18_446_744_073_709_551_615n,
        note: 'The flat, and what the plumber had for the tap in it',
      },
      recipients: [OTHER, OWN].map((address) => ({ address, amount: 200_000_000_000n })),
    }),
  }),
  PaymentKey: entry(PaymentKey)({
    closed: () => ({ txHash: HASH }),
    asks: { act: unfold, props: () => ({ txHash: HASH }) },
    shown: keyOf(HASH),
    'not here': keyOf(undefined),
  }),
  PaymentProof: entry(PaymentProof)({
    empty: () => ({ txHash: '', destinations: destinations(1) }),
    'several paid, made': {
      world: () => host({ provePayment: async () => `OutProofV2${'5mT9rYz3KqWcLb8vHs'.repeat(9)}` }),
      act: press(m.proof_make()),
      props: () => ({ txHash: '', destinations: destinations(2) }),
    },
    failed: {
      world: () => host({ provePayment: refusing('ProofError', 'no-tx-key') }),
      act: press(m.proof_make()),
      props: () => ({ txHash: '', destinations: destinations(1) }),
    },
  }),
  PaymentReview: entry(PaymentReview)({
    plain: () => ({ facts: { ...facts, transactions: 1 }, warnings: [], children: reviewed }),
    'a fee above the amount': () => ({
      facts: { ...facts, amount: 1n, transactions: 1 },
      warnings: ['fee-above-amount'],
      children: reviewed,
    }),
    'all that can be warned of': () => ({
      facts: { ...facts, fee: 300_000_000_000n, transactions: 2 },
      warnings: ['several-transactions', 'all-in-the-open', 'links-subaddresses', 'unlock-time-not-relayed', 'fee-above-amount'],
      children: reviewed,
    }),
  }),
  PinPad: entry(PinPad)({
    empty: () => ({ value: '' }),
    'some digits': () => ({ value: '4802' }),
    'the most, wrong': () => ({ value: '480215480215', error: m.err_pin_wrong({ count: 4 }) }),
  }),
  PriceJumpWarning: entry(PriceJumpWarning)({
    usual: () => ({
      rate: {
        currency: 'EUR',
        price: 90n * 10n ** 12n,
        at: 1_764_072_000_000,
        before: { price: 152n * 10n ** 12n, at: 1_764_072_000_000 - 3_600_000 },
      },
    }),
  }),
  PriceSource: entry(PriceSource)({
    'by hand': { world: inEuros, props: () => ({ rate: { currency: 'EUR', price: 152n, at: 1_764_072_000_000 } }) },
  }),
  ProgressBar: entry(ProgressBar)({
    unknown: () => ({ label: m.sync_label(), part: undefined }),
    begun: () => ({ label: m.sync_label(), part: 0.02 }),
    'nearly done': () => ({ label: m.sync_label(), part: 0.97 }),
  }),
  QrCode: entry(QrCode)({
    address: () => ({ text: `monero:${OWN}` }),
    'across a counter': () => ({ text: `monero:${OWN}`, large: true }),
  }),
  QrZoom: entry(QrZoom)({
    usual: () => ({ text: `monero:${OWN}`, address: OWN, title: LONG_NAME }),
    'as large as can be': {
      ...{ height: 760, act: press(m.qr_larger()) },
      props: () => ({ text: `monero:${OWN}?tx_amount=0.4`, address: OWN, title: m.receive_primary() }),
    },
  }),
  QrSquare: entry(QrSquare)({
    usual: () => ({ code: qrPath('monero'), label: m.qr_label() }),
    large: () => ({ code: qrPath(`monero:${OWN}?tx_amount=0.4`), label: m.qr_label(), large: true }),
  }),
  RecipientFields: entry(RecipientFields)({
    empty: () => recipientOf({}, { address: '', amount: '' }),
    filled: () => recipientOf({}, { message: LONG_NAME }),
    'in the wrong': () =>
      recipientOf({ tried: true }, { address: 'x', amount: '1.2345678901234', addressProblem: m.err_address_form() }),
    'more than there is': () => ({ ...recipientOf({}, { amount: '120' }), over: m.send_over({ amount: '12.5' }) }),
    everything: () => recipientOf({ sweep: true }),
    'with money beside it': { world: inEuros, props: () => recipientOf({}, { amount: '0.4' }) },
    'typed in money': {
      world: inEuros,
      act: press(m.send_type_in({ money: 'EUR' })),
      props: () => recipientOf({}, { amount: '0.4' }),
    },
    'one of several': () => {
      const { form, ...one } = recipientOf({});
      form.add();
      return { form, ...one };
    },
  }),
  RemoveWallet: entry(RemoveWallet)({
    'by password': removing,
    'by name': { act: press(m.remove_forgotten()), props: removing },
    'wrong password': {
      act: steps(write(m.password(), 'x'), press(m.remove_confirm())),
      props: () => ({ ...removing(), remove: refusing('StorageError', 'wrong-password') }),
    },
  }),
  RestoreFrom: entry(RestoreFrom)({
    'by a day': () => ({ start: new RestoreStart(), tried: false }),
    'a day is chosen': () => ({ start: Object.assign(new RestoreStart(), { date: '2024-03-01' }), tried: false }),
    'no day': () => ({ start: new RestoreStart(), tried: true }),
    'no height': () => ({ start: Object.assign(new RestoreStart(), { kind: 'height', height: 'x' }), tried: true }),
    'not sure': () => ({ start: Object.assign(new RestoreStart(), { kind: 'start' }), tried: false }),
  }),
  SavePayee: entry(SavePayee)({
    'not there': { height: 360, act: press(m.contacts_save()), props: () => ({ address: '' }) },
    'there already': () => ({ address: OTHER }),
  }),
  SecretCheck: entry(SecretCheck)({
    'of words': { world: () => host({ checkSeed: async () => checked }), props: () => ({ text: WORDS.join(' ') }) },
    'of a key': () => ({ text: 'ab'.repeat(32), address: true }),
  }),
  SecondDaemonLine: entry(SecondDaemonLine)({
    agree: () => ({ secondDaemon: { ...second, verdict: 'agree' } }),
    'not compared': () => ({ secondDaemon: { ...second, verdict: 'not-compared' } }),
    disagree: () => ({ secondDaemon: { ...second, verdict: 'disagree' } }),
    'disagree on all': () => ({ secondDaemon: { ...second, verdict: 'disagree', agreedTo: undefined } }),
    failed: () => ({ secondDaemon: { ...second, verdict: 'not-compared', error: stopped('unreachable') } }),
  }),
  FindWord: entry(FindWord)({
    empty: () => ({ words: '', take: nothing }),
    'of 16 words': () => ({ words: '', withPassphrase: true, take: nothing }),
    found: findsWord(async () => ({ position: 6, word: 'regular', words: WORDS.join(' ') })),
    'none found': findsWord(async () => undefined),
    looking: findsWord(() => new Promise(() => undefined)),
  }),
  SeedEntry: entry(SeedEntry)({
    empty: () => ({ words: '', checked: undefined, error: undefined, onscan: nothing }),
    'being written': () => ({
      words: 'raven xyzzy swe',
      checked: { ...checked, words: ['raven', 'xyzzy', 'swe'], unknown: [1, 2], completions: ['swear', 'sweet', 'swift'] },
      error: undefined,
      onscan: nothing,
    }),
    'whole, in the wrong': () => ({
      words: LONG_WORDS.join(' '),
      checked: { ...checked, words: LONG_WORDS, checksum: false },
      error: m.err_seed_checksum(),
      onscan: nothing,
    }),
  }),
  SeedWords: entry(SeedWords)({ sixteen: () => ({ words: WORDS }), 'twenty-five': () => ({ words: LONG_WORDS }) }),
  SendReview: entry(SendReview)({
    review: { height: 600, props: () => ({ flow: flowOf({ step: 'review' }) }) },
    sending: {
      ...{ height: 600, props: () => ({ flow: flowOf({ step: 'sending', progress: { stage: 'signing', number: 1, of: 1 } }) }) },
    },
    'several transactions': { height: 600, props: () => ({ flow: flowOf({ step: 'review' }, 3) }) },
  }),
  Sent: entry(Sent)({
    one: () => ({ title: m.sent_title(), sent: ['1'], on: markup(button(m.sent_home())) }),
    'several, under a title of the view': () => ({ sent: ['1', '2'], on: markup(button(m.codes_done())) }),
  }),
  SendStages: entry(SendStages)({
    coins: () => ({ flow: flowOf() }),
    decoys: () => ({ flow: flowOf({ progress: { stage: 'decoys', number: 2, of: 3 } }) }),
    'with a Ledger': () => ({ flow: flowOf({ asksImages: true, progress: { stage: 'key-images', number: 4, of: 12 } }) }),
  }),
  ShortAddress: entry(ShortAddress)({ plain: () => ({ address: OWN }) }),
  Steps: entry(Steps)({
    begins: () => ({ names: [m.stage_coins(), m.stage_decoys()], at: 0 }),
    'one of several parts': () => ({
      names: [m.stage_key_images(), m.stage_coins(), m.stage_decoys()],
      ...{ at: 0, part: m.stage_of({ number: 112, of: 240 }) },
    }),
    done: () => ({ names: [m.stage_coins(), m.stage_decoys()], at: 2 }),
  }),
  StatusDot: entry(StatusDot)({
    moving: () => ({ tone: 'moving' }),
    good: () => ({ tone: 'good' }),
    still: () => ({ tone: 'still' }),
    warn: () => ({ tone: 'warn' }),
    bad: () => ({ tone: 'bad' }),
  }),
  SyncLine: entry(SyncLine)({
    live: () => ({ sync: sync() }),
    'live, compact': () => ({ sync: sync(), compact: true }),
    connecting: () => ({ sync: sync({ phase: 'connecting', daemonHeight: undefined, height: 0 }) }),
    syncing: () => ({ sync: sync({ phase: 'syncing', height: 3_150_000, rate: 4312, timeLeft: 58 }) }),
    'syncing, compact': () => ({ sync: sync({ phase: 'syncing', height: 3_150_000, rate: 4312, timeLeft: 58 }), compact: true }),
    paused: () => ({ sync: sync({ phase: 'paused', height: 3_150_000 }) }),
    'out of reach': () => ({ sync: sync({ phase: 'offline', daemonHeight: undefined, error: stopped('unreachable') }) }),
    'no room': () => ({ sync: sync({ phase: 'offline', error: stopped('full') }) }),
    stopped: () => ({ sync: sync({ phase: 'stopped', error: stopped('wrong-network') }) }),
    ahead: () => ({ sync: sync({ height: HEIGHT + 400 }) }),
  }),
  ThemeButton: entry(ThemeButton)({ usual: () => ({}) }),
  UpdateOffer: entry(UpdateOffer)({
    offered: { height: 220, world: () => offer('9.2.0'), props: () => ({}) },
    accepted: { height: 220, world: () => offer('9.2.0', true), props: () => ({}) },
    older: { height: 300, world: () => offer('0.0.9'), props: () => ({}) },
  }),
  WalletName: entry(WalletName)({
    fresh: () => ({ name: new NewName(), tried: false }),
    empty: () => ({ name: Object.assign(new NewName(), { text: '' }), tried: true }),
  }),
};

const NOTICES = { plain: m.send_unclear_title, good: m.safety_backup_saved, bad: m.copy_failed } as const;

function labelling(given: object) {
  return { open: true, title: m.accounts_new(), button: m.save(), save: async () => undefined, ...given };
}

function places() {
  return [
    { path: 'a', title: m.safety_backup, text: m.safety_backup_text, icon: 'file' as const },
    { path: 'b', title: m.about_keys, text: m.about_keys_text, icon: 'lock' as const },
    { path: 'c', title: m.nav_history, text: m.scan_again_text },
  ];
}

function creation(of: WalletCreation) {
  return { creation: of, button: m.create_finish(), busyButton: m.creating() };
}

function destinations(count: number) {
  return [OTHER, OWN].slice(0, count).map((address) => ({ address, amount: toAtomic(1n) }));
}

function removing() {
  return { name: 'Savings', remove: () => Promise.resolve(), cancel: nothing };
}

function offer(offered: string, accepted = false): void {
  Object.assign(update, { offered, accepted });
}

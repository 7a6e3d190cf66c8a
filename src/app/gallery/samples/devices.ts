import AddressCheck from '../../components/ledger/AddressCheck.svelte';
import LedgerFacts from '../../components/ledger/LedgerFacts.svelte';
import LedgerReview from '../../components/ledger/LedgerReview.svelte';
import LedgerScreens from '../../components/ledger/LedgerScreens.svelte';
import NoWebHid from '../../components/ledger/NoWebHid.svelte';
import ReceiveCheck from '../../components/ledger/ReceiveCheck.svelte';
import Signing from '../../components/ledger/Signing.svelte';
import KeyImages from '../../components/offline/KeyImages.svelte';
import OlderForm from '../../components/offline/OlderForm.svelte';
import SendUnsigned from '../../components/offline/SendUnsigned.svelte';
import SetReview from '../../components/offline/SetReview.svelte';
import { m } from '../../language/messages.ts';
import { ledger } from '../../managers/ledger.svelte.ts';
import { press } from '../act.ts';
import { enter, refusing } from '../answers.ts';
import { button, type Entry, entry, markup, nothing } from '../sample.ts';
import { LONG_NAME, ledgerMet, OTHER, OWN, prepared, review, view } from '../values.ts';
import { flowOf } from './more.ts';

const index = { major: 0, minor: 3 };
const unsigned = { file: new Uint8Array(), review: review({ recipients: [{ address: OWN, amount: 1n }] }), coins: [] };
const buttons = markup<[boolean]>(`<div>${button(m.review_confirm())}</div>`);
const watching = view({ kind: 'view', unseen: { coins: 3, scanFrom: 3_180_000 } });
const written = (address: string): string => address;

/** The open wallet is a Ledger's, which is at it. */
const onLedger = (at: Partial<typeof ledger> = {}) => ({
  world: async () => {
    await enter(view({ kind: 'device' }));
    Object.assign(ledger, { met: ledgerMet, ...at });
  },
});

/** Ledgers, and the files between the two halves of a wallet. */
export const devices: Readonly<Record<string, Entry>> = {
  'ledger/AddressCheck': entry(AddressCheck)({
    'not shown yet': () => ({ index, show: async () => undefined }),
    'being shown': {
      ...onLedger({ question: { kind: 'address' } }),
      act: press(m.ledger_show()),
      props: () => ({ index, show: () => new Promise<never>(nothing) }),
    },
    'seen, to be judged': { act: press(m.ledger_show()), props: () => ({ index, show: async () => undefined }) },
    same: () => ({ index, show: async () => undefined, verdict: 'same' }),
    another: () => ({ index, show: async () => undefined, verdict: 'other' }),
    failed: { act: press(m.ledger_show()), props: () => ({ index, show: refusing('WalletError', 'wrong-device') }) },
  }),
  'ledger/LedgerFacts': entry(LedgerFacts)({
    known: () => ({ met: ledgerMet }),
    'long name': () => ({ met: { ...ledgerMet, label: LONG_NAME } }),
  }),
  'ledger/LedgerReview': entry(LedgerReview)({
    before: { ...onLedger(), props: () => ({ flow: flowOf({ step: 'review' }), accepted: true, confirm: nothing }) },
    'still asking': {
      ...onLedger({ question: { kind: 'fee' } }),
      props: () => ({ flow: flowOf({ step: 'review', problem: m.err_daemon_lies() }), accepted: true, confirm: nothing }),
    },
    signing: {
      ...onLedger({ question: { kind: 'fee' }, step: 'asking', done: 2 }),
      props: () => ({ flow: flowOf({ step: 'sending' }), accepted: true, confirm: nothing }),
    },
  }),
  'ledger/NoWebHid': entry(NoWebHid)({ plain: () => ({}) }),
  'ledger/ReceiveCheck': entry(ReceiveCheck)({ 'not shown yet': () => ({ index }) }),
  'ledger/Signing': entry(Signing)({
    begins: () => ({ flow: flowOf({ step: 'sending' }), written }),
    'asks for the recipient': {
      ...onLedger({ question: { kind: 'recipient', address: OTHER }, step: 'asking', done: 3 }),
      props: () => ({ flow: flowOf({ step: 'sending' }, 2), written }),
    },
    'asks for a stranger': {
      ...onLedger({ question: { kind: 'recipient', address: OWN }, step: 'asking', done: 3 }),
      props: () => ({ flow: flowOf({ step: 'sending' }), written }),
    },
    checks: {
      ...onLedger({ step: 'signing', done: 9 }),
      props: () => ({ flow: flowOf({ step: 'sending', progress: { stage: 'checking', number: 1, of: 1 } }), written }),
    },
  }),
  'ledger/LedgerScreens': entry(LedgerScreens)({
    one: () => ({ prepared: prepared(), written }),
    'two, one of them written otherwise': () => ({ prepared: prepared(2), written: () => OWN }),
  }),
  'offline/KeyImages': entry(KeyImages)({
    'the half that signs': () => ({ view: view() }),
    'the half that watches': () => ({ view: watching }),
    busy: { act: press(m.offline_save_outputs()), props: () => ({ view: watching }) },
    failed: {
      world: () => enter(watching, { offline: { exportOutputs: refusing('OfflineSigningError', 'damaged-file') } }),
      act: press(m.offline_save_outputs()),
      props: () => ({ view: watching }),
    },
  }),
  'offline/OlderForm': entry(OlderForm)({ off: () => ({ chosen: false }), on: () => ({ chosen: true }) }),
  'offline/SendUnsigned': entry(SendUnsigned)({
    review: { height: 600, props: () => ({ flow: flowOf({ step: 'review' }), unsigned }) },
    saved: () => ({ flow: flowOf({ step: 'saved' }), unsigned }),
  }),
  'offline/SetReview': entry(SetReview)({
    plain: () => ({ review: review(), children: buttons }),
    'many paid, with a warning': () => ({
      review: review({
        recipients: Array.from({ length: 5 }, (_, i) => ({ address: i % 2 ? OWN : OTHER, amount: BigInt(i + 1) * 10n ** 11n })),
        ...{ transactions: 2, warnings: ['several-transactions'] },
      }),
      children: buttons,
    }),
  }),
};

import MakeProof from '../../components/settings/proofs/MakeProof.svelte';
import Messages from '../../components/settings/proofs/Messages.svelte';
import OwnAddress from '../../components/settings/proofs/OwnAddress.svelte';
import Payments from '../../components/settings/proofs/Payments.svelte';
import Proofs from '../../components/settings/proofs/Proofs.svelte';
import Reserves from '../../components/settings/proofs/Reserves.svelte';
import Spends from '../../components/settings/proofs/Spends.svelte';
import ResultForm from '../../components/settings/ResultForm.svelte';
import { m } from '../../language/messages.ts';
import { FormRequest } from '../../managers/form-request.svelte.ts';
import { press, steps, write } from '../act.ts';
import { enter, host, refusing } from '../answers.ts';
import { type Entry, entry, words } from '../sample.ts';
import { HASH, OWN, view } from '../values.ts';

const plain = () => ({});
const DIGITS = '5mT9rYz3'.repeat(16);
const SIGNATURE = `SigV2${DIGITS.slice(0, 88)}`;

const paid = steps(
  ...[write(m.tx_id(), HASH), write(m.proof_address(), OWN), write(m.proof_field(), `OutProofV2${DIGITS}`)],
  press(m.proof_check()),
);
const signed = steps(
  ...[write(m.msg_who(), OWN), write(m.proof_message(), 'This shop is mine.'), write(m.msg_signature(), SIGNATURE)],
  press(m.msg_check()),
);
const held = steps(
  ...[write(m.reserve_address(), OWN), write(m.proof_field(), `ReserveProofV2${DIGITS}`)],
  press(m.proof_check()),
);
const sent = steps(...[write(m.tx_id(), HASH), write(m.proof_field(), `SpendProofV1${DIGITS}`)], press(m.proof_check()));

const request = (state: Partial<FormRequest<string>> = {}) => Object.assign(new FormRequest<string>(), state);
const asking = (title: string, request: FormRequest<string>) => ({
  ...{ title, request, button: title, submit: async () => undefined, fields: words(m.proof_message()) },
});
const makes = (state: Partial<FormRequest<string>> = {}) => ({
  ...{ request: request(state), submit: async () => undefined, message: '', subject: words(m.tx_id()) },
});
/** Filled in, and answered so. */
const answered = (answers: Parameters<typeof host>[0], act: ReturnType<typeof steps>) => ({
  ...{ world: () => host(answers), act, props: plain },
});

/** An address is looked up, and is this one of ours. */
const looksUp = (index: { readonly major: number; readonly minor: number } | undefined) => ({
  world: () => enter(view(), { addresses: { indexOf: async () => index } }),
  act: steps(write(m.send_address(), OWN), press(m.own_look())),
  props: plain,
});

/** Messages and proofs, made and checked. */
export const proofs: Readonly<Record<string, Entry>> = {
  'settings/proofs/Proofs': entry(Proofs)({ usual: plain }),
  'settings/ResultForm': entry(ResultForm)({
    usual: () => ({ ...asking(m.proof_make(), request()), primary: true }),
    busy: () => asking(m.proof_making(), request({ busy: true })),
    failed: () => asking(m.proof_check(), request({ problem: m.err_proof_form() })),
    answered: () => ({ ...asking(m.proof_check(), request()), verdict: { tone: 'good', text: m.spend_good() } }),
    made: () => ({ ...asking(m.proof_make(), request()), made: { text: SIGNATURE, label: m.msg_copy() } }),
  }),
  'settings/proofs/MakeProof': entry(MakeProof)({
    usual: () => makes(),
    busy: () => makes({ busy: true }),
    failed: () => makes({ problem: m.err_proof_form() }),
    made: () => makes({ answer: SIGNATURE }),
  }),
  'settings/proofs/Payments': entry(Payments)({
    empty: plain,
    'asked for too early': { act: press(m.proof_check()), props: plain },
    good: answered(
      { checkPayment: async () => ({ good: true, received: 4n * 10n ** 11n, inPool: false, confirmations: 21 }) },
      paid,
    ),
    bad: answered({ checkPayment: async () => ({ good: false }) }, paid),
  }),
  'settings/proofs/OwnAddress': entry(OwnAddress)({
    empty: plain,
    ours: looksUp({ major: 0, minor: 1 }),
    'not ours': looksUp(undefined),
  }),
  'settings/proofs/Messages': entry(Messages)({
    empty: plain,
    'of a view-only wallet': { world: () => enter(view({ kind: 'view' })), props: plain },
    'asked for too early': { act: press(m.msg_check()), props: plain },
    good: answered({ checkMessage: async () => ({ good: true, version: 2, old: false, kind: 'spend' }) }, signed),
    old: answered({ checkMessage: async () => ({ good: true, version: 1, old: true, kind: 'spend' }) }, signed),
    bad: answered({ checkMessage: async () => ({ good: false }) }, signed),
  }),
  'settings/proofs/Reserves': entry(Reserves)({
    empty: plain,
    'too little': answered(
      { proveReserve: refusing('ProofError', 'not-enough-balance') },
      steps(write(m.reserve_amount(), '900'), press(m.proof_make())),
    ),
    'spent in part': answered({ checkReserve: async () => ({ good: true, total: 5n * 10n ** 12n, spent: 10n ** 12n }) }, held),
  }),
  'settings/proofs/Spends': entry(Spends)({
    empty: plain,
    good: answered({ checkSpend: async () => true }, sent),
    bad: answered({ checkSpend: async () => false }, sent),
  }),
};

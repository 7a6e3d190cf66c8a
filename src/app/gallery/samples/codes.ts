import CodePlayer from '../../components/codes/CodePlayer.svelte';
import CodeScanner from '../../components/codes/CodeScanner.svelte';
import Codes from '../../components/codes/Codes.svelte';
import ColdSigningSteps from '../../components/codes/ColdSigningSteps.svelte';
import PairButton from '../../components/codes/PairButton.svelte';
import PartsProgress from '../../components/codes/PartsProgress.svelte';
import ScanButton from '../../components/codes/ScanButton.svelte';
import { m } from '../../language/messages.ts';
import { type ColdSigningFlow, openColdSigning } from '../../managers/codes.svelte.ts';
import { press, steps, unfold, write } from '../act.ts';
import { enter, host, refusing } from '../answers.ts';
import { type Entry, entry, nothing } from '../sample.ts';
import { HASH, OWN, review, view } from '../values.ts';

const bytes = new TextEncoder().encode('Monero unsigned tx set'.repeat(30));
const watching = view({ kind: 'view', unseen: { coins: 3, scanFrom: undefined } });

const pairing = {
  pairingCode: async () => `{"primaryAddress":"${OWN}","privateViewKey":"${HASH}","restoreHeight":3180000}`,
  readPairing: async () => ({ address: OWN, viewKey: HASH, height: 3_180_000 }),
};

/** One half, as far on the way as given. */
function half(kind: 'full' | 'view', state: Partial<ColdSigningFlow>) {
  const shown = kind === 'view' ? watching : view();
  return {
    world: async () => {
      await enter(shown);
      Object.assign(openColdSigning(kind), state);
    },
    props: () => ({ view: shown }),
  };
}

/** Codes for a camera. */
export const codes: Readonly<Record<string, Entry>> = {
  'codes/CodePlayer': entry(CodePlayer)({
    plays: () => ({ type: 'xmr-txunsigned', bytes, label: m.group_message() }),
    'with its settings': { act: unfold, props: () => ({ type: 'xmr-txunsigned', bytes, label: m.group_message() }) },
  }),
  'codes/CodeScanner': entry(CodeScanner)({
    'no camera': () => ({ ontext: nothing, pictures: true }),
  }),
  'codes/Codes': entry(Codes)({
    'view-only, begins': half('view', {}),
    'view-only, shows outputs': half('view', { step: 'show', shown: { type: 'xmr-output', bytes } }),
    'view-only, took key images': half('view', {
      step: 'images',
      imported: { count: 12, height: 1, spent: 0n, unspent: 0n, scanFrom: 1 },
    }),
    'full, begins': half('full', {}),
    'full, is to sign': half('full', { step: 'review', review: review() }),
    'full, shows what it signed': half('full', { step: 'show', shown: { type: 'xmr-txsigned', bytes } }),
    'view-only, sent': half('view', { step: 'sent', sent: [HASH] }),
    'view-only, not clear': half('view', { step: 'unclear', problem: m.err_daemon_lies() }),
    'in the wrong': half('full', { problem: m.err_daemon_lies() }),
  }),
  'codes/ColdSigningSteps': entry(ColdSigningSteps)({
    'not begun': () => ({ at: undefined, kind: 'view' }),
    'half way': () => ({ at: 2, kind: 'view' }),
    'half way, the other half': () => ({ at: 2, kind: 'full' }),
    sent: () => ({ at: 4, kind: 'view' }),
    'sent or not, not known': () => ({ at: 4, kind: 'view', unclear: true }),
  }),
  'codes/PairButton': entry(PairButton)({
    closed: () => ({}),
    'wrong password': {
      height: 480,
      world: () => host({ pairingCode: refusing('StorageError', 'wrong-password') }),
      act: steps(press(m.pair_button()), write(m.password(), 'x'), press(m.pair_show())),
      props: () => ({}),
    },
    shown: {
      height: 900,
      world: () => host(pairing),
      act: steps(press(m.pair_button()), write(m.password(), 'x'), press(m.pair_show())),
      props: () => ({}),
    },
    'shown as text': {
      height: 1200,
      world: () => host(pairing),
      act: steps(press(m.view_key_show()), write(m.password(), 'x'), press(m.pair_show()), unfold),
      props: () => ({ text: m.view_key_show() }),
    },
  }),
  'codes/PartsProgress': entry(PartsProgress)({
    none: () => ({ parts: Array.from({ length: 12 }, () => false) }),
    some: () => ({ parts: Array.from({ length: 12 }, (_, i) => i % 3 === 0) }),
    'of very many': () => ({ parts: Array.from({ length: 400 }, (_, i) => i % 7 < 3 || i < 120) }),
  }),
  'codes/ScanButton': entry(ScanButton)({
    closed: () => ({ ontext: nothing }),
    'with words': () => ({ ontext: nothing, text: m.pair_scan() }),
    open: { height: 760, act: press(m.scan_button()), props: () => ({ ontext: nothing }) },
  }),
};

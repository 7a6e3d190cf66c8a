import PaperEntry from '../../components/paper/PaperEntry.svelte';
import PaperFound from '../../components/paper/PaperFound.svelte';
import SecretKeyFields from '../../components/SecretKeyFields.svelte';
import SeedFields from '../../components/SeedFields.svelte';
import { m } from '../../language/messages.ts';
import { PaperFlow } from '../../managers/paper.svelte.ts';
import { SecretKeysForm } from '../../managers/secret-keys.svelte.ts';
import { SeedWordsForm } from '../../managers/seed-words.svelte.ts';
import { type Entry, entry, nothing } from '../sample.ts';
import { HASH, HEIGHT, LONG_WORDS, sync, WORDS } from '../values.ts';

const COIN = 10n ** 12n;
const NONE = { total: 0n, unlocked: 0n, blocksToUnlock: 0, unlocks: [], incoming: 0n };
const checked = { unknown: [], completions: [], checksum: true, polyseed: undefined, holdsSeed: true } as const;
const found = {
  sync: sync(),
  balance: { ...NONE, total: 3n * COIN, unlocked: 3n * COIN },
  coins: 2,
  spentAt: undefined,
  leaving: false,
};

/** @param shown what differs from a paper with coins */
function flow(shown: Partial<PaperFlow['view']> = {}, more: Partial<PaperFlow> = {}): PaperFlow {
  return Object.assign(new PaperFlow(), { step: 'found', view: { ...found, ...shown }, ask: nothing, ...more });
}

const entering = (fill: (flow: PaperFlow) => void) => () => {
  const entered = new PaperFlow();
  fill(entered);
  return { flow: entered };
};
const price = { amount: 2_999_950_000_000n, fee: 50_000_000n };

export const paper: Readonly<Record<string, Entry>> = {
  SeedFields: entry(SeedFields)({
    empty: () => ({ form: new SeedWordsForm(), onscan: nothing }),
    'sixteen words, with a passphrase': () => ({
      form: Object.assign(new SeedWordsForm(), {
        words: WORDS.join(' '),
        checked: { ...checked, words: WORDS, polyseed: { birthday: 1_700_000_000, hidden: true } },
      }),
      onscan: nothing,
    }),
    'no passphrase was entered': () => ({
      form: Object.assign(new SeedWordsForm(), {
        words: LONG_WORDS.join(' '),
        hidden: true,
        tried: true,
        checked: { ...checked, words: LONG_WORDS },
      }),
      onscan: nothing,
    }),
  }),
  SecretKeyFields: entry(SecretKeyFields)({
    empty: () => ({ form: new SecretKeysForm(), onscan: nothing }),
    'not keys': () => ({
      form: Object.assign(new SecretKeysForm(), { spendKey: HASH.slice(1), viewKey: 'abc', tried: true }),
      onscan: nothing,
    }),
    'a code of something else was scanned': () => ({ form: new SecretKeysForm(), problem: m.paper_no_spend(), onscan: nothing }),
  }),
  'paper/PaperEntry': entry(PaperEntry)({
    words: entering(nothing),
    keys: entering(({ form }) => {
      form.kind = 'keys';
      form.keys.tried = true;
    }),
    'a code with transactions': entering(({ form }) => {
      const keys = { spendKey: HASH, viewKey: undefined, address: undefined };
      form.fill({ kind: 'keys', keys, from: undefined, txHashes: [HASH], label: '' });
    }),
    'of the open wallet': entering(({ opening }) => {
      opening.problem = m.err_same_wallet();
    }),
  }),
  'paper/PaperFound': entry(PaperFound)({
    looking: () => ({
      flow: flow({ sync: sync({ phase: 'syncing', height: HEIGHT - 5000, daemonHeight: HEIGHT }) }, { from: HEIGHT - 20_000 }),
      network: 'mainnet',
    }),
    'to be taken': () => ({ flow: flow({}, { price }), network: 'mainnet' }),
    'partly locked': () => ({
      flow: flow(
        {
          balance: { ...found.balance, total: 5n * COIN, unlocks: [{ amount: 2n * COIN, blocks: 7, time: undefined }] },
        },
        { price },
      ),
      network: 'mainnet',
    }),
    'less than its fee': () => ({ flow: flow({}, { price: { amount: 0n, fee: 0n } }), network: 'mainnet' }),
    'being taken by somebody else': () => ({ flow: flow({ balance: NONE, leaving: true }, { price }), network: 'mainnet' }),
    'taken before': () => ({ flow: flow({ balance: NONE, spentAt: 1_700_000_000 }), network: 'mainnet' }),
    nothing: () => ({ flow: flow({ balance: NONE, coins: 0 }), network: 'mainnet' }),
    'on its way': () => ({ flow: flow({ balance: { ...NONE, incoming: COIN }, coins: 0 }), network: 'mainnet' }),
    failed: () => {
      const failed = flow({}, { price });
      failed.taking.problem = m.err_daemon_unreachable();
      return { flow: failed, network: 'mainnet' };
    },
  }),
};

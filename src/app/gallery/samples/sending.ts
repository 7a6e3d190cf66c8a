import AliasLookup from '../../components/AliasLookup.svelte';
import FeeChoice from '../../components/FeeChoice.svelte';
import PasteButton from '../../components/PasteButton.svelte';
import RecipientList from '../../components/RecipientList.svelte';
import ReviewSummary from '../../components/ReviewSummary.svelte';
import AppSettings from '../../components/settings/app/AppSettings.svelte';
import NameService from '../../components/settings/app/NameService.svelte';
import KeepReady from '../../components/settings/KeepReady.svelte';
import SplitCoins from '../../components/settings/SplitCoins.svelte';
import { m } from '../../language/messages.ts';
import { CoinList } from '../../managers/coins.svelte.ts';
import { keepReady } from '../../managers/keep-ready.svelte.ts';
import { openAlias } from '../../managers/openalias.svelte.ts';
import { press, steps, write } from '../act.ts';
import { enter, host } from '../answers.ts';
import { type Entry, entry, nothing } from '../sample.ts';
import { coins, OTHER, prepared, view } from '../values.ts';
import { formOf } from './more.ts';

const plain = () => ({});
const NAME = 'ada@example.org';
const HOST = 'names.example';

const priced = (more: { readonly blocksAhead?: number; readonly withinBounds?: boolean } = {}) => {
  const levels = [44_200_000n, 176_800_000n, 707_200_000n, 8_840_000_000n].map((fee, i) => ({
    ...{ priority: (i + 1) as 1 | 2 | 3 | 4, perByte: 20_000n, fee, transactions: 1, blocksAhead: 0, withinBounds: true },
    ...{ seconds: 120 * (1 + (more.blocksAhead ?? 0)), ...more },
  }));
  return { levels, automatic: 1 as const, planned: true };
};
const withFees = (told: ReturnType<typeof priced>) => () => enter(view(), { payments: { feeLevels: async () => told } });
const asking = (answer: object) => () => {
  openAlias.use(`https://${HOST}/dns-query`);
  Object.assign(openAlias, { lookUp: async () => answer });
};
/** The service is asked for the name. */
const asked = { act: press(m.alias_ask({ host: HOST })), props: () => ({ name: NAME, ontake: nothing }) };
const listOf = (): CoinList => Object.assign(new CoinList(), { all: coins, loaded: true });

/** Parts of Send, and of what belongs to it in Settings. */
export const sending: Readonly<Record<string, Entry>> = {
  PasteButton: entry(PasteButton)({ usual: () => ({ ontext: nothing }) }),
  AliasLookup: entry(AliasLookup)({
    off: { world: () => openAlias.use(undefined), props: asked.props },
    'not asked yet': { world: asking({}), props: asked.props },
    found: { world: asking({ answered: true, verified: true, found: true, address: OTHER }), ...asked },
    'not protected': { world: asking({ answered: true, verified: false, found: true, address: undefined }), ...asked },
  }),
  FeeChoice: entry(FeeChoice)({
    usual: { world: withFees(priced()), props: () => ({ form: formOf() }) },
    'much waits': { world: withFees(priced({ blocksAhead: 7 })), props: () => ({ form: formOf() }) },
    'too dear': { world: withFees(priced({ withinBounds: false })), props: () => ({ form: formOf({ priority: 4 }) }) },
    'not known': () => ({ form: formOf() }),
  }),
  RecipientList: entry(RecipientList)({
    empty: { height: 560, props: () => ({ form: formOf(), close: nothing }) },
    'lines that cannot be read': {
      height: 720,
      world: () => host({ checkAddress: async () => 'standard' }),
      act: steps(write(m.list_label(), `${OTHER}, 0.5\nEve, 1\nAna\n0.25`), press(m.list_fill())),
      props: () => ({ form: formOf(), close: nothing }),
    },
  }),
  ReviewSummary: entry(ReviewSummary)({
    payment: () => ({ prepared: prepared(), seconds: 120, split: false }),
    splitting: () => ({ prepared: prepared(), seconds: undefined, split: true }),
  }),
  'settings/KeepReady': entry(KeepReady)({
    off: plain,
    on: { world: () => keepReady.choose(4), props: plain },
  }),
  'settings/SplitCoins': entry(SplitCoins)({ all: () => ({ list: listOf(), split: nothing }) }),
  'settings/app/AppSettings': entry(AppSettings)({ usual: plain }),
  'settings/app/NameService': entry(NameService)({
    off: { world: () => openAlias.use(undefined), props: plain },
    on: { world: () => openAlias.use(`https://${HOST}/dns-query`), props: plain },
  }),
};

import AddMessage from '../../components/group/AddMessage.svelte';
import Exchange from '../../components/group/Exchange.svelte';
import GroupPayment from '../../components/group/GroupPayment.svelte';
import GroupPayments from '../../components/group/GroupPayments.svelte';
import HomeGroup from '../../components/group/HomeGroup.svelte';
import Members from '../../components/group/Members.svelte';
import Overview from '../../components/group/Overview.svelte';
import Rounds from '../../components/group/Rounds.svelte';
import Seed from '../../components/group/Seed.svelte';
import ShareMessage from '../../components/group/ShareMessage.svelte';
import { m } from '../../language/messages.ts';
import { press, steps, unfold, write } from '../act.ts';
import { enter, refusing } from '../answers.ts';
import { button, type Entry, entry, markup } from '../sample.ts';
import { group as groups, HASH, review, view } from '../values.ts';

const of = (group: typeof groups.made, answers: object = {}) => ({
  world: () => enter(view({ kind: 'multisig', group }), { group: answers }),
});
const set = (id: string, obstacle: string | undefined, answers: object = {}) => ({
  ...of(groups.paying, { setBytes: async () => groups.exported, review: async () => ({ ...review(), obstacle }), ...answers }),
  props: () => ({ group: groups.paying, id }),
});
/** The seed is requested, and the page says so. */
const showsSeed = (seed: () => Promise<unknown>) => ({
  ...of(groups.made, { seed }),
  act: steps(write(m.password(), 'x'), press(m.group_seed_show())),
  props: () => ({ view: view() }),
});

/** A wallet of several signers. */
export const group: Readonly<Record<string, Entry>> = {
  'group/AddMessage': entry(AddMessage)({
    closed: () => ({ group: groups.made }),
    open: { height: 560, act: press(m.group_add()), props: () => ({ group: groups.made }) },
    'nothing written': {
      ...{ height: 600, act: steps(press(m.group_add()), press(m.group_add_button())) },
      props: () => ({ group: groups.made }),
    },
    refused: {
      ...of(groups.made, { take: refusing('MultisigError', 'other-group') }),
      ...{ height: 680, act: steps(press(m.group_add()), write(m.group_add_field(), 'x'), press(m.group_add_button())) },
      props: () => ({ group: groups.made, primary: true }),
    },
  }),
  'group/Exchange': entry(Exchange)({
    'exported, one is behind': { ...of(groups.made), props: () => ({ group: groups.made }) },
    'to be exported': { ...of(groups.uncompared), act: press(m.group_tell()), props: () => ({ group: groups.uncompared }) },
    'one is enough': { ...of(groups.alone), props: () => ({ group: groups.alone }) },
  }),
  'group/HomeGroup': entry(HomeGroup)({
    'in order': () => ({ group: groups.alone }),
    'all that can be missing': () => ({ group: { ...groups.uncompared, sets: groups.paying.sets } }),
  }),
  'group/Members': entry(Members)({
    'one behind': () => ({
      group: groups.made,
      label: m.group_take_title(),
      good: (at: number) => groups.made.members[at]?.current === true,
      words: (at: number) => (groups.made.members[at]?.current ? m.group_current() : m.group_ask()),
    }),
    'with buttons': () => ({
      group: groups.first,
      label: m.group_take_title(),
      action: markup<[number]>(button(m.group_take_out(), 'small')),
      good: () => false,
      words: () => m.group_missing(),
    }),
  }),
  'group/Overview': entry(Overview)({
    'with payments': { ...of(groups.paying), props: () => ({ view: view({ group: groups.paying }), group: groups.paying }) },
    'address not compared': {
      ...of(groups.uncompared),
      act: unfold,
      props: () => ({ view: view({ group: groups.uncompared }), group: groups.uncompared }),
    },
  }),
  'group/ShareMessage': entry(ShareMessage)({
    closed: () => ({ bytes: groups.exported, name: 'x.multisig' }),
    'as codes': { act: press(m.group_show_codes()), props: () => ({ bytes: groups.exported, name: 'x.multisig' }) },
    'as text': { act: unfold, props: () => ({ bytes: groups.exported, name: 'x.multisig' }) },
    small: () => ({ bytes: groups.exported, name: 'x.multisig', small: true }),
  }),
  'group/Rounds': entry(Rounds)({
    first: { ...of(groups.first), props: () => ({ group: groups.first }) },
    'last, with the earlier ones': { ...of(groups.last), act: unfold, props: () => ({ group: groups.last }) },
  }),
  'group/Seed': entry(Seed)({
    asks: () => ({ view: view() }),
    'wrong password': showsSeed(refusing('StorageError', 'wrong-password')),
    shown: showsSeed(async () => `${HASH}${HASH.slice(0, 40)}`.repeat(5)),
  }),
  'group/GroupPayment': entry(GroupPayment)({
    'to be signed': set('a1', undefined),
    'signed by us': set('d4', 'signed'),
    'to be sent': set('b2', 'complete'),
    'nonces already used': set('a1', 'nonces'),
    'refused by the review': set('a1', undefined, { review: refusing('OfflineSigningError', 'not-ours') }),
    'being read': set('a1', undefined, { setBytes: () => new Promise(() => undefined) }),
    'not here': set('zz', undefined),
  }),
  'group/GroupPayments': entry(GroupPayments)({
    none: () => ({ group: groups.made }),
    several: () => ({ group: groups.paying }),
  }),
};

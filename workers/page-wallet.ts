import type { Wallet } from '../src/wallet/index.ts';

/** The calls of an open wallet that the page can make: views, and a person's actions. `subscribe` is added by hand. */
export const WALLET_CALLS = [
  'view',
  'history',
  'balanceDays',
  'setFrozen',
  'nameOutput',
  'outputs',
  'subaddresses',
  'addAccount',
  'contacts',
  'saveContact',
  'removeContact',
  'setDaemon',
  'tryDaemon',
  'setSecondDaemon',
  'compareSecondDaemon',
  'pause',
  'resume',
  'refresh',
  'rescan',
  'giveUpRefused',
  'giveUpRings',
  'seedWritten',
  'saveDrafts',
  'drafts',
  'checkPassword',
  'exportKeysFile',
  'changePassword',
  'backup',
] as const satisfies readonly (keyof Wallet)[];

/** Calls that the page can make to a wallet's parts, by part. */
export const PART_CALLS = {
  addresses: ['make', 'label', 'setDisplay', 'indexOf', 'setLookahead'],
  notes: ['write'],
  chain: ['verifyPayment', 'scanTransactions'],
  payments: ['feeLevels', 'prepareTransfer', 'prepareSweep', 'prepareUnmixable', 'cancel', 'send', 'discard'],
  offline: [
    'exportOutputs',
    'importOutputs',
    'exportKeyImages',
    'importKeyImages',
    'prepareUnsigned',
    'prepareUnsignedSweep',
    'reviewUnsigned',
    'signUnsigned',
    'reviewSigned',
    'submitSigned',
  ],
  group: [
    'message',
    'earlierMessages',
    'take',
    'forget',
    'advance',
    'confirmAddress',
    'rename',
    'exportInfo',
    'importInfo',
    'propose',
    'review',
    'sign',
    'setBytes',
    'submit',
    'remove',
    'seed',
  ],
} as const satisfies { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] };

type Parts = Pick<Wallet, 'addresses' | 'notes' | 'chain' | 'payments' | 'offline' | 'group'>;

/** Parts of the open wallet that have their own calls. */
export type PagePart = keyof Parts;

/** The open wallet, as the page sees it. */
export type PageWallet = Pick<Wallet, (typeof WALLET_CALLS)[number] | 'subscribe'> & {
  readonly [Part in PagePart]: Pick<Wallet[Part], Extract<keyof Wallet[Part], (typeof PART_CALLS)[Part][number]>>;
};

import type { DeviceMet, SiteConfig } from '../../../workers/client.ts';
import type {
  AccountView,
  Balance,
  Contact,
  GroupMember,
  GroupSet,
  GroupStatus,
  HistoryEntry,
  OutputView,
  PreparedTransfer,
  SetReview,
  SubaddressView,
  SyncStatus,
  UnspendableReason,
  WalletView,
} from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { toAtomic } from '../services/atomic.ts';

/** Values of the samples: one person's wallet, with all that can be in it. */

const COIN = 10n ** 12n;
export const LONG_NAME = 'Wilhelmina Featherstonehaugh-Cholmondeley, who pays for the greenhouse and its many orchids';
export const OWN = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
export const OTHER = '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H';
export const HASH = '9e3f0c1d5ab7468287e2f4b1c6d90a3357be81f2046cd9ea7b13f5a8420c6de1';
/** The most that an amount can be. */
export const MOST = 18_446_744_073_709_551_615n;
export const HEIGHT = 3_402_118;
const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

export const site: SiteConfig = {
  network: 'stagenet',
  regtest: false,
  daemon: { url: '/daemon', kind: 'monerod' },
  faucet: false,
};
/** 16, and 25. */
export const WORDS =
  'raven tail swear infant grief assist regular lamp duck valid someone little harsh puppy airport language'.split(' ');
export const LONG_WORDS =
  'velvet lymph giddy number token physics poetry unquoted nibs useful sabotage limits benches lifestyle eden nitrogen anvil fewest avoid batch vials washing fences goat unquoted'.split(
    ' ',
  );

const balance = (total: bigint, more: Partial<Balance> = {}): Balance => ({
  ...{ total, unlocked: total, blocksToUnlock: 0, unlocks: [], incoming: 0n },
  ...more,
});

export const sync = (more: Partial<SyncStatus> = {}): SyncStatus => ({
  ...{ phase: 'live', height: HEIGHT, daemonHeight: HEIGHT, rate: 0, timeLeft: undefined, error: undefined },
  ...more,
});

/** A wallet that has no node, since the page came without one. */
export const nodeless: SyncStatus = sync({
  ...{ phase: 'offline', height: 0, daemonHeight: undefined },
  error: { code: 'no-daemon', message: 'expected a daemon' },
});

const account = (number: number, label: string, total: bigint): AccountView => ({
  ...{ account: number, label, address: OWN, balance: balance(total) },
});

/** As many accounts as asked for; the first has no name of its own. */
export const accounts = (count: number): readonly AccountView[] =>
  Array.from({ length: count }, (_, i) =>
    account(i, ['', 'Greenhouse', LONG_NAME][i] ?? `${m.account()} ${i}`, BigInt(i * i + 1) * 1_234_567_890_123n),
  );

export const view = (more: Partial<WalletView> = {}): WalletView => ({
  name: 'Savings',
  kind: 'full',
  network: 'mainnet',
  primaryAddress: OWN,
  balance: balance(12_345_678_901_234n),
  frozenAmount: 0n,
  unseen: undefined,
  accounts: accounts(3),
  lookahead: { major: 50, minor: 200 },
  restore: { height: 3_180_000, date: NOW - 300 * DAY },
  seedToWrite: false,
  sync: sync(),
  secondDaemon: undefined,
  group: undefined,
  version: 1,
  ...more,
});

export const entryOf = (more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  txHash: HASH,
  direction: 'in',
  state: 'received',
  amount: 1_250_000_000_000n,
  fee: undefined,
  height: HEIGHT - 900,
  confirmations: 900,
  timestamp: NOW - 3 * DAY,
  account: 0,
  subaddresses: [{ major: 0, minor: 3 }],
  destinations: [],
  paymentId: undefined,
  note: '',
  unlockTime: 0n,
  locked: false,
  verified: true,
  doubleSpendSeen: false,
  perhapsChange: false,
  ...more,
});

export const paid: Partial<HistoryEntry> = {
  ...{ direction: 'out', state: 'mined', fee: 44_200_000n, subaddresses: [] },
  destinations: [{ address: OTHER, amount: toAtomic(400_000_000_000n) }],
  amount: 400_000_000_000n,
};
export const unmined: Partial<HistoryEntry> = { height: undefined, confirmations: 0, timestamp: NOW - 60, verified: false };
export const young: Partial<HistoryEntry> = { height: HEIGHT - 4, confirmations: 4, timestamp: NOW - 480, locked: true };

/** Newest first. */
export const history = (count = 30): readonly HistoryEntry[] =>
  Array.from({ length: count }, (_, i) =>
    entryOf({
      ...(i % 3 === 1 ? paid : {}),
      txHash: i.toString(16).padStart(64, '0'),
      amount: BigInt(i + 1) * 310_700_000_000n,
      timestamp: NOW - i * 2 * DAY,
    }),
  );

export const contacts: readonly Contact[] = [
  { id: '1', address: OTHER, description: 'Ana' },
  { id: '2', address: OWN, description: LONG_NAME },
];

export const subaddresses: readonly SubaddressView[] = ['', 'Shop', LONG_NAME, ''].map((label, minor) => ({
  index: { major: 0, minor },
  ...{ address: minor === 0 ? OWN : OTHER, label, used: minor < 2, display: 'usual', balance: balance(BigInt(minor) * COIN) },
}));

export const coinOf = (
  i: number,
  hold: UnspendableReason | undefined,
  amount = BigInt(i + 1) * 470_300_000_000n,
): OutputView => ({
  key: i.toString(16).padStart(64, '0'),
  keyImage: (i + 0x1000).toString(16).padStart(64, '0'),
  ...{ txHash: HASH, outputIndex: i % 2, globalIndex: 98_000_000n + BigInt(i), amount, height: HEIGHT - 40 * i },
  timestamp: NOW - i * DAY,
  subaddress: { major: 0, minor: i % 4 },
  ...{ coinbase: false, unlockTime: 0n, unlocked: hold !== 'locked', frozen: hold === 'frozen', hold, spentBy: undefined },
  name: i === 1 ? 'Rent' : i === 3 ? LONG_NAME : '',
});
export const HOLDS = [undefined, 'locked', 'pending', 'frozen', 'no-key-image', 'spent'] as const;
export const coins: readonly OutputView[] = Array.from({ length: 130 }, (_, i) => coinOf(i, i < 6 ? HOLDS[i] : undefined));

const transaction = (amount: bigint, fee: bigint): PreparedTransfer['transactions'][number] => ({
  ...{ fee, weight: 2200, amount, change: 3n * COIN, inputs: 2, outputs: 2 },
  destinations: [{ address: OTHER, amount: toAtomic(amount) }],
});

/** A payment that is planned. */
export function prepared(count = 1, amount = 400_000_000_000n, fee = 44_200_000n): PreparedTransfer {
  const transactions = Array.from({ length: count }, () => transaction(amount / BigInt(count), fee));
  const warnings = count > 1 ? (['several-transactions', 'links-subaddresses'] as const) : [];
  return { id: 'p', transactions, totalFee: fee * BigInt(count), totalAmount: amount, warnings };
}

export const review = (more: Partial<SetReview> = {}): SetReview => ({
  recipients: [{ address: OTHER, amount: 400_000_000_000n }],
  ...{ fee: 44_200_000n, change: 3n * COIN, transactions: 1, warnings: [] },
  ...more,
});

const member = (name: string, more: Partial<GroupMember> = {}): GroupMember => ({
  ...{ name, self: false, signer: HASH, answered: true, current: true, hasExport: false },
  ...more,
});
const setOf = (more: Partial<GroupSet>): GroupSet => ({
  ...{ id: 'a1', at: NOW - DAY, amount: 400_000_000_000n, fee: 44_200_000n, proposers: [1], signers: [1] },
  ...{ complete: false, gone: false, clashes: false },
  ...more,
});
const status = (more: Partial<GroupStatus> = {}): GroupStatus => ({
  ...{ threshold: 2, total: 3, round: 3, rounds: 3, ready: true, address: OWN, compared: true },
  members: [member('Me', { self: true }), member('Ana', { hasExport: true }), member(LONG_NAME, { current: false })],
  ...{ importNeeded: false, exportNeeded: false, sets: [] },
  ...more,
});
const forming: Partial<GroupStatus> = { ready: false, address: undefined, compared: false };

/** A group of three, two of whom must sign. */
export const group = {
  message: `MultisigxV2R1C9Bd6RpUc7sKQ${'9LvE1bMqmB4bVXkJwsnNnJbyTTiD'.repeat(12)}`,
  exported: new TextEncoder().encode('Monero multisig export'.repeat(40)),
  made: status(),
  uncompared: status({ compared: false, exportNeeded: true, importNeeded: true }),
  alone: status({ threshold: 1 }),
  first: status({
    ...forming,
    round: 0,
    members: [member('Me', { self: true }), member('Ana', { answered: false }), member('')],
  }),
  last: status({ ...forming, round: 2, address: OWN, members: [member('Me', { self: true }), member('Ana'), member(LONG_NAME)] }),
  paying: status({
    sets: [
      setOf({}),
      setOf({ id: 'b2', proposers: [0], signers: [0, 1], complete: true }),
      setOf({ id: 'c3', gone: true }),
      setOf({ id: 'd4', proposers: [1, 2], signers: [0], clashes: true }),
    ],
  }),
};

export const ledgerMet: DeviceMet = { label: 'Nano X', appVersion: '2.2.0', fingerprint: '8e4f27b1', address: OWN };

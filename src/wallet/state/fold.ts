import type { Height, KeyImage, OutputKey, TxHash } from '../../protocol/index.ts';
import { WalletError } from '../errors.ts';
import { DEFAULT_LOOKAHEAD, growAccounts, growImportedAccounts, widened } from '../lookahead.ts';
import type { ChainSpend, ImportedOutput, KeyedImage, OwnedOutput, SubaddressIndex, WalletDescription } from '../model.ts';
import { becomeSigner } from '../multisig/become-signer.ts';
import { applyCosigningEvent, NO_COSIGNING } from '../multisig/cosigning-state.ts';
import { EMPTY_POOL, type PoolView } from '../pool.ts';
import { requireKnown, requireNextHeight, requireScannedHeight, type Synced } from './check-events.ts';
import type { EventOf, WalletEvent } from './events.ts';
import { thinBlocks } from './kept-blocks.ts';
import { entryOfImage, indexKey, type MutableState, type OutputEntry, type WalletState } from './state.ts';
import { emptyTransactionLog, rewrite } from './transaction-log.ts';
import { type MutableTxFacts, noFacts } from './tx-facts.ts';

/** Label of the first account, as in the reference. */
const PRIMARY_ACCOUNT_LABEL = 'Primary account';

/** The state of a new wallet. */
export function initialState(wallet: WalletDescription): WalletState {
  return {
    ...{ version: 0, description: wallet, multisig: undefined, cosigning: NO_COSIGNING },
    ...nothingScanned(wallet.restoreHeight),
    ...nothingSaid(),
    ...nothingSent(),
    pool: EMPTY_POOL,
  } satisfies MutableState;
}

/** State from the chain, before any of it is scanned. */
const nothingScanned = (height: Height) =>
  ({
    height,
    lastReward: 0n,
    blocks: [],
    outputs: new Map(),
    unspent: new Set(),
    byKeyImage: new Map(),
    transactions: new Map(),
    transactionLog: emptyTransactionLog(),
    verified: new Map(),
    used: new Set(),
  }) satisfies Partial<MutableState>;

/** State from the user and from other programs with the same keys. */
const nothingSaid = () =>
  ({
    accounts: [{ labels: [PRIMARY_ACCOUNT_LABEL] }],
    lookahead: DEFAULT_LOOKAHEAD,
    notes: new Map(),
    frozen: new Set(),
    outputNames: new Map(),
    attributes: new Map(),
    contacts: new Map(),
    keyImages: new Map(),
    predicted: new Set(),
    unplacedSpends: new Set(),
    imported: [],
    recorded: new Map(),
  }) satisfies Partial<MutableState>;

/** State of the transactions that this wallet made and sent. */
const nothingSent = () =>
  ({
    signedKeys: new Map(),
    rings: new Map(),
    sent: new Map(),
    unmined: new Set(),
    refused: new Set(),
    committed: new Map(),
  }) satisfies Partial<MutableState>;

/** The state after a journal's first event. @throws WalletError `bad-event` */
export function firstState(event: WalletEvent): WalletState {
  if (event.type !== 'Created')
    throw new WalletError('bad-event', `expected the event Created at the journal's start, got ${event.type}`);
  return initialState(event.wallet);
}

/** Replaces the view of the pool. */
export function setPool(state: WalletState, pool: PoolView): void {
  const s = state as MutableState;
  s.pool = pool;
  s.version += 1;
}

/**
 * Applies an event to the state, in time proportional to the event (rewinds: to what is known above the height).
 * @throws WalletError `bad-event`, `newer-version`, and then the state is unchanged
 */
export function applyEvent(state: WalletState, event: WalletEvent): void {
  const s = state as MutableState;
  if (!Object.hasOwn(CHANGES, event.type))
    throw new WalletError('newer-version', 'this wallet was written by a later version of the program: update it');
  (CHANGES[event.type] as Change<WalletEvent['type']>)(s, event);
  s.version += 1;
}

type Change<Type extends WalletEvent['type']> = (s: MutableState, event: EventOf<Type>) => void;

/** How each kind of event changes the state. */
const CHANGES: { readonly [Type in WalletEvent['type']]: Change<Type> } = {
  Created: () => {
    throw new WalletError('bad-event', 'expected the event Created only once');
  },
  Synced: applySynced,
  Rewound: (s, { height }) => rewind(s, height),
  RestoreHeightSet: (s, { height }) => restoreFrom(s, height),
  BlocksVerified: (s, { blocks }) => {
    for (const block of blocks) if (block.height < s.height) s.verified.set(block.height, block.id);
  },
  KeyImagesImported: (s, { images }) => {
    importKeyImages(s, images);
    for (const { key } of images) s.predicted.delete(key);
  },
  KeyImagesForetold: (s, { images }) => {
    importKeyImages(s, images);
    for (const { key } of images) s.predicted.add(key);
  },
  SpendsLearned: learnSpends,
  OutputsImported: (s, { offset, outputs }) => importOutputs(s, offset, outputs),
  TransactionSigned: (s, { txHash, txKeys }) => s.signedKeys.set(txHash, txKeys),
  MultisigRound: (s, { account }) => {
    if (!becomeSigner(s, account, PRIMARY_ACCOUNT_LABEL)) return;
    s.cosigning = NO_COSIGNING;
    rewind(s, s.description.restoreHeight);
  },
  MultisigNoncesTold: cosign,
  MultisigNoncesUsed: cosign,
  MultisigInfoImported: cosign,
  NetworkFound: (s, { network }) => findNetwork(s, network),
  TransactionsTold: (s, { transactions }) => {
    for (const record of transactions) s.recorded.set(record.txHash, record);
  },
  LookaheadSet: (s, { lookahead }) => {
    s.lookahead = widened(s.lookahead, lookahead);
  },
  AccountAdded: (s, { label }) => s.accounts.push({ labels: [label] }),
  AccountsSet: (s, { accounts, used }) => {
    s.accounts = accounts.map((labels) => ({ labels: [...labels] }));
    s.used = new Set(used.map(indexKey));
  },
  SubaddressAdded: (s, { major, label }) => account(s, major).labels.push(label),
  Labelled: (s, { index, label }) => relabel(s, index, label),
  RingsChosen: (s, { rings }) => {
    for (const ring of rings) s.rings.set(ring.keyImage, ring);
  },
  TransactionBuilt: (s, { tx }) => {
    if (!s.transactions.has(tx.txHash)) s.unmined.add(tx.txHash);
    s.sent.set(tx.txHash, { tx, phase: 'built', at: tx.builtAt, reason: undefined, accepted: false });
    for (const image of tx.inputs) s.committed.set(image, tx.txHash);
  },
  TransactionSending: step,
  TransactionAccepted: step,
  TransactionFailed: step,
  RefusalSettled: (s, { txHash }) => s.refused.delete(txHash),
  Noted: (s, { txHash, note }) => (note === '' ? s.notes.delete(txHash) : s.notes.set(txHash, note)),
  Frozen: (s, { key }) => s.frozen.add(key),
  Thawed: (s, { key }) => s.frozen.delete(key),
  OutputNamed: (s, { key, name }) => (name === '' ? s.outputNames.delete(key) : s.outputNames.set(key, name)),
  AttributeSet: (s, { key, value }) => s.attributes.set(key, value),
  ContactSet: (s, { id, contact }) => (contact === undefined ? s.contacts.delete(id) : s.contacts.set(id, contact)),
};

function applySynced(s: MutableState, event: Synced): void {
  requireNextHeight(event, s.height);
  requireKnown(s, event, s.height, new Set());
  for (const output of event.outputs) addOutput(s, output);
  for (const spend of event.spends) addSpend(s, spend);
  for (const index of event.used) noteUsed(s, index);
  for (const stub of event.blocks) s.blocks.push(stub);
  s.height = event.to + 1;
  s.lastReward = event.reward ?? s.lastReward;
  s.blocks = thinBlocks(s.blocks, s.height);
}

function txFacts(s: MutableState, txHash: TxHash): MutableTxFacts {
  let facts = s.transactions.get(txHash);
  if (facts === undefined) {
    facts = noFacts();
    s.transactions.set(txHash, facts);
    s.transactionLog.hashes.push(txHash);
    s.unmined.delete(txHash);
  }
  return facts;
}

function addOutput(s: MutableState, output: OwnedOutput): void {
  const known = s.outputs.get(output.key);
  const image = output.keyImage ?? known?.output.keyImage ?? s.keyImages.get(output.key);
  const copy = image === output.keyImage ? output : { ...output, keyImage: image };
  const alone = [copy];
  s.outputs.set(output.key, entryOf(known === undefined ? alone : [...known.copies, copy], known?.spend));
  if (known === undefined) s.unspent.add(output.key);
  else rewrite(s.transactionLog, s.transactions.keys());
  if (image !== undefined) s.byKeyImage.set(image, output.key);
  const facts = txFacts(s, output.txHash);
  // One shared list: most transactions have one output of ours, and most keys one copy.
  facts.outputs = facts.outputs.length === 0 ? alone : [...facts.outputs, copy];
  noteUsed(s, output.subaddress);
}

function addSpend(s: MutableState, spend: ChainSpend): void {
  const entry = entryOfImage(s, spend.keyImage);
  if (entry === undefined)
    throw new WalletError('bad-event', 'expected a spend of an output this wallet knows', { keyImage: spend.keyImage });
  // A key image is spent once. A second spend is a daemon's invention: when it is rewound, the first must still count.
  if (entry.spend !== undefined) return;
  s.outputs.set(entry.output.key, entryOf(entry.copies, spend));
  s.unspent.delete(entry.output.key);
  s.unplacedSpends.delete(spend.keyImage);
  const facts = txFacts(s, spend.txHash);
  facts.spends = [...facts.spends, spend];
}

/** T7: the largest amount once; copies after the spend are worth nothing, because their key image is spent. */
function entryOf(copies: readonly OwnedOutput[], spend: ChainSpend | undefined): OutputEntry {
  let output = copies[0]!;
  for (const copy of copies) {
    if (spend !== undefined && copy.height > spend.height) continue;
    if (copy.amount > output.amount) output = copy;
  }
  return { output, copies, spend };
}

function noteUsed(s: MutableState, index: SubaddressIndex): void {
  s.used.add(indexKey(index));
  growAccounts(s.accounts, s.lookahead, index);
}

function account(s: MutableState, major: number): { labels: string[] } {
  const found = s.accounts[major];
  if (found === undefined) throw new WalletError('bad-event', 'expected an account that exists', { account: major });
  return found;
}

function relabel(s: MutableState, index: SubaddressIndex, label: string): void {
  const { labels } = account(s, index.major);
  if (index.minor >= labels.length)
    throw new WalletError('bad-event', 'expected a subaddress that exists', { minor: index.minor });
  labels[index.minor] = label;
}

function cosign(s: MutableState, event: Parameters<typeof applyCosigningEvent>[1]): void {
  s.cosigning = applyCosigningEvent(s.cosigning, event);
}

const PHASES = { TransactionSending: 'sending', TransactionAccepted: 'accepted', TransactionFailed: 'failed' } as const;

function step(s: MutableState, event: EventOf<keyof typeof PHASES>): void {
  const { txHash, at } = event;
  const phase = PHASES[event.type];
  const reason = event.type === 'TransactionFailed' ? event.reason : undefined;
  const entry = s.sent.get(txHash);
  if (entry === undefined) throw new WalletError('bad-event', 'expected a transaction of ours', { txHash });
  s.sent.set(txHash, { tx: entry.tx, phase, at, reason, accepted: entry.accepted || phase === 'accepted' });
  if (phase === 'failed') s.refused.add(txHash);
  for (const image of entry.tx.inputs) {
    if (phase !== 'failed') s.committed.set(image, txHash);
    else if (s.committed.get(image) === txHash) s.committed.delete(image);
  }
}

function importKeyImages(s: MutableState, images: readonly KeyedImage[]): void {
  for (const { key, keyImage } of images) importKeyImage(s, key, keyImage);
  if (images.some(({ key }) => s.outputs.has(key))) rewrite(s.transactionLog, s.transactions.keys());
}

function importKeyImage(s: MutableState, key: OutputKey, keyImage: KeyImage): void {
  s.keyImages.set(key, keyImage);
  const entry = s.outputs.get(key);
  if (entry === undefined) return;
  const before = entry.output.keyImage;
  if (before !== undefined && before !== keyImage) s.byKeyImage.delete(before);
  const copies = entry.copies.map((copy) => ({ ...copy, keyImage }));
  s.outputs.set(key, entryOf(copies, entry.spend));
  s.byKeyImage.set(keyImage, key);
  for (const copy of copies) {
    const facts = txFacts(s, copy.txHash);
    facts.outputs = facts.outputs.map((output) => (output.key === key ? { ...output, keyImage } : output));
  }
}

function findNetwork(s: MutableState, network: 'regtest'): void {
  if (s.description.network !== 'mainnet' || s.blocks.length > 0)
    throw new WalletError('bad-event', 'expected a wallet of mainnet that has scanned nothing', {
      network: s.description.network,
    });
  s.description = { ...s.description, network };
}

function learnSpends(s: MutableState, { spends, unplaced }: EventOf<'SpendsLearned'>): void {
  for (const spend of spends) {
    const entry = entryOfImage(s, spend.keyImage);
    if (spend.height < s.height && entry !== undefined && entry.spend === undefined) addSpend(s, spend);
  }
  for (const image of unplaced) {
    const entry = entryOfImage(s, image);
    if (entry === undefined || entry.spend !== undefined) continue;
    s.unplacedSpends.add(image);
    s.unspent.delete(entry.output.key);
  }
  rewrite(s.transactionLog, s.transactions.keys());
}

function importOutputs(s: MutableState, offset: number, outputs: readonly ImportedOutput[]): void {
  const before = Array.from({ length: offset }, (_, i) => s.imported[i]);
  s.imported = [...before, ...outputs];
  const indices = outputs.map(({ subaddress }) => subaddress);
  for (const index of indices) s.used.add(indexKey(index));
  growImportedAccounts(s.accounts, s.lookahead, indices);
}

/** Forgets the chain at and above `height`. Everything the user said or did stays (T16). */
function rewind(s: MutableState, height: Height): void {
  requireScannedHeight(height, s.height);
  for (const [key, entry] of s.outputs) {
    const spend = entry.spend !== undefined && entry.spend.height >= height ? undefined : entry.spend;
    const copies = entry.copies.filter((copy) => copy.height < height);
    if (copies.length === 0) forgetOutput(s, key, entry);
    else if (copies.length !== entry.copies.length || spend !== entry.spend) s.outputs.set(key, entryOf(copies, spend));
    const unplaced = entry.output.keyImage !== undefined && s.unplacedSpends.has(entry.output.keyImage);
    if (copies.length > 0 && spend === undefined && !unplaced) s.unspent.add(key);
  }
  for (const [txHash, facts] of s.transactions) {
    facts.outputs = facts.outputs.filter((output) => output.height < height);
    facts.spends = facts.spends.filter((spend) => spend.height < height);
    if (facts.outputs.length > 0 || facts.spends.length > 0) continue;
    s.transactions.delete(txHash);
    if (s.sent.has(txHash)) s.unmined.add(txHash);
  }
  rewrite(s.transactionLog, s.transactions.keys());
  for (const verified of s.verified.keys()) if (verified >= height) s.verified.delete(verified);
  s.blocks = s.blocks.filter((stub) => stub.height < height);
  s.height = height;
}

function forgetOutput(s: MutableState, key: OutputKey, entry: OutputEntry): void {
  s.outputs.delete(key);
  s.unspent.delete(key);
  if (entry.output.keyImage === undefined) return;
  s.byKeyImage.delete(entry.output.keyImage);
  s.unplacedSpends.delete(entry.output.keyImage);
}

function restoreFrom(s: MutableState, height: Height): void {
  const untouched = s.height === s.description.restoreHeight;
  if (!untouched) requireScannedHeight(height, s.height);
  if (height <= s.height) rewind(s, height);
  s.height = height;
  if (untouched || height < s.description.restoreHeight) s.description = { ...s.description, restoreHeight: height };
}

import { toAtomicAmount } from '../../protocol/model.ts';
import { DEFAULT_LOOKAHEAD } from '../lookahead.ts';
import type { ChainSpend, OwnedOutput, SubaddressIndex } from '../model.ts';
import { cosigningEvents } from '../multisig/cosigning-state.ts';
import { storedAccount } from '../multisig/stored-account.ts';
import type { WalletEvent } from './events.ts';
import type { SentEntry, WalletState } from './state.ts';

/** Outputs and spends in one record of a snapshot, so that records stay small. */
const FACTS_A_RECORD = 1000;

/** A short journal of the same wallet: folding it gives this state again, except for what is not journalled (the pool). */
export function* snapshot(state: WalletState): Generator<WalletEvent> {
  yield { type: 'Created', wallet: state.description };
  if (state.multisig !== undefined) yield { type: 'MultisigRound', account: storedAccount(state.multisig) };
  yield* chain(state);
  yield* cold(state);
  yield* cosigningEvents(state.cosigning);
  yield* people(state);
  yield* transactions(state);
}

function* chain(state: WalletState): Generator<WalletEvent> {
  const facts = [...state.transactions.values()];
  const outputs = facts.flatMap((tx) => tx.outputs).sort((a, b) => a.height - b.height);
  const spends = facts.flatMap((tx) => tx.spends).sort((a, b) => a.height - b.height);
  let from = state.description.restoreHeight;
  let o = 0;
  let s = 0;
  while (from < state.height) {
    const to = Math.min(recordEnd(outputs, o), recordEnd(spends, s), state.height - 1);
    const nextO = advance(outputs, o, to);
    const nextS = advance(spends, s, to);
    yield {
      type: 'Synced',
      from,
      to,
      blocks: state.blocks.filter((stub) => stub.height >= from && stub.height <= to),
      outputs: outputs.slice(o, nextO),
      spends: spends.slice(s, nextS),
      used: [],
      ...(to === state.height - 1 ? { reward: toAtomicAmount(state.lastReward) } : {}),
    };
    [o, s, from] = [nextO, nextS, to + 1];
  }
  const verified = [...state.verified].map(([height, id]) => ({ height, id }));
  if (verified.length > 0) yield { type: 'BlocksVerified', blocks: verified };
}

const recordEnd = (facts: readonly (OwnedOutput | ChainSpend)[], start: number): number =>
  facts[start + FACTS_A_RECORD]?.height ?? Number.POSITIVE_INFINITY;

function advance(facts: readonly (OwnedOutput | ChainSpend)[], start: number, to: number): number {
  let i = start;
  while (i < facts.length && facts[i]!.height <= to) i += 1;
  return i;
}

/** Outputs and key images from the other half of the wallet. */
function* cold(state: WalletState): Generator<WalletEvent> {
  const images = [...state.keyImages].map(([key, keyImage]) => ({ key, keyImage }));
  const predicted = images.filter(({ key }) => state.predicted.has(key));
  const imported = images.filter(({ key }) => !state.predicted.has(key));
  if (imported.length > 0) yield { type: 'KeyImagesImported', images: imported };
  if (predicted.length > 0) yield { type: 'KeyImagesForetold', images: predicted };
  if (state.unplacedSpends.size > 0) yield { type: 'SpendsLearned', spends: [], unplaced: [...state.unplacedSpends] };
  yield* importedOutputs(state);
  for (const [txHash, txKeys] of state.signedKeys) yield { type: 'TransactionSigned', txHash, txKeys };
}

/**
 * One event for each unbroken run; an import clears the requests of outputs before it, so runs are grouped by whether they are requested.
 */
function* importedOutputs(state: WalletState): Generator<WalletEvent> {
  const { imported } = state;
  let from = 0;
  while (from < imported.length) {
    let to = from;
    while (to < imported.length && imported[to] !== undefined) to += 1;
    const outputs = imported.slice(from, to).filter((output) => output !== undefined);
    if (outputs.length > 0) yield { type: 'OutputsImported', offset: from, outputs };
    from = to + 1;
  }
}

function* people(state: WalletState): Generator<WalletEvent> {
  const accounts = state.accounts.map(({ labels }) => [...labels]);
  yield { type: 'AccountsSet', accounts, used: [...state.used].map(parseIndex) };
  if (state.lookahead !== DEFAULT_LOOKAHEAD) yield { type: 'LookaheadSet', lookahead: state.lookahead };
  for (const key of state.frozen) yield { type: 'Frozen', key };
  for (const [key, name] of state.outputNames) yield { type: 'OutputNamed', key, name };
  for (const [key, value] of state.attributes) yield { type: 'AttributeSet', key, value };
  for (const [id, contact] of state.contacts) yield { type: 'ContactSet', id, contact };
  for (const [txHash, note] of state.notes) yield { type: 'Noted', txHash, note };
}

function parseIndex(text: string): SubaddressIndex {
  const [major, minor] = text.split('/');
  return { major: Number(major), minor: Number(minor) };
}

function* transactions(state: WalletState): Generator<WalletEvent> {
  if (state.rings.size > 0) yield { type: 'RingsChosen', rings: [...state.rings.values()] };
  for (const entry of state.sent.values()) {
    yield* sent(entry, state.refused.has(entry.tx.txHash));
  }
  if (state.recorded.size > 0) yield { type: 'TransactionsTold', transactions: [...state.recorded.values()] };
}

/** @param refused it failed once, and the person has not given it up */
function* sent({ tx, phase, at, reason, accepted }: SentEntry, refused: boolean): Generator<WalletEvent> {
  yield { type: 'TransactionBuilt', tx };
  const { txHash } = tx;
  if (refused && phase !== 'failed') yield { type: 'TransactionFailed', txHash, reason: '', at };
  if (accepted) yield { type: 'TransactionAccepted', txHash, at };
  if (phase === 'sending') yield { type: 'TransactionSending', txHash, at };
  if (phase === 'failed') yield { type: 'TransactionFailed', txHash, reason: reason ?? '', at };
  if (!refused && phase === 'failed') yield { type: 'RefusalSettled', txHash };
}

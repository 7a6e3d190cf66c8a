import { bytesToHex } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import type { GroupMember, GroupSet, GroupStatus } from '../group-api.ts';
import type { OutputEntry, WalletState } from '../state/state.ts';
import { isReady, type MultisigAccount, mainRoundsDone, setupRounds } from './account.ts';
import { planOf, type StoredPlan } from './stored-plan.ts';
import { type StoredSet, storedSets } from './stored-sets.ts';

/** Number of the current round, from 1. */
export const currentRound = (account: MultisigAccount | undefined): number => (account?.roundsComplete ?? 0) + 1;

/** Coins that are neither spent on the chain nor used by a payment of ours. */
function unspentCoins({ outputs, unplacedSpends, committed }: WalletState): OutputEntry[] {
  return [...outputs.values()].filter(({ output: { keyImage }, spend }) => {
    const taken = keyImage !== undefined && (unplacedSpends.has(keyImage) || committed.has(keyImage));
    return spend === undefined && !taken;
  });
}

/** Whether the others need a new export of this wallet: for some of these coins its last one has no usable nonces. */
function lacksExports({ cosigning: { own } }: WalletState, stale: boolean, coins: readonly OutputEntry[]): boolean {
  return coins.some(({ output }) => stale || own === undefined || !own.unused.has(output.key));
}

/** Whether some unspent coin is not covered by this wallet's last export. @param stale the last export is void */
export const hasUnexportedCoins = (state: WalletState, stale: boolean): boolean =>
  lacksExports(state, stale, unspentCoins(state));

/** Prefix of attributes, followed by a member's base key: the member's last export was removed, and no newer one has arrived. */
export const EXPORT_CLEARED = 'group-taken-out:';

/**
 * The state of a group.
 * @param stale the journal is a restored older one, so this wallet's last export is void
 * @param hasExport whether an export of another member is stored, by its base key, hex
 */
export function groupStatus(state: WalletState, stale: boolean, hasExport: (signer: string) => boolean): GroupStatus | undefined {
  const plan = planOf(state);
  if (plan === undefined) return undefined;
  const { multisig: account, cosigning } = state;
  const total = plan.others.length + 1;
  // Coins of a set that waits to be signed were exported already; its change will be another coin.
  const waiting = new Set(storedSets(state.attributes).flatMap(({ coins }) => coins));
  const unspent = unspentCoins(state);
  const coins = unspent.filter(({ output }) => !waiting.has(output.key));
  const isCurrent = (signer: string) =>
    state.attributes.get(EXPORT_CLEARED + signer) !== '1' &&
    coins.every(({ output }) => cosigning.exports.get(output.key)?.has(signer) === true);
  const members = membersOf(plan, account, isCurrent, hasExport);
  const ready = account !== undefined && isReady(account);
  return {
    ...{ threshold: plan.threshold, total, members, ready, compared: plan.compared },
    round: account?.roundsComplete ?? 0,
    rounds: setupRounds(total, plan.threshold),
    address: account !== undefined && mainRoundsDone(account) ? state.description.primaryAddress : undefined,
    importNeeded: ready && unspent.some(({ output }) => output.keyImage === undefined),
    exportNeeded: ready && plan.threshold > 1 && lacksExports(state, stale, coins),
    sets: setsOf(state, members, plan.threshold),
  };
}

function membersOf(
  { me, others }: StoredPlan,
  account: MultisigAccount | undefined,
  isCurrent: (signer: string) => boolean,
  hasExport: (signer: string) => boolean,
): GroupMember[] {
  const round = currentRound(account);
  const signer = account && bytesToHex(secretKeyToPublicKey(account.baseSecret)!);
  const self: GroupMember = { name: me, self: true, signer, answered: true, current: true, hasExport: false };
  return [
    self,
    ...others.map((other) => ({
      ...{ name: other.name, self: false, signer: other.signer === '' ? undefined : other.signer },
      answered: other.round === round && other.text !== '',
      current: other.signer !== '' && isCurrent(other.signer),
      hasExport: other.signer !== '' && hasExport(other.signer),
    })),
  ];
}

function setsOf(state: WalletState, members: readonly GroupMember[], threshold: number): GroupSet[] {
  const stored = storedSets(state.attributes);
  const free = new Set(unspentCoins(state).map(({ output }) => output.key));
  const known = (signer: string): number[] => {
    const at = members.findIndex((member) => member.signer === signer);
    return at < 0 ? [] : [at];
  };
  return stored.map((set) => ({
    ...{ id: set.id, at: set.at, amount: set.amount, fee: set.fee },
    proposers: set.proposers.flatMap(known),
    signers: set.signers.flatMap(known),
    complete: set.signers.length >= threshold,
    gone: set.coins.some((coin) => state.outputs.has(coin) && !free.has(coin)),
    clashes: stored.some((other) => other.id !== set.id && sharesCoin(set, other)),
  }));
}

const sharesCoin = ({ coins }: StoredSet, other: StoredSet): boolean => coins.some((coin) => other.coins.includes(coin));

import { bytesToHex } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import type { GroupMember, GroupSet, GroupStatus } from '../group-api.ts';
import type { OutputEntry, WalletState } from '../state/state.ts';
import { isReady, type MultisigAccount, mainRoundsDone, setupRounds } from './account.ts';
import { planOf, type StoredPlan } from './stored-plan.ts';
import { type StoredSet, storedSets } from './stored-sets.ts';

/** Number of the current round, from 1. */
export const currentRound = (account: MultisigAccount | undefined): number => (account?.roundsComplete ?? 0) + 1;

/** Coins that the chain has not spent and that nothing of ours takes. */
function unspentCoins({ outputs, unplacedSpends, committed }: WalletState): OutputEntry[] {
  return [...outputs.values()].filter(({ output: { keyImage }, spend }) => {
    const taken = keyImage !== undefined && (unplacedSpends.has(keyImage) || committed.has(keyImage));
    return spend === undefined && !taken;
  });
}

/** Whether what this wallet told last is not all that the others need: of some of these coins nothing that it told can sign. */
function isUntold({ cosigning: { own } }: WalletState, stale: boolean, coins: readonly OutputEntry[]): boolean {
  return coins.some(({ output }) => stale || own === undefined || !own.unused.has(output.key));
}

/** Whether some unspent coin is not covered by this wallet's last export. @param stale the last export is void */
export const hasUnexportedCoins = (state: WalletState, stale: boolean): boolean => isUntold(state, stale, unspentCoins(state));

/** Prefix of attributes, followed by a member's base key: the member's last export was removed and no newer one has come. */
export const EXPORT_CLEARED = 'group-taken-out:';

/**
 * How a group stands.
 * @param stale what this wallet told last is void: it is an older state brought back
 * @param hasTold whether what another member told is kept; by its base key, hex
 */
export function groupStatus(state: WalletState, stale: boolean, hasTold: (signer: string) => boolean): GroupStatus | undefined {
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
    coins.every(({ output }) => cosigning.told.get(output.key)?.has(signer) === true);
  const members = membersOf(plan, account, isCurrent, hasTold);
  const ready = account !== undefined && isReady(account);
  return {
    ...{ threshold: plan.threshold, total, members, ready, compared: plan.compared },
    round: account?.roundsComplete ?? 0,
    rounds: setupRounds(total, plan.threshold),
    address: account !== undefined && mainRoundsDone(account) ? state.description.primaryAddress : undefined,
    importNeeded: ready && unspent.some(({ output }) => output.keyImage === undefined),
    exportNeeded: ready && plan.threshold > 1 && isUntold(state, stale, coins),
    sets: setsOf(state, members, plan.threshold),
  };
}

function membersOf(
  { me, others }: StoredPlan,
  account: MultisigAccount | undefined,
  isCurrent: (signer: string) => boolean,
  hasTold: (signer: string) => boolean,
): GroupMember[] {
  const round = currentRound(account);
  const signer = account && bytesToHex(secretKeyToPublicKey(account.baseSecret)!);
  const self: GroupMember = { name: me, self: true, signer, answered: true, current: true, told: false };
  return [
    self,
    ...others.map((other) => ({
      ...{ name: other.name, self: false, signer: other.signer === '' ? undefined : other.signer },
      answered: other.round === round && other.text !== '',
      current: other.signer !== '' && isCurrent(other.signer),
      told: other.signer !== '' && hasTold(other.signer),
    })),
  ];
}

function setsOf(state: WalletState, members: readonly GroupMember[], threshold: number): GroupSet[] {
  const kept = storedSets(state.attributes);
  const free = new Set(unspentCoins(state).map(({ output }) => output.key));
  const known = (signer: string): number[] => {
    const at = members.findIndex((member) => member.signer === signer);
    return at < 0 ? [] : [at];
  };
  return kept.map((set) => ({
    ...{ id: set.id, at: set.at, amount: set.amount, fee: set.fee },
    proposers: set.proposers.flatMap(known),
    signers: set.signers.flatMap(known),
    complete: set.signers.length >= threshold,
    gone: set.coins.some((coin) => state.outputs.has(coin) && !free.has(coin)),
    clashes: kept.some((other) => other.id !== set.id && sharesCoin(set, other)),
  }));
}

const sharesCoin = ({ coins }: StoredSet, other: StoredSet): boolean => coins.some((coin) => other.coins.includes(coin));

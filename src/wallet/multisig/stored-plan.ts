import { asArray, asObject, asText, bytesToHex, type JsonValue, parseJson, stringifyJson } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import type { GroupPlan } from '../group-api.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { MOST_SIGNERS } from './account.ts';
import { MultisigError } from './errors.ts';

/** Attribute of the journal: the person's settings of the group, and the messages of its rounds. */
const PLAN = 'group';

/** A member, with the name that the person gave it. */
export interface StoredMember {
  readonly name: string;
  /** Base public key, hex; empty until it is known. */
  readonly signer: string;
  /** The round of the member's last message, and its text; 0 and empty if there is none. */
  readonly round: number;
  readonly text: string;
}

/** A group's record beside its keys. */
export interface StoredPlan {
  readonly me: string;
  readonly threshold: number;
  readonly others: readonly StoredMember[];
  /** This member's message of each round. */
  readonly said: readonly string[];
  readonly compared: boolean;
}

const nobody = (name: string): StoredMember => ({ name: name.trim(), signer: '', round: 0, text: '' });

/** @throws MultisigError `bad-signer-count`, `bad-threshold` */
export function planEvent({ me, others, threshold }: GroupPlan): WalletEvent {
  const total = others.length + 1;
  if (total < 2 || total > MOST_SIGNERS)
    throw new MultisigError('bad-signer-count', 'expected 2 to 16 members', { signers: total });
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > total)
    throw new MultisigError('bad-threshold', 'expected a threshold of 1 up to the number of members', { threshold });
  return groupPlanSet({ me: me.trim(), threshold, others: others.map(nobody), said: [], compared: false });
}

/** The event that stores a plan. */
export const groupPlanSet = (plan: StoredPlan): WalletEvent => ({
  type: 'AttributeSet',
  key: PLAN,
  value: stringifyJson({ ...plan, others: plan.others.map((other) => ({ ...other })), said: [...plan.said] }),
});

/** The stored plan; for a group that was made elsewhere, one without names. Undefined for a wallet of one owner. */
export function planOf({ attributes, multisig }: Pick<WalletState, 'attributes' | 'multisig'>): StoredPlan | undefined {
  const text = attributes.get(PLAN) ?? '';
  const plan = text === '' ? undefined : readPlan(text);
  if (multisig === undefined) return plan;
  const self = bytesToHex(secretKeyToPublicKey(multisig.baseSecret)!);
  const signers = multisig.signers.map(bytesToHex).filter((signer) => signer !== self);
  const named = new Set(plan?.others.map(({ signer }) => signer));
  const fits = plan !== undefined && plan.others.length === signers.length && signers.every((signer) => named.has(signer));
  if (fits) return plan;
  const others = signers.map((signer) => ({ ...nobody(''), signer }));
  return { me: plan?.me ?? '', threshold: multisig.threshold, others, said: [], compared: false };
}

function readPlan(text: string): StoredPlan {
  const { me, threshold, others, said, compared } = asObject(parseJson(text));
  return {
    me: asText(me),
    threshold: Number(threshold),
    others: asArray(others).map(readMember),
    said: asArray(said).map((one) => asText(one)),
    compared: compared === true,
  };
}

function readMember(value: JsonValue): StoredMember {
  const { name, signer, round, text } = asObject(value);
  return { name: asText(name), signer: asText(signer), round: Number(round), text: asText(text) };
}

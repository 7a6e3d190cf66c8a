// Seats in groups of both programs, and who proposes, signs and submits each of their three payments.

type Program = 'o' | 'r';

/** Seats in order: ours (o) or the reference (r). */
export interface SeatedGroup {
  readonly threshold: number;
  readonly seats: string;
}

/** For each M of N as many as it takes for both programs to sit first and last, and to be in the majority and the minority where possible. */
export const SEATED_GROUPS: readonly SeatedGroup[] = [
  { threshold: 1, seats: 'or' },
  { threshold: 1, seats: 'ro' },
  { threshold: 2, seats: 'ro' },
  { threshold: 2, seats: 'or' },
  { threshold: 2, seats: 'oro' },
  { threshold: 2, seats: 'ror' },
  { threshold: 3, seats: 'orr' },
  { threshold: 3, seats: 'roo' },
  { threshold: 3, seats: 'ooor' },
  { threshold: 3, seats: 'rrro' },
  { threshold: 3, seats: 'ororo' },
  { threshold: 3, seats: 'roror' },
];

/** Seats of one payment. */
export interface Roles {
  readonly proposer: number;
  readonly signers: readonly number[];
  readonly submitter: number;
}

/**
 * The three payments of a group: one that the reference proposes and submits itself, one that ours does, and one by a member who has not proposed
 * yet, if there is one, submitted by the last in turn, who need not have signed. Signers are the members seated after the proposer.
 */
export function rolesOf({ threshold, seats }: SeatedGroup): readonly Roles[] {
  const [theirs, ours] = [seats.indexOf('r'), seats.indexOf('o')];
  const others = [...seats].map((_, i) => i).filter((i) => i !== theirs && i !== ours);
  const third = others.at(-1) ?? theirs;
  const payment = (proposer: number, last: boolean): Roles => {
    const turn = [...seats].map((_, i) => (proposer + i) % seats.length);
    return { proposer, signers: turn.slice(1, threshold), submitter: last ? turn.at(-1)! : proposer };
  };
  return [payment(theirs, false), payment(ours, false), payment(third, true)];
}

const named = ({ seats }: SeatedGroup, at: number): string => `${seats[at]}${at + 1}`;

/** A line of the table: every payment as `proposer > signers > submitter`, each as program and seat. */
export function rolesRow(group: SeatedGroup): Record<string, string> {
  const payments = rolesOf(group).map(({ proposer, signers, submitter }, i) => {
    const all = [proposer, ...signers].map((at) => named(group, at));
    return [`payment ${i + 1}`, `${all.join(' > ')} > ${named(group, submitter)} sends`] as const;
  });
  return { group: `${group.threshold}/${group.seats.length}`, seats: group.seats, ...Object.fromEntries(payments) };
}

/** Roles that one or both programs never have in these groups of one M of N. */
export function missingRoles(groups: readonly SeatedGroup[]): string[] {
  const done = new Set(groups.flatMap(rolesIn));
  const [{ threshold, seats }] = groups as [SeatedGroup];
  const wanted = ['first', 'last', 'proposer', 'submitter', 'proposer and submitter'];
  if (threshold > 1) wanted.push('signer');
  if (seats.length > 2) wanted.push('majority', 'minority');
  return wanted.flatMap((role) => (['o', 'r'] as const).map((who) => `${role}: ${who}`)).filter((one) => !done.has(one));
}

function rolesIn(group: SeatedGroup): string[] {
  const { seats } = group;
  const who = (at: number) => seats.at(at) as Program;
  const ours = [...seats].filter((seat) => seat === 'o').length;
  const more: Program = ours * 2 > seats.length ? 'o' : 'r';
  const less: Program = more === 'o' ? 'r' : 'o';
  const sizes = ours * 2 === seats.length ? [] : [`majority: ${more}`, `minority: ${less}`];
  const payments = rolesOf(group).flatMap(({ proposer, signers, submitter }) => [
    `proposer: ${who(proposer)}`,
    `submitter: ${who(submitter)}`,
    ...signers.map((at) => `signer: ${who(at)}`),
    ...(proposer === submitter ? [`proposer and submitter: ${who(proposer)}`] : []),
  ]);
  return [`first: ${who(0)}`, `last: ${who(-1)}`, ...sizes, ...payments];
}

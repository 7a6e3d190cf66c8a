import type { MoneroApp } from './app.ts';
import { demand } from './refusal.ts';
import type { DeviceTransaction } from './transaction.ts';

/** The part of a command that determines its place in a transaction. */
export interface Ordered {
  readonly instruction: number;
  readonly p1: number;
  readonly p2: number;
  readonly option: number;
}

/** The last command that advanced a transaction. */
export type Place = Omit<Ordered, 'option'>;

export const NOWHERE: Place = { instruction: 0, p1: 0, p2: 0 };

const OPEN_TX = 0x70;
const SET_MODE = 0x72;
const STEALTH = 0x76;
const MASK = 0x77;
const BLIND = 0x78;
const TXOUT_KEYS = 0x7b;
const VALIDATE = 0x7c;
const PREFIX = 0x7d;
const CLSAG = 0x7f;
const MOVING: readonly number[] = [MASK, BLIND, TXOUT_KEYS, VALIDATE, PREFIX, CLSAG, OPEN_TX, STEALTH];
const REAL = 1;
const MORE = 0x80;

const NOT_NOW = 0x6980;
const NOT_THIS_PART = 0x6981;
const WRONG_PARTS = 0x6b00;

/** Whether a command has its own place in a transaction. */
export const isOrdered = (instruction: number): boolean => MOVING.includes(instruction) || instruction === SET_MODE;

/** For each command with a place: its possible predecessors, and whether it is sent whole (by the value of its first part) or in parts. */
const BEFORE: Readonly<Record<number, readonly number[]>> = {
  [OPEN_TX]: [NOWHERE.instruction],
  [STEALTH]: [OPEN_TX, STEALTH],
  [TXOUT_KEYS]: [OPEN_TX, STEALTH, TXOUT_KEYS],
  [PREFIX]: [TXOUT_KEYS, PREFIX],
  [MASK]: [PREFIX, MASK],
  [VALIDATE]: [BLIND, VALIDATE],
  [CLSAG]: [VALIDATE, CLSAG],
};
const WHOLE: Readonly<Record<number, number>> = { [OPEN_TX]: 1, [STEALTH]: 0, [TXOUT_KEYS]: 0, [MASK]: 0, [BLIND]: 0 };
const PARTS: Readonly<Record<number, (place: Place, command: Ordered) => number | undefined>> = {
  [PREFIX]: wrongPrefixPart,
  [VALIDATE]: wrongValidatePart,
  [CLSAG]: wrongClsagPart,
};

/** Like the app's dispatcher: the required predecessors, and which parts of a command follow which. */
export function requireOrder({ tx, mode }: MoneroApp, command: Ordered): void {
  const { instruction, p1, p2 } = command;
  if (instruction === SET_MODE) demand(!tx.isOpen, NOT_NOW);
  if (!MOVING.includes(instruction) || (instruction === STEALTH && !tx.isOpen)) return;
  demand(instruction === OPEN_TX || tx.isOpen, NOT_NOW);
  const before = BEFORE[instruction] ?? [mode === REAL ? MASK : PREFIX, BLIND];
  demand(before.includes(tx.place.instruction), NOT_NOW);
  const part = WHOLE[instruction];
  demand(part === undefined || (p1 === part && p2 === 0), WRONG_PARTS);
  const wrong = PARTS[instruction]?.(tx.place, command);
  demand(wrong === undefined, wrong ?? 0);
}

const unless = (holds: boolean): number | undefined => (holds ? undefined : NOT_THIS_PART);

function wrongPrefixPart(place: Place, { p1, p2 }: Ordered): number | undefined {
  const last = place.instruction === PREFIX ? place.p1 : 0;
  return unless(last === 0 ? p1 === 1 : p1 === 2 && p2 === (last === 1 ? 1 : place.p2 + 1));
}

function wrongValidatePart(place: Place, { p1, p2 }: Ordered): number | undefined {
  if (place.instruction !== VALIDATE) return unless(p1 === 1 && p2 === 1);
  if (p1 === place.p1) return unless(p2 === place.p2 + 1);
  return p1 === place.p1 + 1 ? unless(p2 === 1) : NOT_NOW;
}

function wrongClsagPart(place: Place, { p1, p2 }: Ordered): number | undefined {
  if (place.instruction === VALIDATE) return unless(place.p1 === 3 && p1 === 1 && p2 === 0);
  if (place.p1 === 1) return unless(p1 === 2 && p2 === 1);
  if (place.p1 === 3) return unless(p1 === 1);
  // Inside a hash its place has no number.
  const isHashed = place.p2 !== 0;
  return unless(p1 === 2 ? p2 !== 0 && (!isHashed || p2 === 1) : p1 === 3 && isHashed);
}

/** Records an accepted command. */
export function moveOn(tx: DeviceTransaction, { instruction, p1, p2, option }: Ordered): void {
  if (!MOVING.includes(instruction) || (instruction === STEALTH && !tx.isOpen)) return;
  const inside = instruction === CLSAG && p1 === 2 && (option & MORE) !== 0;
  tx.place = { instruction, p1, p2: inside ? 0 : p2 };
}

import type { ChainSpend, OwnedOutput, SubaddressIndex } from '../../wallet/model.ts';
import type { Value } from './tags.ts';

/** Reads the values of a record, one after the other. */
export interface Values {
  /** Reads the next value, at this depth of nesting. */
  value(depth: number): Value;
}

/** Makes an object of a fixed list of names, in their order. */
export type Maker = (from: Values, depth: number) => { readonly [name: string]: Value };

type Fields<T> = { readonly [Name in keyof T]-?: Value };

const output = (from: Values, depth: number): Fields<OwnedOutput> => ({
  key: from.value(depth),
  txHash: from.value(depth),
  outputIndex: from.value(depth),
  globalIndex: from.value(depth),
  height: from.value(depth),
  blockId: from.value(depth),
  timestamp: from.value(depth),
  amount: from.value(depth),
  mask: from.value(depth),
  rct: from.value(depth),
  coinbase: from.value(depth),
  fee: from.value(depth),
  unlockTime: from.value(depth),
  subaddress: from.value(depth),
  txPublicKey: from.value(depth),
  keyImage: from.value(depth),
  paymentId: from.value(depth),
});

const spend = (from: Values, depth: number): Fields<ChainSpend> => ({
  keyImage: from.value(depth),
  txHash: from.value(depth),
  height: from.value(depth),
  timestamp: from.value(depth),
  fee: from.value(depth),
  unlockTime: from.value(depth),
});

const subaddress = (from: Values, depth: number): Fields<SubaddressIndex> => ({
  major: from.value(depth),
  minor: from.value(depth),
});

const namesOf = (make: Maker): string => nameList(Object.keys(make({ value: () => undefined }, 0)));

/** Key of a list of names. The count distinguishes a comma in a name from a separator. */
const nameList = (names: readonly string[]): string => `${names.length} ${names.join()}`;

/**
 * Objects that a journal may hold by the thousand, by their current names. Each is made by one literal: an object that starts empty is
 * moved whenever it outgrows its space, and is larger in the end.
 */
const MAKERS: ReadonlyMap<string, Maker> = new Map([output, spend, subaddress].map((make) => [namesOf(make), make]));

/** Makes objects of these names by one literal; undefined if they are made name by name. */
export const makerOf = (names: readonly string[]): Maker | undefined => MAKERS.get(nameList(names));

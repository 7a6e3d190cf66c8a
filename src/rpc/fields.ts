import * as v from 'valibot';
import { U64_MAX } from '../base/index.ts';

/**
 * Fields of parameters, read like the reference's JSON storage (epee, portable_storage_val_converters.h): a field that is absent or null
 * has its default, an integer must fit its width, digits in a string are a 64-bit integer (clients send amounts this way), an unknown field
 * is ignored. Any other wrong type makes the parameters invalid.
 */

/** JSON Schema of a field, as far as it is used here. */
export interface FieldShape {
  readonly type: 'integer' | 'string' | 'boolean';
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}

/** A schema that carries its {@link FieldShape} under the key `shape`. */
function shaped<T>(shape: FieldShape, read: (value: unknown) => T | undefined) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: `expected ${shape.type}` });
      return NEVER;
    }),
    v.metadata({ shape }),
  );
}

function integer(least: bigint, most: bigint, digits = false): (value: unknown) => bigint | undefined {
  return (value) => {
    let number: bigint;
    if (typeof value === 'bigint') number = value;
    else if (typeof value === 'number' && Number.isInteger(value)) number = BigInt(value);
    else if (digits && typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) number = BigInt(value);
    else return undefined;
    return number >= least && number <= most ? number : undefined;
  };
}

/** An integer that a double holds. */
function small(minimum: number, maximum: number) {
  const read = integer(BigInt(minimum), BigInt(maximum));
  return shaped({ type: 'integer', minimum, maximum }, (value) => {
    const number = read(value);
    return number === undefined ? undefined : Number(number);
  });
}

const u64Field = shaped({ type: 'integer', minimum: 0, maximum: U64_MAX }, integer(0n, U64_MAX, true));
const i8Field = small(-0x80, 0x7f);
const u32Field = small(0, 0xffff_ffff);
const boolField = shaped({ type: 'boolean' }, (value) => (typeof value === 'boolean' ? value : undefined));
const textField = shaped({ type: 'string' }, (value) => (typeof value === 'string' ? value : undefined));

/** A `uint64_t`: amounts, heights, unlock times. */
export const u64 = (fallback = 0n) => v.nullish(u64Field, fallback);
/** An `int8_t`. */
export const i8 = () => v.nullish(i8Field, 0);
/** A `uint32_t`: indices, counts, priorities. */
export const u32 = (fallback = 0) => v.nullish(u32Field, fallback);
/** True or false, and nothing that stands for them. */
export const bool = (fallback = false) => v.nullish(boolField, fallback);
/** A string; not a number in its place. */
export const text = (fallback = '') => v.nullish(textField, fallback);

/** Most elements of a list in a request: each may take as long as a curve point. */
const MOST_ELEMENTS = 10_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of another kind than the expected array or object counts as absent (epee, get_first_value and open_section). */
const listOrNothing = <S extends v.GenericSchema>(item: S, most: number, isItem = (_first: unknown): boolean => true) =>
  v.pipe(
    v.unknown(),
    v.transform((value): unknown[] => (Array.isArray(value) && isItem(value[0]) ? value : [])),
    v.maxLength(most),
    v.array(item),
  );
const objectOrNothing = <E extends v.ObjectEntries>(entries: E, nothing: object = {}) =>
  v.pipe(
    v.unknown(),
    v.transform((value) => (isObject(value) ? value : nothing)),
    v.object(entries),
  );

/** An array; empty when absent. `most`: most elements of a request. */
export const u32s = (most = MOST_ELEMENTS) => v.nullish(listOrNothing(u32Field, most), () => []);
/** As {@link u32s}, of `uint64_t`. */
export const u64s = () => v.nullish(listOrNothing(u64Field, MOST_ELEMENTS), () => []);
/** As {@link u32s}, of strings. */
export const texts = () => v.nullish(listOrNothing(textField, MOST_ELEMENTS), () => []);
/** An array of objects; `entries` as for {@link params}. An array of anything else counts as absent (epee, get_first_section). */
export const objects = <E extends v.ObjectEntries>(entries: E, most = MOST_ELEMENTS) =>
  v.nullish(listOrNothing(v.object(entries), most, isObject), () => []);
/** An object inside the parameters; when absent all of its fields have their defaults. */
const section = <E extends v.ObjectEntries>(entries: E) => v.nullish(objectOrNothing(entries), {});

/**
 * The parameters of a method. If something other than an object is sent, fields do not have their defaults: they are zero, false and empty,
 * like the reference's structures before they are read (epee, http_server_handlers_map2.h).
 */
export const params = <E extends v.ObjectEntries>(entries: E) => objectOrNothing(entries, zeros(entries));

function zeros(entries: v.ObjectEntries): object {
  return Object.fromEntries(
    Object.entries(entries).map(([name, field]) => [name, zeroLike((field as { default?: unknown }).default)]),
  );
}

function zeroLike(fallback: unknown): unknown {
  if (typeof fallback === 'bigint' || typeof fallback === 'number') return 0n;
  if (typeof fallback === 'boolean') return false;
  return typeof fallback === 'string' ? '' : undefined;
}

/** The parameters of a method without any: whatever is sent is ignored. */
export const NO_PARAMS = params({});

/** Fields of results. A field that the reference omits at its default is `v.optional`. Empty arrays are removed later. */
export const result = {
  /** A `uint64_t`. */
  u64: v.pipe(v.bigint(), v.minValue(0n), v.maxValue(U64_MAX)),
  /** A `uint32_t`, or a count, height or time that a double can represent. */
  u32: v.pipe(v.number(), v.integer(), v.minValue(0)),
  text: v.string(),
  bool: v.boolean(),
} as const;

/** Account and address index. */
export const subaddressIndex = v.object({ major: result.u32, minor: result.u32 });
/** Index of a subaddress in parameters: 0/0, the primary address, by default. */
export const subaddressIndexParam = () => section({ major: u32(), minor: u32() });

/** The empty result. */
export const NO_RESULT = v.object({});

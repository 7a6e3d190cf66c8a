import { type JsonValue, parseJson, readAtMost } from '../src/base/index.ts';

/** Bytes of an answer: a price is a few. */
const MOST = 1_000_000;
/** Milliseconds that it may take. */
const PATIENCE = 15_000;
/** Nothing of this page goes along, and nobody else is asked. */
const ALONE = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', redirect: 'error' } as const;
/** Decimals of what is read, and how many more an amount of money has here. */
const DECIMALS = 8;
const MORE = 10n ** 4n;
/** Highest credible price of a coin, in whole money. */
const HIGHEST = 1e12;

/** Answer of a price source; undefined where it cannot be reached, refuses, or is too long. */
export async function textAt(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { ...ALONE, signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? new TextDecoder().decode(await readAtMost(answer, MOST)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a price out of what a source of prices answered: JSON that nobody has checked.
 * @param path names that lead to it, with points between them, a list's parts by their numbers from 0; the first number there counts
 * @returns 10^-12 of the money for a whole coin; undefined where there is none
 */
export function priceIn(text: string, path: string): bigint | undefined {
  let whole: JsonValue;
  try {
    whole = parseJson(text);
  } catch {
    return undefined;
  }
  const price = numberIn(partAt(whole, path));
  if (price === undefined || !(price > 0 && price < HIGHEST)) return undefined;
  const units = BigInt(price.toFixed(DECIMALS).replace('.', '')) * MORE;
  return units > 0n ? units : undefined;
}

function partAt(value: JsonValue, path: string): JsonValue | undefined {
  const names = path.split('.').filter((name) => name !== '');
  return names.reduce<JsonValue | undefined>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)];
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);
}

function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value)) {
    const found = numberIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

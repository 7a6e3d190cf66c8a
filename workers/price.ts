import { type JsonValue, parseJson, readAtMost } from '../src/base/index.ts';

/** Largest answer in bytes. */
const MOST = 1_000_000;
/** Timeout in milliseconds. */
const PATIENCE = 15_000;
/** No cookies, no referrer, no redirects. */
const ALONE = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', redirect: 'error' } as const;
/** Decimals that are read, and the factor from there to 10^-12. */
const DECIMALS = 8;
const MORE = 10n ** 4n;
/** Highest credible price of a coin, in whole money. */
const HIGHEST = 1e12;

/** Body of a price source's response; undefined if it is unreachable, refuses, or is too large. */
export async function fetchText(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { ...ALONE, signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? new TextDecoder().decode(await readAtMost(answer, MOST)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses a price from a price source's JSON.
 * @param path dot-separated keys and array indices; the first number found there is the price
 * @returns price of 1 XMR in 10^-12 of the currency unit; undefined if there is none
 */
export function parsePrice(text: string, path: string): bigint | undefined {
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

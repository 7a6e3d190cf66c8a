import { fetchText, parsePrice } from '../../../workers/price.ts';

/** Where prices come from: an address that the person names. `{currency}` and `{date}` (2026-02-28) in it are filled in. */
export interface RateSource {
  readonly url: string;
  /** Names that lead to the price within the answer, with points between them; the first number of the answer when empty. */
  readonly path: string;
}

/** Why there is no price: the source cannot be reached, or what it says has none at that place. */
class RateError extends Error {
  readonly code: 'source-unreachable' | 'no-price';

  constructor(code: RateError['code']) {
    super(`expected a price: ${code}`);
    this.name = 'RateError';
    this.code = code;
  }
}

/**
 * Price of a coin by the source.
 * @param day a day as 2026-02-28; the price now when undefined
 * @returns 10^-12 of the money for a whole coin
 * @throws RateError
 */
export async function askRate({ url, path }: RateSource, currency: string, day: string | undefined): Promise<bigint> {
  const today = new Date().toISOString().slice(0, 10);
  const address = url
    .replaceAll('{currency}', encodeURIComponent(currency.toLowerCase()))
    .replaceAll('{CURRENCY}', encodeURIComponent(currency.toUpperCase()))
    .replaceAll('{date}', day ?? today);
  const answer = await fetchText(address);
  if (answer === undefined) throw new RateError('source-unreachable');
  const price = parsePrice(answer, path);
  if (price === undefined) throw new RateError('no-price');
  return price;
}

import { isJsonObject, type JsonValue, stringifyJson, U64_MAX } from '../../src/base/index.ts';

/** A node's answer, spelt out line by line. */

/** Unit of a number. */
export type Unit =
  /** Seconds since the epoch. */
  | 'time'
  /** Atomic units. */
  | 'amount'
  | 'bytes'
  | 'seconds';

const UNITS: Readonly<Record<string, Unit>> = {
  ...units(
    'time',
    'adjusted_time block_timestamp last_relayed_time last_seen oldest receive_time received_timestamp start_time timestamp',
  ),
  ...units('amount', 'already_generated_coins amount block_reward emission_amount fee fee_amount fee_total fees reward'),
  ...units(
    'bytes',
    'blob_size block_size bytes_max bytes_med bytes_min bytes_total database_size free_space total_bytes_in total_bytes_out',
  ),
  ...units('seconds', 'block_target live_time recv_idle_time seconds send_idle_time target'),
};

function units(unit: Unit, names: string): Record<string, Unit> {
  return Object.fromEntries(names.split(' ').map((name) => [name, unit]));
}

/** A line of an answer that is spelt out. */
export interface AnswerLine {
  /** How many objects it is in. */
  readonly depth: number;
  readonly name: string;
  /** Empty where lines of its own follow. */
  readonly value: string;
  /** Where the value is one number that has a unit, and is large enough to be worth words. */
  readonly measure?: { readonly unit: Unit; readonly value: bigint };
}

/** An answer, spelt out to a person. */
export interface SpeltAnswer {
  readonly lines: readonly AnswerLine[];
  /** The whole of it as JSON, integers exact. */
  readonly json: string;
  /** It has more lines than are spelt out. */
  readonly cut: boolean;
}

/** Below this the digits say as much. */
const LEAST: Readonly<Record<Unit, number>> = { time: 1, amount: 1, bytes: 1000, seconds: 60 };

/** Fields of every reply that are not shown. */
const ENVELOPE = new Set(['status', 'untrusted', 'credits', 'top_hash']);

/** Lines that are spelt out. */
const MOST_LINES = 400;

/** An answer as lines for a person, and as JSON. @param name of the call: the one line of an answer that is no object */
export function spellAnswer(name: string, reply: JsonValue): SpeltAnswer {
  const lines: AnswerLine[] = [];
  const add = (line: AnswerLine): boolean => lines.length <= MOST_LINES && lines.push(line) > 0;
  const spell = (depth: number, key: string, value: JsonValue): void => {
    if (lines.length > MOST_LINES) return;
    if (Array.isArray(value)) spellList(depth, key, value);
    else if (typeof value === 'object' && value !== null) {
      add({ depth, name: key, value: '' });
      for (const [inner, field] of Object.entries(value)) spell(depth + 1, inner, field);
    } else add({ depth, name: key, value: String(value), ...measured(key, value) });
  };
  const spellList = (depth: number, key: string, list: readonly JsonValue[]): void => {
    if (list.length === 0) add({ depth, name: key, value: '[]' });
    list.forEach((item, at) => {
      spell(depth, `${key} [${at}]`, item);
    });
  };
  if (isJsonObject(reply)) {
    for (const [key, value] of Object.entries(reply)) if (!ENVELOPE.has(key)) spell(0, key, value);
  } else spell(0, name, reply);
  return { lines: lines.slice(0, MOST_LINES), json: stringifyJson(reply, 2), cut: lines.length > MOST_LINES };
}

function measured(name: string, value: JsonValue): Pick<AnswerLine, 'measure'> {
  const unit = UNITS[name.replace(/ \[\d+\]$/, '')];
  if (unit === undefined || (typeof value !== 'number' && typeof value !== 'bigint') || value < LEAST[unit]) return {};
  // How the daemon writes a number that it does not tell.
  return BigInt(value) === U64_MAX ? {} : { measure: { unit, value: BigInt(value) } };
}

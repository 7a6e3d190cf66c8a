import { isJsonObject, type JsonValue, stringifyJson, U64_MAX } from '../../src/base/index.ts';

/** Formats a node's JSON answer as lines of name and value. */

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

/** One line of an answer. */
export interface AnswerLine {
  /** Nesting depth, from 0. */
  readonly depth: number;
  readonly name: string;
  /** Empty for an object, whose fields follow as lines. */
  readonly value: string;
  /** The value with its unit, if it has one and is large enough to be worth converting. */
  readonly measure?: { readonly unit: Unit; readonly value: bigint };
}

/** A node's answer, formatted. */
export interface NodeAnswer {
  readonly lines: readonly AnswerLine[];
  /** The complete answer as JSON, integers exact. */
  readonly json: string;
  /** Whether lines beyond {@link MOST_LINES} were left out. */
  readonly cut: boolean;
}

/** Smallest values that get a `measure`. */
const LEAST: Readonly<Record<Unit, number>> = { time: 1, amount: 1, bytes: 1000, seconds: 60 };

/** Fields common to all replies, which are not shown. */
const ENVELOPE = new Set(['status', 'untrusted', 'credits', 'top_hash']);

/** Most lines of an answer. */
const MOST_LINES = 400;

/** Formats an answer. @param name of the call, as the line's name if the answer is no object */
export function formatAnswer(name: string, reply: JsonValue): NodeAnswer {
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
  // The daemon's placeholder for unknown numbers.
  return BigInt(value) === U64_MAX ? {} : { measure: { unit, value: BigInt(value) } };
}

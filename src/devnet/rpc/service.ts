import { changedCategories } from '../../base/index.ts';
import { BanList } from './bans.ts';

/** kB per second, the reference's defaults. */
export const DEFAULT_LIMITS = { down: 32_768, up: 8_192 } as const;
const DEFAULT_OUT_PEERS = 12;
/** `in_peers` without a limit, as in the reference. */
const UNBOUNDED = 0xffff_ffff;

/** Changes the service's log for its callers. */
export interface LogControl {
  /** Takes a level, 0 … 4, or categories; returns the active categories. */
  change(levelOrCategories: string): string;
}

/** Stores categories without writing a log. */
function unwrittenLog(): LogControl {
  let categories = changedCategories('', '0');
  return {
    change: (text) => {
      categories = changedCategories(categories, text);
      return categories;
    },
  };
}

/** Settings of a daemon's service that can be read back. The devnet has no peers: limits and bans are stored, but affect nobody. */
export class Service {
  readonly bans: BanList;
  readonly logs: LogControl;
  readonly traffic = { packetsIn: 0, bytesIn: 0, packetsOut: 0, bytesOut: 0 };
  outPeers = DEFAULT_OUT_PEERS;
  inPeers = UNBOUNDED;
  /** Connections of callers that are open now. */
  connections = 0;
  /** kB per second. */
  limitDown: number = DEFAULT_LIMITS.down;
  limitUp: number = DEFAULT_LIMITS.up;
  /** Bootstrap daemon as it was set. It is never contacted. */
  bootstrapAddress = '';
  /** Whether no other node is followed. */
  offline = true;
  /** Ends the serving program; set by the code that started it. */
  stop: () => void = () => undefined;
  readonly #calls = new Map<string, { count: number; microseconds: number }>();

  /** @param now unix seconds */
  constructor(now: () => number, logs: LogControl = unwrittenLog()) {
    this.bans = new BanList(now);
    this.logs = logs;
  }

  /** @returns whether the reference accepts both: above 0, 0 for no change, or -1 for the default */
  setLimits(down: number, up: number): boolean {
    const accepts = (limit: number): boolean => limit >= -1;
    if (!accepts(down)) return false;
    if (down !== 0) this.limitDown = down > 0 ? down : DEFAULT_LIMITS.down;
    if (!accepts(up)) return false;
    if (up !== 0) this.limitUp = up > 0 ? up : DEFAULT_LIMITS.up;
    return true;
  }

  /** Counts a call that was answered. @param microseconds that it took */
  track(name: string, microseconds: number): void {
    const entry = this.#calls.get(name) ?? { count: 0, microseconds: 0 };
    entry.count += 1;
    entry.microseconds += microseconds;
    this.#calls.set(name, entry);
  }

  /** How often each call was answered since the counts were last reset, by name. */
  get calls(): { readonly name: string; readonly count: number; readonly microseconds: number }[] {
    return [...this.#calls].map(([name, entry]) => ({ name, ...entry })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Counts all calls from 0 again. */
  forgetCalls(): void {
    this.#calls.clear();
  }
}

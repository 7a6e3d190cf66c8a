import { type Clock, secondsOf } from '../../base/index.ts';
import type { Height } from '../../protocol/index.ts';
import type { DaemonSettings, SecondDaemonView } from '../api.ts';
import type { BlockStub } from '../model.ts';
import type { Durability } from '../ports.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import type { SyncDaemon } from './context.ts';
import { failureOf } from './engine.ts';
import { requireNetwork } from './genesis.ts';

/** Attribute that holds the second daemon's address; empty for none. */
const SECOND_DAEMON_ATTRIBUTE = 'witness';
/** Blocks at the tip that are not compared: honest daemons may differ there for a moment. */
const SETTLING = 2;
/** Shortest time between two automatic comparisons, in milliseconds. */
const COMPARE_EVERY = 60_000;

/** How far two chains were compared, and how far they agree. */
interface ChainComparison {
  /** The highest block compared, in our chain. */
  readonly top: BlockStub;
  /** The highest block compared that both have; undefined when there is none. */
  readonly agreedTo: Height | undefined;
}

/**
 * Compares our chain with another daemon's by block ids (T5): at the highest block that both have settled, and, if that differs, down to
 * the last common one.
 * @param ours blocks whose ids are stored, ascending
 * @param theirHeight number of blocks of the other chain
 * @param isTheirs whether the other chain has a block of ours, below `theirHeight`
 * @returns undefined when no block can be compared yet
 */
async function compareChains(
  ours: readonly BlockStub[],
  theirHeight: Height,
  isTheirs: (block: BlockStub) => Promise<boolean>,
): Promise<ChainComparison | undefined> {
  const lower = Math.min(theirHeight - 1, ours.at(-1)?.height ?? -1);
  const settled = ours.filter(({ height }) => height <= lower - SETTLING);
  const top = settled.at(-1);
  if (top === undefined) return undefined;
  if (await isTheirs(top)) return { top, agreedTo: top.height };
  // Chains that differ at one block differ at all above it.
  let [same, different] = [-1, settled.length - 1];
  while (different - same > 1) {
    const middle = (same + different) >> 1;
    if (await isTheirs(settled[middle]!)) same = middle;
    else different = middle;
  }
  return { top, agreedTo: settled[same]?.height };
}

/** The parts of a wallet that comparing needs. */
export interface SecondDaemonDeps {
  readonly state: WalletState;
  readonly clock: Clock;
  connect(settings: DaemonSettings): Pick<SyncDaemon, 'getInfo' | 'getBlockHeaderByHeight'>;
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Notifies subscribers. */
  changed(): void;
}

/** The second daemon that the person named: it is asked only for block ids, and changes no balance. */
export class SecondDaemon {
  readonly #deps: SecondDaemonDeps;
  #found: (ChainComparison & { readonly at: number }) | undefined;
  #error: SecondDaemonView['error'];
  #tried = Number.NEGATIVE_INFINITY;
  #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: SecondDaemonDeps) {
    this.#deps = deps;
  }

  /** undefined if there is none. */
  get view(): SecondDaemonView | undefined {
    const url = this.#deps.state.attributes.get(SECOND_DAEMON_ATTRIBUTE) ?? '';
    if (url === '') return undefined;
    const found = this.#stillOurs();
    const verdict = found === undefined ? 'not-compared' : found.agreedTo === found.top.height ? 'agree' : 'disagree';
    return { url, verdict, height: found?.top.height, agreedTo: found?.agreedTo, at: found?.at, error: this.#error };
  }

  /** Sets another second daemon, or none, and compares. @throws DaemonError `bad-url`, `mixed-content` */
  async choose(url: string | undefined): Promise<void> {
    if (url !== undefined) this.#deps.connect(asDaemon(url));
    await this.stop();
    this.#stop = new AbortController();
    this.#found = undefined;
    this.#error = undefined;
    await this.#deps.append([{ type: 'AttributeSet', key: SECOND_DAEMON_ATTRIBUTE, value: url ?? '' }], 'strict');
    await this.compare();
  }

  /** Compares now. Resolves when that is done, even if it failed: the view shows the result. */
  compare(): Promise<void> {
    this.#running ??= this.#compare().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Called repeatedly at the tip: compares if the last comparison was some time ago. Does not delay the scan. */
  atTip(): void {
    if (this.#deps.clock.now() - this.#tried >= COMPARE_EVERY) void this.compare();
  }

  /** Aborts a running comparison, and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #compare(): Promise<void> {
    const url = this.#deps.state.attributes.get(SECOND_DAEMON_ATTRIBUTE) ?? '';
    const { signal } = this.#stop;
    if (url === '' || signal.aborted) return;
    this.#tried = this.#deps.clock.now();
    try {
      const found = await this.#ask(asDaemon(url), signal);
      if (found !== undefined) this.#found = { ...found, at: secondsOf(this.#deps.clock) };
      this.#error = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#error = failureOf(error);
    }
    this.#deps.changed();
  }

  async #ask(settings: DaemonSettings, signal: AbortSignal): Promise<ChainComparison | undefined> {
    const { state } = this.#deps;
    const daemon = this.#deps.connect(settings);
    const theirHeight = (await daemon.getInfo({ signal })).check(({ nettype, height }) => {
      requireNetwork(nettype, state.description.network);
      return height;
    });
    return compareChains([...state.blocks], theirHeight, async ({ height, id }) =>
      (await daemon.getBlockHeaderByHeight(height, { signal })).check(({ hash }) => hash === id),
    );
  }

  /** The last comparison, unless our chain has changed since. */
  #stillOurs(): (ChainComparison & { readonly at: number }) | undefined {
    const found = this.#found;
    if (found === undefined) return undefined;
    const { height, blocks } = this.#deps.state;
    const now = blocks.find((stub) => stub.height === found.top.height);
    const changed = height <= found.top.height || (now !== undefined && now.id !== found.top.id);
    return changed ? undefined : found;
  }
}

/** A second daemon is asked nothing that shows whose wallet this is, so it is never a trusted one. */
const asDaemon = (url: string): DaemonSettings => ({ url, trusted: false });

import type { NodeHealth } from '../../../workers/client.ts';
import { errorCode } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { localStore } from '../services/local-store.ts';
import { network } from './network.svelte.ts';
import { notices } from './notices.svelte.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

const LIST = 'nightjar.nodes';
const FAILOVER = 'nightjar.node-failover';
/** Milliseconds between checks whether the node still answers. */
const LOOK_EVERY = 15_000;
/** Failed checks in a row before switching to another node. */
const PATIENCE = 3;

/** Health of a node, or the error text and code if it could not be queried. */
export type Measured =
  | { readonly health: NodeHealth; readonly problem?: never; readonly code?: never }
  | { readonly health?: never; readonly problem: string; readonly code: string };

/** How a node was used since the page was loaded, i.e. what it may have learned. */
export interface NodeUsage {
  /** First use, in milliseconds since the epoch. */
  readonly since: number;
  readonly payments: number;
}

/** The person's list of nodes, their health, and automatic failover. */
class Nodes {
  /** URLs, in failover order. */
  list: readonly string[] = $state.raw(keptList());
  measured: ReadonlyMap<string, Measured> = $state.raw(new Map());
  measuring: ReadonlySet<string> = $state.raw(new Set());
  usage: ReadonlyMap<string, NodeUsage> = $state.raw(new Map());
  /** Switch to another node of the list when the wallet's node is unreachable. */
  failover = $state(localStore.get(FAILOVER) !== undefined);
  #misses = 0;
  #switching = false;

  constructor() {
    setInterval(() => void this.#look(), LOOK_EVERY);
  }

  add(url: string): void {
    this.#keep([...this.list.filter((known) => known !== url), url]);
  }

  remove(url: string): void {
    this.#keep(this.list.filter((known) => known !== url));
    this.#note(url, undefined);
  }

  allowFailover(allowed: boolean): void {
    this.failover = allowed;
    localStore.set(FAILOVER, allowed ? 'yes' : undefined);
  }

  async measure(url: string): Promise<Measured> {
    this.measuring = new Set([...this.measuring, url]);
    const measured = await session.host.nodeHealth({ url, trusted: false }).then(
      (health): Measured => ({ health }),
      (error: unknown): Measured => ({ problem: errorText(error), code: errorCode(error) }),
    );
    this.measuring = new Set([...this.measuring].filter((other) => other !== url));
    this.#note(url, measured);
    return measured;
  }

  /** Notes that a node is used from now on. */
  used(url: string): void {
    if (!this.usage.has(url)) this.usage = new Map(this.usage).set(url, { since: Date.now(), payments: 0 });
  }

  /** Notes that a payment was sent through the wallet's node. */
  async paid(): Promise<void> {
    const { url } = await session.host.daemon();
    const known = this.usage.get(url) ?? { since: Date.now(), payments: 0 };
    this.usage = new Map(this.usage).set(url, { ...known, payments: known.payments + 1 });
  }

  #keep(list: readonly string[]): void {
    this.list = list;
    localStore.set(LIST, list.length === 0 ? undefined : list.join('\n'));
  }

  #note(url: string, measured: Measured | undefined): void {
    const all = new Map(this.measured);
    if (measured) all.set(url, measured);
    else all.delete(url);
    this.measured = all;
  }

  async #look(): Promise<void> {
    const phase = wallet.view?.sync.phase;
    if (phase === undefined) return;
    const gone = phase === 'offline' && network.online;
    this.#misses = gone ? this.#misses + 1 : 0;
    if (!this.failover || this.#misses < PATIENCE || this.#switching) return;
    this.#switching = true;
    try {
      await this.#takeAnother();
    } catch {
      // The wallet was locked meanwhile, or keeps its node.
    } finally {
      this.#switching = false;
      this.#misses = 0;
    }
  }

  /** Switches to the first usable node of the list, as an untrusted one. */
  async #takeAnother(): Promise<void> {
    const { url: own } = await session.host.daemon();
    for (const url of this.list) {
      if (url === own) continue;
      const { health } = await this.measure(url);
      if (!health || !isUsable(health)) continue;
      await wallet.api.setDaemon({ url, trusted: false });
      this.used(url);
      notices.say(m.nodes_switched({ own, url }), 'plain');
      return;
    }
  }
}

/** Whether a node is fit for use. */
export const isUsable = ({ rightNetwork, outdated, behind, agrees }: NodeHealth): boolean =>
  rightNetwork && !outdated && behind === 0 && agrees !== false;

function keptList(): readonly string[] {
  const kept = localStore.get(LIST)?.split('\n') ?? [];
  return kept.filter((url) => /^https?:\/\/\S+$/.test(url));
}

export const nodes = new Nodes();

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
/** Milliseconds between two looks at whether the node still answers. */
const LOOK_EVERY = 15_000;
/** Looks at which it must be out of reach before another one is taken. */
const PATIENCE = 3;

/** Measurement of a node; `problem` in words where it could not be asked. */
export type Measured =
  | { readonly health: NodeHealth; readonly problem?: never; readonly code?: never }
  | { readonly health?: never; readonly problem: string; readonly code: string };

/** Facts that a node was told in this visit. */
export interface Told {
  /** Milliseconds since the epoch: since when it is used. */
  readonly since: number;
  readonly payments: number;
}

/** Nodes that the person has named, how they are, and which one takes over when the wallet's own is gone. */
class Nodes {
  /** Addresses, in the order in which they are tried. */
  list: readonly string[] = $state.raw(keptList());
  measured: ReadonlyMap<string, Measured> = $state.raw(new Map());
  measuring: ReadonlySet<string> = $state.raw(new Set());
  told: ReadonlyMap<string, Told> = $state.raw(new Map());
  /** Another node of the list is taken when the wallet's own is out of reach. */
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

  /** A node is used from now on. */
  used(url: string): void {
    if (!this.told.has(url)) this.told = new Map(this.told).set(url, { since: Date.now(), payments: 0 });
  }

  /** A payment went out through the wallet's node. */
  async paid(): Promise<void> {
    const { url } = await session.host.daemon();
    const known = this.told.get(url) ?? { since: Date.now(), payments: 0 };
    this.told = new Map(this.told).set(url, { ...known, payments: known.payments + 1 });
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
      // The wallet was locked meanwhile, or goes on with the node it has.
    } finally {
      this.#switching = false;
      this.#misses = 0;
    }
  }

  /** The first of the list that answers for this network; trust is given to none by itself. */
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

/** Whether a wallet may go on with it. */
export const isUsable = ({ rightNetwork, outdated, behind, agrees }: NodeHealth): boolean =>
  rightNetwork && !outdated && behind === 0 && agrees !== false;

function keptList(): readonly string[] {
  const kept = localStore.get(LIST)?.split('\n') ?? [];
  return kept.filter((url) => /^https?:\/\/\S+$/.test(url));
}

export const nodes = new Nodes();

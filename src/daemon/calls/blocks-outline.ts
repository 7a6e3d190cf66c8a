import { type ReplyLayout, ReplyWalk, ScanError } from '../../scan/index.ts';
import { DaemonError } from '../errors.ts';
import { BLOCKS_REPLY } from '../limits.ts';
import { requireOk } from '../rpc-client.ts';
import type { BlocksReplyOutline } from '../types.ts';

/** Walks a blocks reply as it arrives: structure, counts and sizes only. Stops at the first byte that is wrong or too many (T6). */
export class BlocksOutline {
  readonly #path: string;
  readonly #walk: ReplyWalk;

  /** @param path of the call, for messages */
  constructor(path: string, limits = BLOCKS_REPLY) {
    this.#path = path;
    this.#walk = new ReplyWalk(limits);
  }

  /** @param bytes of the reply so far. @throws DaemonError `malformed`, `too-large` */
  follow(bytes: Uint8Array): void {
    refusing(() => this.#walk.follow(bytes));
  }

  /** Call when the reply has ended. @throws DaemonError `malformed`; `busy`, `bad-status` */
  finish(): BlocksReplyOutline {
    const layout = refusing(() => this.#walk.finish());
    requireOk(this.#path, field('status', layout.status));
    return {
      startHeight: heightOf('start_height', layout),
      currentHeight: heightOf('current_height', layout),
      blocks: layout.blocks.length - 1,
      transactions: layout.transactions,
      layout,
    };
  }
}

function heightOf(name: 'start_height' | 'current_height', layout: ReplyLayout): number {
  const height = Number(field(name, name === 'start_height' ? layout.startHeight : layout.currentHeight));
  if (!Number.isSafeInteger(height)) throw malformed(`${name} to be below 2^53`);
  return height;
}

function field<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw malformed(`the field ${name}`);
  return value;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ScanError ? refusal(error) : error;
  }
}

function refusal({ code, data }: ScanError): DaemonError {
  if (code === 'too-large')
    return new DaemonError(
      'too-large',
      `expected a reply of at most ${data.limit} blocks, transactions or fields, got ${data.got}`,
      data,
    );
  if (code === 'count-mismatch') return malformed('output indices for every block', data);
  return malformed(`portable storage with blocks, found something else at byte ${data.offset}`, data);
}

function malformed(expected: string, data: ScanError['data'] = {}): DaemonError {
  return new DaemonError('malformed', `the blocks reply is malformed: expected ${expected}`, data);
}

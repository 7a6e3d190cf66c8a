import type * as v from 'valibot';
import type { LazyList } from '../base/index.ts';
import type { Wallet } from '../wallet/index.ts';
import type { RpcErrorName } from './errors.ts';
import { NO_PARAMS, NO_RESULT } from './fields.ts';
import type { ServiceHost } from './host.ts';

/** What a handler works with: the service's host and the open wallet. */
export interface RpcContext {
  readonly host: ServiceHost;
  /** The open wallet. @throws RpcError `notOpen` */
  readonly wallet: Wallet;
}

/** Headings of the specification, in its order. */
export type Heading =
  | 'Daemon link and wallet info'
  | 'Balances, addresses, accounts'
  | 'Sending'
  | 'Incoming funds and history'
  | 'Proofs and signatures'
  | 'Outputs and key images'
  | 'Payment URIs and address book'
  | 'Wallet files'
  | 'Multisig'
  | 'Mining control'
  | 'Service';

/** One method of the service: all there is to know of it in one place. */
export interface MethodDefinition<P extends v.GenericSchema = v.GenericSchema, R extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, for people. */
  readonly summary: string;
  /** Absent: it takes none. */
  readonly params?: P;
  /** Absent: it answers with nothing. */
  readonly result?: R;
  /** `wallet`: answers "No wallet file" while none is open. `daemon`: that, and it talks to the daemon. */
  readonly needs: 'nothing' | 'wallet' | 'daemon';
  /** Whether the restricted (view-only) service has it. */
  readonly restricted: 'allowed' | 'denied';
  /**
   * Writers wait for each other in the order of their arrival; readers never wait. A method that changes nothing is
   * `read`, and so is one that makes the wallet scan: it may take long, and the wallet puts its changes in a row itself.
   */
  readonly access: 'read' | 'write';
  /** Whether its result, asked like this, holds a secret of the wallet: its words, a key, the secret key of a transaction. */
  readonly revealsSecret?: (params: v.InferOutput<P>) => boolean;
  /** Codes it answers with beside those that every method has. */
  readonly errors?: readonly RpcErrorName[];
  /** Files travel in its parameters: requests for it may be long. */
  readonly carriesFiles?: true;
  /** Empty arrays stay in the result. The reference's own types leave them out. */
  readonly keepsEmptyArrays?: true;
  /** Code of failures that have none of their own; `unknown` when absent. */
  readonly fallback?: RpcErrorName;
  readonly handler: (context: RpcContext, params: v.InferOutput<P>) => Answer<R>;
}

/** A handler's return type: nothing where the method has no result. */
type Answer<R extends v.GenericSchema> = typeof NO_RESULT extends R
  ? Promise<void>
  : Promise<v.InferInput<R> | WithLists<v.InferInput<R>>> | WithLists<v.InferInput<R>>;

type Calling = Pick<MethodDefinition, 'needs' | 'restricted' | 'access'>;

/** How a method is called that reads of the open wallet. One that differs says in what. */
export const READS = { needs: 'wallet', restricted: 'allowed', access: 'read' } as const satisfies Calling;

/** How a method is called that changes the open wallet. One that differs says in what. */
export const WRITES = { needs: 'wallet', restricted: 'denied', access: 'write' } as const satisfies Calling;

/** How a method is called that has the daemon, or the wallet with it, do something that may take long. One that differs says in what. */
export const RUNS = { needs: 'daemon', restricted: 'denied', access: 'read' } as const satisfies Calling;

/**
 * A result, or one with lists in place of arrays: their elements are made as they are printed, when the wallet may have moved on. So they
 * are made of nothing that moves with it: of entries of its state, which are replaced and never changed, and of what the handler took
 * out of it after its last wait.
 */
export type WithLists<T> = { [K in keyof T]: T[K] | (T[K] extends readonly (infer E)[] ? LazyList<E> : never) };

/** A method of the service: its schemas and its handler have been checked against each other. */
export type Method = Omit<MethodDefinition, 'params' | 'result' | 'handler' | 'revealsSecret'> & {
  readonly group: Heading;
  readonly params: v.GenericSchema;
  readonly result: v.GenericSchema;
  readonly revealsSecret?: (params: unknown) => boolean;
  handler(context: RpcContext, params: unknown): Promise<unknown> | unknown;
};

/** Methods under a heading of the specification, in the order of their definitions. */
export class MethodGroup {
  readonly methods: Method[] = [];
  readonly #heading: Heading;

  constructor(heading: Heading) {
    this.#heading = heading;
  }

  define<P extends v.GenericSchema = typeof NO_PARAMS, R extends v.GenericSchema = typeof NO_RESULT>(
    definition: MethodDefinition<P, R>,
  ): void {
    this.methods.push({ params: NO_PARAMS, result: NO_RESULT, ...definition, group: this.#heading } as unknown as Method);
  }
}

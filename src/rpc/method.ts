import type * as v from 'valibot';
import type { LazyList } from '../base/index.ts';
import type { Wallet } from '../wallet/index.ts';
import type { RpcErrorName } from './errors.ts';
import { NO_PARAMS, NO_RESULT } from './fields.ts';
import type { ServiceHost } from './host.ts';

/** The context of a handler: the service's host and the open wallet. */
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

/** One method of the service, with everything about it in one place. */
export interface MethodDefinition<P extends v.GenericSchema = v.GenericSchema, R extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, for people. */
  readonly summary: string;
  /** Absent: it has none. */
  readonly params?: P;
  /** Absent: the result is empty. */
  readonly result?: R;
  /** `wallet`: answers "No wallet file" while none is open. `daemon`: the same, and it talks to the daemon. */
  readonly needs: 'nothing' | 'wallet' | 'daemon';
  /** Whether the restricted (view-only) service has it. */
  readonly restricted: 'allowed' | 'denied';
  /**
   * Writers wait for each other in the order of their arrival; readers never wait. A method that changes nothing is `read`, and so is one
   * that makes the wallet scan: it may take long, and the wallet serialises its changes itself.
   */
  readonly access: 'read' | 'write';
  /** Whether its result, with these parameters, contains a secret of the wallet: its words, a key, the secret key of a transaction. */
  readonly revealsSecret?: (params: v.InferOutput<P>) => boolean;
  /** Error codes besides those that every method has. */
  readonly errors?: readonly RpcErrorName[];
  /** Its parameters contain files: requests may be long. */
  readonly carriesFiles?: true;
  /** Empty arrays stay in the result. The reference's own types omit them. */
  readonly keepsEmptyArrays?: true;
  /** Code of failures without one of their own; `unknown` when absent. */
  readonly fallback?: RpcErrorName;
  readonly handler: (context: RpcContext, params: v.InferOutput<P>) => Answer<R>;
}

/** A handler's return type: nothing if the method has no result. */
type Answer<R extends v.GenericSchema> = typeof NO_RESULT extends R
  ? Promise<void>
  : Promise<v.InferInput<R> | WithLists<v.InferInput<R>>> | WithLists<v.InferInput<R>>;

type Calling = Pick<MethodDefinition, 'needs' | 'restricted' | 'access'>;

/** Defaults of a method that reads the open wallet; a definition may override them. */
export const READS = { needs: 'wallet', restricted: 'allowed', access: 'read' } as const satisfies Calling;

/** Defaults of a method that changes the open wallet; a definition may override them. */
export const WRITES = { needs: 'wallet', restricted: 'denied', access: 'write' } as const satisfies Calling;

/** Defaults of a method that has the daemon, or the wallet with it, do something that may take long; a definition may override them. */
export const RUNS = { needs: 'daemon', restricted: 'denied', access: 'read' } as const satisfies Calling;

/**
 * A result, or one with lazy lists in place of arrays: their elements are made as they are printed, when the wallet may have changed. So
 * they must be made from immutable values: from entries of its state, which are replaced and never changed, and from what the handler took
 * out of it after its last wait.
 */
export type WithLists<T> = { [K in keyof T]: T[K] | (T[K] extends readonly (infer E)[] ? LazyList<E> : never) };

/** A method of the service, whose schemas and handler were type-checked against each other. */
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

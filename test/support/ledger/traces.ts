import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A ring member in a trace: global index, key, commitment. */
export type TraceMember = readonly [number, string, string];

/** A transaction that a recorded spend made. */
export interface TraceTransaction {
  readonly tx_hash: string;
  readonly tx_hex: string;
  readonly accepted: boolean;
  readonly rings: readonly { readonly key_image: string; readonly members: readonly TraceMember[] }[];
  readonly spent: readonly Record<string, unknown>[];
  readonly tx_json: unknown;
}

/** One recorded scenario. See test/fixtures/ledger/README.md. */
export interface Trace {
  readonly name: string;
  readonly what: string;
  readonly app: string;
  readonly account: number;
  readonly call?: { readonly method: string; readonly params: Readonly<Record<string, unknown>> };
  readonly exchanges: readonly (readonly [request: string, reply: string | null, status: string | null, original?: string])[];
  readonly after: {
    readonly screens?: readonly string[];
    readonly txs?: readonly TraceTransaction[];
    readonly device_alive_after: boolean;
  };
}

/** All traces. */
export function traces(): readonly Trace[] {
  const text = brotliDecompressSync(readFileSync('test/fixtures/ledger/traces.jsonl.br')).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Trace);
}

import binaryen from 'binaryen';

/**
 * The externally visible behaviour of a kernel run: the direction of each branch and the address of each load and store, in order, hashed into one
 * number. Two runs with equal traces took the same path over the same memory.
 */
export interface KernelTrace {
  /** Runs `work` and returns the trace. */
  of(work: () => void): { readonly fingerprint: number; readonly events: number };
  /** Restores WebAssembly. */
  stop(): void;
}

/**
 * From here on every compiled kernel reports its branches and addresses: its code is rewritten with a call before each branch and at each load and
 * store. Conditional moves (`select`) are not branches and are not reported.
 */
export function traceKernels(): KernelTrace {
  const { compile, Instance } = WebAssembly;
  let fingerprint = 0;
  let events = 0;
  const see = (value: number) => {
    events++;
    fingerprint = Math.imul(fingerprint ^ value, 0x9e3779b1);
    fingerprint = (fingerprint ^ (fingerprint >>> 15)) >>> 0;
  };
  const told: Record<string, (...values: never[]) => unknown> = {
    branch: (condition: number) => {
      see(condition);
      return condition;
    },
    load_ptr: (place: number, _bytes: number, _offset: bigint | number, address: number) => {
      see(place);
      see(address);
      return address;
    },
  };
  told.store_ptr = told.load_ptr!;
  const passedOn = (_place: number, value: unknown) => value;
  const env = new Proxy({}, { get: (_, name) => told[String(name)] ?? passedOn });

  WebAssembly.compile = (bytes: BufferSource) => compile(instrumented(bytes as Uint8Array<ArrayBuffer>));
  WebAssembly.Instance = class {
    constructor(module: WebAssembly.Module) {
      // biome-ignore lint/correctness/noConstructorReturn: stands in for the engine's own class, whose instance it hands out.
      return new Instance(module, { env } as unknown as WebAssembly.Imports);
    }
  } as typeof WebAssembly.Instance;
  return {
    of(work) {
      fingerprint = 0;
      events = 0;
      work();
      return { fingerprint, events };
    },
    stop() {
      Object.assign(WebAssembly, { compile, Instance });
    },
  };
}

/** The module with a call to `env.branch` before each `if`, `br_if` and `br_table`, and one at each load and store. */
function instrumented(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinaryWithFeatures(bytes, binaryen.Features.All);
  module.runPasses(['instrument-memory']);
  const text = module
    .emitStackIR()
    .replace(/^(\s*)(br_if|if|br_table)\b/gm, '$1call $branch\n$1$2')
    // The pass skips loads of single lanes: the address is on the stack, below the vector in which a lane is replaced.
    .replace(/^(\s*)(v128\.load(?:32|64)_(?:zero|splat))\b/gm, '$1call $branch\n$1$2')
    .replace(/^(\s*)(v128\.load(?:32|64)_lane)\b/gm, '$1local.set $traced\n$1call $branch\n$1local.get $traced\n$1$2')
    .replace(/^( \(func \$.*)$/gm, '$1\n  (local $traced v128)')
    .replace(
      '(import "env" "load_ptr"',
      '(import "env" "branch" (func $branch (param i32) (result i32)))\n (import "env" "load_ptr"',
    );
  module.dispose();
  const traced = binaryen.parseText(text);
  traced.setFeatures(binaryen.Features.All);
  const out = traced.emitBinary() as Uint8Array<ArrayBuffer>;
  traced.dispose();
  return out;
}

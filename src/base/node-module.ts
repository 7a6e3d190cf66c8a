/** The part of Node's `http` that is used here: requests over one kept connection. */
export interface NodeHttp {
  readonly Agent: new (options: { keepAlive: boolean; maxSockets: number; timeout: number }) => object;
  request(
    url: URL,
    options: { method: string; headers: Readonly<Record<string, string>>; agent: object; signal?: AbortSignal },
    onAnswer: (answer: NodeAnswer) => void,
  ): NodeRequest;
}

/** The used part of Node's `ClientRequest`. Its socket says `connect`, or `secureConnect` over TLS, when it is ready. */
export interface NodeRequest {
  once(event: 'socket', listener: (socket: { once(event: string, listener: () => void): unknown }) => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  end(body: Uint8Array): unknown;
  destroy(error: Error): unknown;
}

/** The used part of Node's `IncomingMessage`: headers in lower case. */
export interface NodeAnswer {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The used part of Node's `crypto`: one cipher with a tag. */
export interface NodeCiphers {
  createCipheriv(name: string, key: Uint8Array, nonce: Uint8Array, options: { authTagLength: number }): NodeCipher;
  createDecipheriv(name: string, key: Uint8Array, nonce: Uint8Array, options: { authTagLength: number }): NodeDecipher;
}

interface NodeCipher {
  setAAD(bytes: Uint8Array): unknown;
  update(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  final(): Uint8Array;
  getAuthTag(): Uint8Array;
}

interface NodeDecipher {
  setAAD(bytes: Uint8Array): unknown;
  setAuthTag(tag: Uint8Array): unknown;
  update(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  /** @throws Error if the tag is wrong */
  final(): Uint8Array;
}

/** The used part of Node's `buffer`. */
interface NodeBuffers {
  readonly Buffer: { from(bytes: ArrayBufferLike, offset: number, length: number): NodeBuffer };
}

/** A view of bytes. `hexSlice` is the undocumented function behind `toString('hex', start, end)`. */
interface NodeBuffer {
  hexSlice?(start: number, end: number): string;
}

/** Node's modules for rooms that also run in a browser; rooms for Node only import them directly. */
interface NodeModules {
  readonly 'node:buffer': NodeBuffers;
  readonly 'node:crypto': NodeCiphers & { getCiphers(): readonly string[] };
  readonly 'node:fs': { readonly promises: { readFile(file: URL): Promise<Uint8Array> } };
  readonly 'node:http': NodeHttp;
  readonly 'node:https': NodeHttp;
  readonly 'node:stream': { readonly Readable: { toWeb(from: NodeAnswer): unknown } };
  /** Since Node 20.15. */
  readonly 'node:zlib': { readonly crc32?: (bytes: Uint8Array) => number };
  readonly 'node:v8': { setFlagsFromString(flags: string): void };
}

/** A built-in module of Node, without an import that a bundler would follow; undefined elsewhere. */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  const runtime = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;
  return runtime?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}

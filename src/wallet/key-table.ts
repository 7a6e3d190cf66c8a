const KEY_BYTES = 32;
const FREE = 0;

/**
 * Public keys by position and positions by key, in little memory: a wallet of many accounts looks for hundreds of thousands. Keys are our
 * own, so their first bytes are as good as random.
 */
export class KeyTable {
  #size = 0;
  #bytes = new Uint8Array(KEY_BYTES * 16_384);
  /** Position + 1 of the key that hashes to a slot or was moved on from it; at least half the slots are free. */
  #slots = new Uint32Array(2 * 16_384);

  /** Number of keys; positions count from 0. */
  get size(): number {
    return this.#size;
  }

  /** All keys, 32 bytes each: a copy that can be sent to a worker. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#size * KEY_BYTES);
  }

  /** @param keys 32 bytes each, one after the other */
  add(keys: Uint8Array): void {
    const count = keys.length / KEY_BYTES;
    while (this.#bytes.length < (this.#size + count) * KEY_BYTES) this.#enlarge();
    this.#bytes.set(keys, this.#size * KEY_BYTES);
    for (const end = this.#size + count; this.#size < end; this.#size++) this.#place(this.#size);
  }

  /** Position of a 32-byte key; undefined if it is missing. */
  find(key: Uint8Array): number | undefined {
    for (let slot = this.#slotOf(key, 0); ; slot = this.#after(slot)) {
      const entry = this.#slots[slot]!;
      if (entry === FREE) return undefined;
      if (this.#holds(entry - 1, key)) return entry - 1;
    }
  }

  #place(position: number): void {
    let slot = this.#slotOf(this.#bytes, position * KEY_BYTES);
    while (this.#slots[slot] !== FREE) slot = this.#after(slot);
    this.#slots[slot] = position + 1;
  }

  #holds(position: number, key: Uint8Array): boolean {
    const at = position * KEY_BYTES;
    for (let i = 0; i < KEY_BYTES; i++) if (this.#bytes[at + i] !== key[i]) return false;
    return true;
  }

  #slotOf(bytes: Uint8Array, at: number): number {
    const first = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    return first & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #enlarge(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let position = 0; position < this.#size; position++) this.#place(position);
  }
}

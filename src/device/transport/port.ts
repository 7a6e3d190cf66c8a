/** A way to one device. One request at a time; a failure is the end of it: connect anew. */
export interface DeviceTransport {
  /** What is at the other end, for the person: a model, or an address. */
  readonly label: string;
  /**
   * Puts a request and waits for its reply, however long its owner takes to answer on the device.
   * @returns data and status word
   * @throws DeviceError `disconnected`, `bad-answer`
   */
  exchange(apdu: Uint8Array): Promise<Uint8Array>;
  /** Lets the device go. Idempotent; a reply that is waited for becomes `disconnected`. */
  close(): Promise<void>;
}

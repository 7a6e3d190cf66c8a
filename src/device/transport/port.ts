/** A way to one device. One request at a time; a failure is the end of it: connect anew. */
export interface DeviceTransport {
  /** Name of the other end, for the person: a model, or an address. */
  readonly label: string;
  /** It went away, or was let go: nothing passes any more. Undefined where only the next request tells. */
  readonly ended?: boolean;
  /**
   * Puts a request and waits for its reply, however long its owner takes to answer on the device.
   * @param isIts tells a reply from one that was meant for somebody who asked before us and left: such a one is passed over, where the way to the device
   *   can do that
   * @returns data and status word
   * @throws DeviceError `disconnected`, `bad-answer`
   */
  exchange(apdu: Uint8Array, isIts?: (reply: Uint8Array) => boolean): Promise<Uint8Array>;
  /** Lets the device go. Idempotent; a reply that is waited for becomes `disconnected`. */
  close(): Promise<void>;
}

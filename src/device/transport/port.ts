/** A connection to one device. One request at a time; a failure ends it: connect again. */
export interface DeviceTransport {
  /** Name of the other side, for the person: a model, or an address. */
  readonly label: string;
  /** Whether it was disconnected or closed. Undefined if only the next request shows that. */
  readonly ended?: boolean;
  /**
   * Sends a request and waits for its reply, however long the owner takes to answer on the device.
   * @param isIts distinguishes a reply from one for somebody who asked before us and left: such a one is skipped, if the transport can do
   *   that
   * @returns data and status word
   * @throws DeviceError `disconnected`, `bad-answer`
   */
  exchange(apdu: Uint8Array, isIts?: (reply: Uint8Array) => boolean): Promise<Uint8Array>;
  /** Disconnects. Idempotent; a pending request fails with `disconnected`. */
  close(): Promise<void>;
}

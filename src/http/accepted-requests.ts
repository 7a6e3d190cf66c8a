import type { ServerOptions } from 'node:http';

/**
 * Requests that the reference's servers read and Node's would refuse: those without a `Host`, and headers of up to 100,000 bytes
 * (http_protocol_handler.inl).
 */
export const ACCEPTED_REQUESTS: ServerOptions = { requireHostHeader: false, maxHeaderSize: 100_000 };

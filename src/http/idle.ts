/**
 * How long a connection stays open between two requests, in milliseconds: half an hour, as the reference's servers keep those of their own
 * machine (abstract_tcp_server2.inl). A wallet of 0.18.0.0 takes a connection that ended meanwhile for a daemon that is not there.
 */
export const IDLE_CONNECTION_MS = 1_800_000;

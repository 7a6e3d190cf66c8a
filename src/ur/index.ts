/** Uniform resources (BC-UR 2): a wallet's files as a sequence of codes that a camera can read. Nothing here knows of keys. */
export { MAX_MESSAGE_BYTES, type ReadResult, UrDecoder } from './decode.ts';
export { UrEncoder } from './encode.ts';
export * from './errors.ts';
export * from './types.ts';

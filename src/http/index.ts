/** Common part of all servers: who may call, how many at once, who has logged in, and the body of a request. */

export { readBody } from './body.ts';
export { ConnectionLimiter, isNear, type Places } from './connection-limiter.ts';
export { DigestGate, type Login } from './digest.ts';
export { contentType, crossOriginHeaders, findIntruder, isAllowed, isFromOtherSite, isOwnHost } from './guard.ts';
export { Pipelines } from './pipelines.ts';

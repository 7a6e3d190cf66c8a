/** Common part of all servers: who may call, how many at once, who has logged in, and the body of a request. */

export { ACCEPTED_REQUESTS } from './accepted-requests.ts';
export { readBody } from './body.ts';
export { ConnectionLimiter, type ConnectionLimits, isNear } from './connection-limiter.ts';
export { DigestGate, type Login } from './digest.ts';
export { contentType, crossOriginHeaders, findForeignRequest, isAllowed, isFromOtherSite, isOwnHost } from './guard.ts';
export { endIdleConnections, idleTime } from './idle.ts';
export { PipelineLimiter } from './pipeline-limiter.ts';

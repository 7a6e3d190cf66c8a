/** Numbers of blocks that the page counts in. Apart from `client.ts`, which the first screen loads with all that it imports. */
export { WATCHED_BLOCKS } from '../src/daemon/limits.ts';
export { SPENDABLE_AGE } from '../src/protocol/rewards.ts';

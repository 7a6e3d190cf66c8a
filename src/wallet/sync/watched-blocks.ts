/** Newest blocks that are seen whole of a daemon that is not trusted: an hour's, in which a payment is waited for. Older payments stay unverified. */
export const WATCHED_BLOCKS = 30;

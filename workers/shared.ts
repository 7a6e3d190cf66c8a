/** Query of the page's address after text was shared with it: the service worker has the text, and gives it once. */
export const SHARED = '?shared';

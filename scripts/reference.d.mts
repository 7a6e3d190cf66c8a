/** Folder of a release of the reference programs in the cache, whether or not it is there. */
export function referenceFolder(release?: string): string;
/** Fetches a release into its cache when it is not there; ends this process with one line when it cannot be had. */
export function installReference(release?: string): void;
/** The release that rules behaviour and written formats. */
export const NEWEST_REFERENCE: string;

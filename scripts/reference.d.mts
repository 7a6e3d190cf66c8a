/** Folder of a release of the reference programs in the cache, whether or not it exists. */
export function referenceFolder(release?: string): string;
/** Downloads a release into the cache if it is missing; ends this process with a one-line message if it cannot be had. */
export function installReference(release?: string): void;
/** The release that determines behaviour and file formats. */
export const NEWEST_REFERENCE: string;

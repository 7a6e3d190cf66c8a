/** An entry of package-lock.json, as far as it says for which machines it is. */
export interface LockedPackage {
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** A kind of machine, in the words of the lockfile; `libc` on Linux alone. */
export interface Machine {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string | undefined;
}

/** Names of packages that a machine of this kind installs though no hash of their content stands in the lockfile (T14). */
export function unhashedFor(packages: Readonly<Record<string, LockedPackage>>, machine: Machine): string[];

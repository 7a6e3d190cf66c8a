/** An entry of package-lock.json: the fields that determine the platforms it is for. */
export interface LockedPackage {
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** A platform, in the lockfile's terms; `libc` only on Linux. */
export interface Machine {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string | undefined;
}

/** Names of packages that this platform installs without a hash of their content in the lockfile (T14). */
export function unhashedFor(packages: Readonly<Record<string, LockedPackage>>, machine: Machine): string[];

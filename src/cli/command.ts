import type { Flags, FlagValues } from './flags.ts';

/** A subcommand of `nightjar`. */
export interface Command {
  /** One line. */
  readonly summary: string;
  readonly flags: Flags;
  /** What `--version` says of the program that it stands in for. */
  readonly version?: string;
  /** The names of what may be given without a flag, a space between them, as help shows them: `METHOD [JSON]`. */
  readonly argument?: string;
  /**
   * Resolves when the command is done, or runs on until a signal ends it.
   * @param words what was given without a flag
   */
  run(values: FlagValues, ...words: readonly (string | undefined)[]): Promise<void>;
}

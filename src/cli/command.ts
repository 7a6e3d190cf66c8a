import type { Flags, FlagValues } from './flags.ts';

/** A subcommand of `nightjar`. */
export interface Command {
  /** One line. */
  readonly summary: string;
  readonly flags: Flags;
  /** Output of `--version` for the program that it replaces. */
  readonly version?: string;
  /** Names of arguments without a flag, separated by spaces, for the help: `METHOD [JSON]`. */
  readonly argument?: string;
  /**
   * Resolves when the command is done, or runs until a signal ends it.
   * @param words arguments without a flag
   */
  run(values: FlagValues, ...words: readonly (string | undefined)[]): Promise<void>;
}

import type { Flags, FlagValues } from './flags.ts';

/** A command of the command line. */
export interface Command {
  /** One line. */
  readonly summary: string;
  readonly flags: Flags;
  /** The name of what may be given without a flag, as help shows it: a file. */
  readonly argument?: string;
  /**
   * Resolves when the command is done, or runs on until a signal ends it.
   * @param argument what was given without a flag
   */
  run(values: FlagValues, argument?: string): Promise<void>;
}

import type { Flags, FlagValues } from './flags.ts';

/** A command of the command line. */
export interface Command {
  /** One line. */
  readonly summary: string;
  readonly flags: Flags;
  /** Resolves when the command is done, or runs on until a signal ends it. */
  run(values: FlagValues): Promise<void>;
}

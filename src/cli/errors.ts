/** An error that the person at the command line can fix. Its message is printed without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** A CliError that the log has shown already. */
export class LoggedCliError extends CliError {}

/** Something the person at the command line can put right. Its message is shown as it is, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** A CliError that the log has shown already. */
export class LoggedCliError extends CliError {}

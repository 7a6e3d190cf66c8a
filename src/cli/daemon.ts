import { FormatError, type JsonInput, parseJson, stringifyJson } from '../base/index.ts';
import { DaemonError } from '../daemon/index.ts';
import { DaemonService } from '../daemon/service/index.ts';
import { isProtocolError } from '../protocol/index.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import { type FlagValues, readLogin, textFlag } from './flags.ts';

const DEFAULT_URL = 'http://127.0.0.1:18081';

async function run(values: FlagValues, method?: string, value?: string): Promise<void> {
  if (method === undefined) throw new CliError('which call? nightjar daemon get_info');
  const { name: username, password } = readLogin(textFlag(values, 'login') ?? '');
  const login = username === '' ? {} : { username, password };
  try {
    const daemon = DaemonService.connect({ url: textFlag(values, 'url') ?? DEFAULT_URL, ...login, retry: { attempts: 1 } });
    const answer = await daemon.askByName(method, readGiven(value));
    console.log(stringifyJson(answer.acceptUnverified('asked-by-hand'), 2));
  } catch (error) {
    if (error instanceof DaemonError) throw new CliError(`${error.code}: ${error.message}${otherDaemon(error, values)}`);
    if (isProtocolError(error)) throw new CliError(`what the call is given cannot be sent: ${error.message}`);
    throw error;
  }
}

/** Advice when no daemon was named and none runs at the default address. */
const otherDaemon = ({ code }: DaemonError, { url }: FlagValues): string =>
  code === 'unreachable' && url === undefined ? ': name another daemon with --url' : '';

function readGiven(text: string | undefined): JsonInput {
  if (text === undefined) return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof FormatError) throw new CliError(`what the call is given is no JSON: ${error.message}`);
    throw error;
  }
}

export const daemonCommand: Command = {
  summary: 'asks a daemon any call of its service, and prints the answer',
  argument: 'METHOD [JSON]',
  flags: {
    url: { value: 'url', text: `the daemon (default ${DEFAULT_URL})` },
    login: { value: 'name:password', text: 'what the daemon wants to be logged in with' },
  },
  run,
};

import { version } from '../../package.json';
import { readUrl } from '../base/index.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import type { FlagValues } from './flags.ts';
import { comparePage, type PageComparison } from './http/compare-page.ts';
import { builtPage, PageFiles } from './http/files.ts';

/** The folder of a page at this address, which may name its document. */
function folderOf(text: string): URL {
  const url = readUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CliError(`"${text}" is no address of a page: expected https://…`);
  return new URL('./', url);
}

function verdict({ differences, headers }: PageComparison): string {
  if (differences.length > 0) return 'It does not serve this build.';
  if (headers.length > 0) return 'It serves this build, without all of the protection that headers give.';
  return 'It serves this build.';
}

async function run(values: FlagValues, address?: string): Promise<void> {
  if (address === undefined) throw new CliError('which page? nightjar verify-page https://wallet.example/');
  const site = folderOf(address);
  const compared = await comparePage(new PageFiles(builtPage()), site);
  const { files, differences } = compared;
  if (differences.length === files) throw new CliError(`nothing of this build is at ${site.href}: ${differences[0]}`);
  const headers = values['files-only'] === true ? [] : compared.headers;
  const lines = [
    `Nightjar ${version}: ${files} files of this build, compared with ${site.href}`,
    ...differences.map((line) => `File     ${line}`),
    ...headers.map((line) => `Header   ${line}`),
    verdict({ ...compared, headers }),
  ];
  console.log(lines.join('\n'));
  if (differences.length + headers.length > 0) process.exitCode = 1;
}

export const verifyPageCommand: Command = {
  summary: 'compares the page that a site serves with this build of it, file by file',
  argument: 'URL',
  flags: { 'files-only': { text: 'take no notice of headers' } },
  run,
};

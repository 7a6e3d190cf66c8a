import { codeOf } from '../base/index.ts';

/** One press of Ctrl+C may arrive twice, from the terminal and from the script that started this process. */
const SAME_PRESS_MS = 1000;

/** Waits for Ctrl+C or SIGTERM, then cleans up. A second signal, later, ends the process at once. */
export async function runUntilStopped(stop: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    let first: number | undefined;
    const onSignal = () => {
      if (first !== undefined && Date.now() - first > SAME_PRESS_MS) process.exit(130);
      first ??= Date.now();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  await stop();
}

/** Message for a server whose port is taken or not permitted; undefined for other errors. @param flag that chooses another port */
export function portErrorText(error: unknown, port: number, flag: string): string | undefined {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return `port ${port} is taken: choose another with --${flag}, or --${flag} 0 for any`;
  if (code === 'EACCES')
    return `port ${port} needs rights that this process does not have: choose one from 1024 up with --${flag}`;
  return undefined;
}

import { expect, it } from 'vitest';
import { RpcError } from '../../src/rpc/errors.ts';
import { logFailure } from '../../src/rpc/request-log.ts';

it('a failed daemon is logged as an error; a request without a daemon address is not', () => {
  const lines: string[] = [];
  const log = (level: string, category: string, line: string | (() => string)): void => {
    lines.push(`${level} ${category} ${typeof line === 'string' ? line : line()}`);
  };
  logFailure(log, 'set_daemon', new RpcError('noDaemonConnection', 'Invalid ssl support mode'));
  logFailure(
    log,
    'refresh',
    new RpcError('noDaemonConnection', 'no connection to daemon', { code: 'unreachable', message: 'refused' }),
  );
  expect(lines).toEqual([
    'INFO wallet.rpc set_daemon: error -38 (noDaemonConnection)',
    'ERROR wallet.rpc refresh: error -38 (noDaemonConnection): unreachable: refused',
  ]);
});

import { CodedError } from '../src/base/index.ts';
import type { HostErrorCode } from './host.ts';

/** What the worker's host, or the server of the page, refuses: nothing of the wallet itself. */
export class HostError extends CodedError<HostErrorCode> {
  override readonly name = 'HostError';
}

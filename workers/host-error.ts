import { CodedError } from '../src/base/index.ts';
import type { HostErrorCode } from './host.ts';

/** Error of the worker's host or of the page's server, not of the wallet. */
export class HostError extends CodedError<HostErrorCode> {
  override readonly name = 'HostError';
}

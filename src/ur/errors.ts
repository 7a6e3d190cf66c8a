import { CodedError } from '../base/index.ts';

/** Why a text is not part of a uniform resource. */
export type UrErrorCode =
  /** Not a uniform resource at all: some other code was read. */
  | 'not-ur'
  /** It is one, but some of its letters were lost or changed. */
  | 'torn'
  /** Whole, but larger than anything that is accepted here. `data.bytes` */
  | 'too-large'
  /** Nothing to show: an empty message, or a fragment of no bytes. */
  | 'empty';

/** A typed failure of this room. */
export class UrError extends CodedError<UrErrorCode> {
  override readonly name = 'UrError';
}

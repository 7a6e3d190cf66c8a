import { bytesToHex } from '../../base/index.ts';
import { keccak256 } from '../../crypto/index.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';

/** Key of the attribute with the hash of the last `.keys` file of the reference that was found to be this wallet. */
const OWN_KEYS_FILE = 'keys-file';

const hashOf = (file: Uint8Array): string => bytesToHex(keccak256(file));

/** The event that records a `.keys` file as this wallet's, so that it is known again without being opened. */
export const ownKeysFileKnown = (file: Uint8Array): WalletEvent => ({
  type: 'AttributeSet',
  key: OWN_KEYS_FILE,
  value: hashOf(file),
});

/** Whether a `.keys` file is the one recorded last. */
export const isKnownKeysFile = ({ attributes }: Pick<WalletState, 'attributes'>, file: Uint8Array): boolean =>
  attributes.get(OWN_KEYS_FILE) === hashOf(file);

import { isStorageError } from '../storage/index.ts';
import { type GroupView, MultisigError, type MultisigErrorCode, type Wallet } from '../wallet/index.ts';
import { RpcError, withErrorsMapped } from './errors.ts';

/** Checks of a multisig wallet that methods make before anything else (wallet_rpc_server.cpp). */

/** @throws RpcError `notMultisig` */
export function requireGroup({ multisig }: Pick<Wallet, 'multisig'>): GroupView {
  if (multisig.group === undefined) throw new RpcError('notMultisig', 'This wallet is not multisig');
  return multisig.group;
}

/** @throws RpcError `notMultisig`, also before the key exchange is complete; `disabled` */
export function requireReadyGroup(wallet: Pick<Wallet, 'multisig'>): GroupView {
  const group = requireGroup(wallet);
  if (!group.ready) throw notFinalized();
  requireEnabled(wallet);
  return group;
}

/** Error for a group whose key exchange is not complete, with the reference's message. */
export const notFinalized = (): RpcError => new RpcError('notMultisig', 'This wallet is multisig, but not yet finalized');

/** Requires that the person has enabled multisig. @throws RpcError `disabled` */
export function requireEnabled({ multisig }: Pick<Wallet, 'multisig'>): void {
  if (multisig.group !== undefined && !multisig.isEnabled) throw new RpcError('disabled', DISABLED);
}

const DISABLED = [
  'This wallet is multisig, and multisig is disabled. Multisig is an experimental feature and may have bugs.',
  "Things that could go wrong include: funds sent to a multisig wallet can't be spent at all,",
  'can only be spent with the participation of a malicious group member, or can be stolen by a malicious group member.',
  'You can enable it by running this once in monero-wallet-cli: set enable-multisig-experimental 1',
].join(' ');

/** Message for a payment that needs key images or nonces which other signers have not exported yet. */
export const IMPORT_NEEDED = 'Not enough multisig data was found to sign: import multisig data from more other participants';

/** A view-only wallet cannot become a multisig signer. */
export const watchOnlyError = (): RpcError => new RpcError('watchOnly', 'wallet is watch-only and cannot be made multisig');

/**
 * Checks the password first: the reference checks it after everything is changed, and loses the wallet.
 * @param prefix of the reference's message @throws RpcError `unknown`
 */
export const requirePassword = (wallet: Pick<Wallet, 'checkPassword'>, password: string, prefix = ''): Promise<void> =>
  withErrorsMapped(
    () => wallet.checkPassword(password),
    (error) => (isStorageError(error, 'wrong-password') ? new RpcError('unknown', `${prefix}invalid password`) : undefined),
  );

/** Runs a step of the key exchange. @param prefix of the reference's message @throws RpcError `unknown` with the reference's message */
export const withKexErrors = <T>(work: () => Promise<T>, prefix = ''): Promise<T> =>
  withErrorsMapped(work, (error) =>
    error instanceof MultisigError ? new RpcError('unknown', `${prefix}${wordsOf(error)}`) : undefined,
  );

type Data = MultisigError['data'];

const TOO_FEW_RECOMMEND = 'A pubkey recommended by multisig kex messages had an unexpected number of recommendations.';

/** The reference's messages, which clients may match (multisig_kex_msg.cpp, multisig_account.cpp, multisig_account_kex_impl.cpp). */
const REFERENCE_TEXTS: Partial<Record<MultisigErrorCode, string | ((data: Data) => string)>> = {
  'bad-message': badMessage,
  'old-version': 'V1 multisig kex messages are deprecated (unsafe).',
  'unknown-version': 'Only v2 multisig kex messages are supported.',
  'bad-key': badKey,
  'bad-signature': 'Multisig kex msg signature invalid.',
  'wrong-round': ({ expected }) =>
    expected === 1
      ? "Trying to make multisig with message that has invalid multisig kex round (should be '1')."
      : "Messages don't have the expected kex round number.",
  'mixed-rounds': 'All messages must have the same kex round number.',
  'duplicate-signer': 'Duplicate signers not allowed when converting a wallet to multisig.',
  'bad-threshold': 'multisig account: tried to set invalid threshold.',
  'bad-signer-count': 'multisig account: tried to set invalid number of signers.',
  'unknown-signer': ({ of }) =>
    of === 'keys'
      ? 'An unknown origin recommended a multisig post-kex verification messsage.'
      : 'Multisig kex message with unexpected signer encountered.',
  'signers-missing': missingSigners,
  contradiction: ({ of }) =>
    of === 'key' ? TOO_FEW_RECOMMEND : 'A multisig signer recommended an unexpected number of pubkeys.',
  'not-verified': notVerified,
  'already-complete': 'multisig account: tried to update kex, but kex is already complete.',
};

function wordsOf({ code, data, message }: MultisigError): string {
  const words = REFERENCE_TEXTS[code] ?? message;
  return typeof words === 'string' ? words : words(data);
}

function badMessage({ short, base58, round }: Data): string {
  if (short === true) return 'Kex message unexpectedly small.';
  if (base58 === false) return 'Multisig kex msg decoding error.';
  return round === undefined
    ? 'Deserializing kex msg failed.'
    : 'Invalid kex message round (must be > 1 for the general msg type).';
}

function badKey({ of, neutral }: Data): string {
  const whose = of === 'signer' ? 'Message signing key' : 'Pubkey from message';
  return neutral === true ? `${whose} was invalid.` : `${whose} was not in prime subgroup.`;
}

function missingSigners({ of, round, found, required }: Data): string {
  const counts = (beginning: string) => `${beginning}num signers found: ${found}, num signers required: ${required}).`;
  if (of === 'key') return TOO_FEW_RECOMMEND;
  if (of === 'keys') return counts("Multisig post-kex round message origins don't line up with multisig signer set (");
  if (round === undefined) return 'At least one input message expected.';
  const first = 'Number of unique other signers recommending pubkeys does not equal number of required other signers ';
  return counts(`${first}(kex round: ${round}, `);
}

function notVerified({ of }: Data): string {
  if (of === 'count') return 'Multisig post-kex round messages from other signers did not all contain two pubkeys.';
  if (of === 'pair') return 'Multisig post-kex round messages from other signers did not all recommend the same pubkey pair.';
  return `Multisig post-kex round: expected ${of === 'group' ? 'multisig' : 'common'} pubkey wasn't found in input messages.`;
}

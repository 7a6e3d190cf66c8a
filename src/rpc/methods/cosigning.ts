import * as v from 'valibot';
import { bytesToHex } from '../../base/index.ts';
import { isProtocolError } from '../../protocol/index.ts';
import { MultisigError } from '../../wallet/index.ts';
import { Wallet2Error } from '../../wallet2/index.ts';
import { catchUp } from '../catch-up.ts';
import { decryptFailureText, errorText, RpcError } from '../errors.ts';
import { bool, params, result, text, texts } from '../fields.ts';
import { requireHex } from '../hex-params.ts';
import { MethodGroup, WRITES } from '../method.ts';
import { IMPORT_NEEDED, requireReadyGroup } from '../multisig-wallet.ts';
import { sendFailureText } from '../spend-errors.ts';

export const cosigningMethods = new MethodGroup('Multisig');

/** How a group spends: what its signers pass on to each other. */

cosigningMethods.define({
  name: 'export_multisig_info',
  summary: 'What the other signers need of this wallet before the next transactions. What was exported before is void.',
  result: v.object({ info: result.text }),
  ...WRITES,
  errors: ['notMultisig', 'disabled'],
  carriesFiles: true,
  async handler({ wallet }) {
    requireReadyGroup(wallet);
    return { info: bytesToHex(await wallet.cosigning.export()) };
  },
});

cosigningMethods.define({
  name: 'import_multisig_info',
  summary: 'Takes what the other signers exported. It shows which outputs are spent.',
  params: params({ info: texts(), refresh_after_import: bool(true) }),
  result: v.object({ n_outputs: result.u64 }),
  ...WRITES,
  errors: ['notMultisig', 'disabled', 'thresholdNotReached', 'badHex'],
  carriesFiles: true,
  async handler({ host, wallet }, { info, refresh_after_import }) {
    const { threshold } = requireReadyGroup(wallet);
    if (info.length < threshold - 1)
      throw new RpcError('thresholdNotReached', 'Needs multisig export info from more participants');
    const messages = info.map(requireHex);
    try {
      const count = await wallet.cosigning.import(messages);
      if (refresh_after_import) await catchUp(host, wallet);
      return { n_outputs: BigInt(count) };
    } catch (error) {
      throw new RpcError('unknown', `Error calling import_multisig: ${importWords(error)}`);
    }
  },
});

/** The reference's messages (wallet2.cpp, import_multisig). */
const IMPORT_WORDS: Readonly<Record<string, string>> = {
  'bad-magic': 'Bad multisig info file magic in ',
  'other-group': 'Multisig info is for a different account',
  'too-few-signers': 'Wrong number of multisig sources',
  'unknown-signer': 'Signer is not a member of this multisig wallet',
  'bad-set': 'Mismatched signers in imported multisig info',
  'bad-key': 'Multisig value is not in the main subgroup',
};

function importWords(error: unknown): string {
  if (isProtocolError(error)) return 'Failed to load output data';
  if (error instanceof Wallet2Error && error.code === 'not-authentic') return decryptFailureText(error);
  const coded = error instanceof Wallet2Error || error instanceof MultisigError;
  return (coded ? IMPORT_WORDS[error.code] : undefined) ?? errorText(error);
}

/** Whether a set could not be read, as opposed to one that was refused. */
const isUnreadableSet = (error: unknown): boolean =>
  isProtocolError(error) ||
  error instanceof Wallet2Error ||
  (error instanceof MultisigError && error.data.reason === 'positions');

const unreadable = (): RpcError => new RpcError('badMultisigTxData', 'Failed to parse multisig tx data.');

cosigningMethods.define({
  name: 'sign_multisig',
  summary: 'Adds the signature of this wallet to transactions that another signer proposed.',
  params: params({ tx_data_hex: text() }),
  result: v.object({ tx_data_hex: result.text, tx_hash_list: v.optional(v.array(result.text)) }),
  ...WRITES,
  errors: ['notMultisig', 'disabled', 'badHex', 'badMultisigTxData', 'multisigSignature'],
  carriesFiles: true,
  async handler({ wallet }, { tx_data_hex }) {
    requireReadyGroup(wallet);
    const set = requireHex(tx_data_hex);
    try {
      const { bytes, txHashes } = await wallet.cosigning.sign(set);
      return { tx_data_hex: bytesToHex(bytes), tx_hash_list: [...txHashes] };
    } catch (error) {
      if (isUnreadableSet(error)) throw unreadable();
      throw new RpcError('multisigSignature', `Failed to sign multisig tx: ${signWords(error)}`);
    }
  },
});

/** The reference's messages (wallet2.cpp, sign_multisig_tx). */
const SIGN_WORDS: Readonly<Record<string, string>> = {
  'empty-set': 'No tx found',
  'already-signed': 'Transaction already signed by this private key',
  'too-many-signers': 'Transaction was signed by too many signers',
  'fully-signed': 'Transaction is already fully signed',
  'info-missing': IMPORT_NEEDED,
  frozen: 'Will not sign multisig tx containing frozen outputs',
  'nonces-unknown': 'This signature was made with stale data: export fresh multisig data, which other participants must then use',
};

const signWords = (error: unknown): string =>
  (error instanceof MultisigError ? SIGN_WORDS[error.code] : undefined) ?? errorText(error);

cosigningMethods.define({
  name: 'submit_multisig',
  summary: 'Sends transactions that enough signers have signed.',
  params: params({ tx_data_hex: text() }),
  result: v.object({ tx_hash_list: v.array(result.text) }),
  ...WRITES,
  needs: 'daemon',
  errors: ['notMultisig', 'disabled', 'badHex', 'badMultisigTxData', 'thresholdNotReached', 'multisigSubmission'],
  carriesFiles: true,
  async handler({ wallet }, { tx_data_hex }) {
    requireReadyGroup(wallet);
    const set = requireHex(tx_data_hex);
    try {
      return { tx_hash_list: [...(await wallet.cosigning.submit(set))] };
    } catch (error) {
      if (isUnreadableSet(error)) throw unreadable();
      if (error instanceof MultisigError && error.code === 'too-few-signers')
        throw new RpcError('thresholdNotReached', 'Not enough signers signed this transaction.');
      throw new RpcError('multisigSubmission', `Failed to submit multisig tx: ${sendFailureText(error, errorText(error))}`);
    }
  },
});

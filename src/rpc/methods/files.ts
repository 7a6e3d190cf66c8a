import * as v from 'valibot';
import { secondsOf } from '../../base/index.ts';
import { loadCrypto } from '../../crypto/index.ts';
import { encodeAddress, readAddress } from '../../protocol/address.ts';
import { isProtocolError } from '../../protocol/errors.ts';
import {
  loadAllWordLists,
  loadWordList,
  type ReadSeed,
  seedToWords,
  type WordList,
  wordsToSeed,
} from '../../protocol/mnemonic.ts';
import { POLYSEED_WORDS } from '../../protocol/polyseed.ts';
import { isStorageError } from '../../storage/index.ts';
import {
  countWords,
  MultisigError,
  type NewWallet,
  newWallet,
  type RestoreFrom,
  type Wallet,
  walletFromKeys,
  walletFromMultisigSeed,
  walletFromSeed,
  walletFromViewKey,
  walletFromWords,
  withoutOffset,
  wordsOf,
} from '../../wallet/index.ts';
import { Wallet2Error } from '../../wallet2/index.ts';
import { catchUpBriefly } from '../catch-up.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { bool, params, result, text, u64 } from '../fields.ts';
import { isHex } from '../hex-params.ts';
import type { ServiceHost, WalletFolder } from '../host.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';

export const fileMethods = new MethodGroup('Wallet files');

/** Languages in the order in which the reference lists them. */
const LANGUAGES = [
  'German',
  'English',
  'Spanish',
  'French',
  'Italian',
  'Dutch',
  'Portuguese',
  'Russian',
  'Japanese',
  'Chinese (simplified)',
  'Esperanto',
  'Lojban',
];
/** A list for reading seeds only. */
const OLD_LANGUAGE = 'English (old)';
/** Number of words of seeds without checksum word. */
const OLD_STYLE_WORDS = 24;

fileMethods.define({
  name: 'get_languages',
  summary: 'Languages that a seed can be written in, in English and by their own names.',
  result: v.object({ languages: v.array(result.text), languages_local: v.array(result.text) }),
  ...READS,
  needs: 'nothing',
  async handler() {
    const lists = await Promise.all(LANGUAGES.map(loadWordList));
    return { languages: [...LANGUAGES], languages_local: lists.map(({ name }) => name) };
  },
});

/** The list of a language by either of its names. */
async function languageNamed(name: string): Promise<WordList | undefined> {
  if (LANGUAGES.includes(name)) return loadWordList(name);
  const lists = await Promise.all(LANGUAGES.map(loadWordList));
  return lists.find((list) => list.name === name);
}

function requireFolder(host: ServiceHost): WalletFolder {
  if (host.walletFolder === undefined) throw new RpcError('noWalletDir', 'No wallet dir configured');
  return host.walletFolder;
}

/** The wallet that a request names: by its name, or by that of its keys file, as in the reference. @throws RpcError `unknown` */
function nameIn(filename: string): string {
  if (/[/\\]/.test(filename)) throw new RpcError('unknown', 'Invalid filename');
  return filename.replace(/(?<=.)\.keys$/, '');
}

fileMethods.define({
  name: 'create_wallet',
  summary: 'A new wallet of a fresh seed, opened in place of the one before.',
  params: params({ filename: text(), password: text(), language: text() }),
  ...WRITES,
  needs: 'nothing',
  errors: ['noWalletDir', 'unknown', 'walletExists'],
  async handler({ host }, { filename, password, language }) {
    const folder = requireFolder(host);
    const name = nameIn(filename);
    const list = await languageNamed(language);
    if (list === undefined) throw new RpcError('unknown', `Unknown language: ${language}`);
    if (await isTaken(host, folder, name)) throw new RpcError('walletExists', 'Cannot create wallet. Already exists.');
    const from = await heightNow(host);
    await folder.create(name, password, await newWallet(host.random, birthOf(host, from), list.englishName));
  },
});

/** Clients compare the text of the error with the reference's: the log says which file has the name, and what to do. */
async function isTaken({ log }: ServiceHost, folder: WalletFolder, name: string): Promise<boolean> {
  const file = name === '' ? undefined : await folder.fileOf(name);
  if (file === undefined) return false;
  const why = `${file} in the wallet folder has this name, and may be the only copy of its keys`;
  log?.('WARNING', 'wallet.rpc', `no new wallet is made: ${why}. To use the name again, move that file away`);
  return true;
}

const birthOf = <F>({ network, clock }: ServiceHost, from: F) => ({ network, from, now: secondsOf(clock) });

/** New wallets begin at the daemon's height; without a daemon, at their creation date. */
async function heightNow({ daemonClient }: ServiceHost): Promise<RestoreFrom | undefined> {
  try {
    const answer = await daemonClient?.getHeight();
    return answer && { height: answer.acceptUnverified('new-wallet-height').height };
  } catch {
    return undefined;
  }
}

fileMethods.define({
  name: 'open_wallet',
  summary: "Opens a wallet by its name in the wallet folder, or a wallet file of the reference's, in place of the one before.",
  params: params({ filename: text(), password: text(), autosave_current: bool(true) }),
  ...WRITES,
  needs: 'nothing',
  errors: ['noWalletDir', 'unknown'],
  async handler({ host }, { filename, password }) {
    const folder = requireFolder(host);
    const name = nameIn(filename);
    const wallet = await openNamed(folder, [name, filename], password).catch((error: unknown) => {
      throw new RpcError('unknown', `Failed to open wallet : ${whyNotOpened(error, folder.keysFile(name))}`);
    });
    // What came in while it synced without its spend key is scanned again, so that the next answer includes it.
    if (wallet.backgroundSync.type !== 'off') await catchUpBriefly(host, wallet);
  },
});

/** The wallet of the first name; of the second where there is none: earlier releases kept the ending `.keys` in the names of wallets they made. */
async function openNamed(folder: WalletFolder, [name, whole]: readonly [string, string], password: string): Promise<Wallet> {
  try {
    return await folder.open(name, password);
  } catch (error) {
    if (name === whole || !isStorageError(error, 'not-found')) throw error;
    return folder.open(whole, password);
  }
}

/** The reference's message if it has one. */
function whyNotOpened(error: unknown, keysFile: string): string {
  if (isStorageError(error, 'wrong-password')) return 'Invalid password.';
  if (isStorageError(error, 'not-found') || isStorageError(error, 'bad-name')) return `file not found "${keysFile}"`;
  if (isProtocolError(error)) return 'internal error: failed to deserialize keys buffer';
  if (!(error instanceof Wallet2Error)) return isStorageError(error) ? error.message : 'Unknown.';
  return error.code === 'wrong-password' ? 'Invalid password.' : error.message;
}

fileMethods.define({
  name: 'close_wallet',
  summary: 'Stores and closes the open wallet.',
  params: params({ autosave_current: bool(true) }),
  ...WRITES,
  async handler({ host }) {
    await host.closeWallet();
  },
});

fileMethods.define({
  name: 'change_wallet_password',
  summary: 'Seals the wallet with another password.',
  params: params({ old_password: text(), new_password: text() }),
  ...WRITES,
  errors: ['invalidPassword'],
  async handler({ wallet }, { old_password, new_password }) {
    await withErrorsMapped(
      () => wallet.changePassword(old_password, new_password),
      (error) =>
        isStorageError(error, 'wrong-password') ? new RpcError('invalidPassword', 'Invalid original password.') : undefined,
    );
  },
});

fileMethods.define({
  name: 'generate_from_keys',
  summary: 'A wallet from its address and keys; without a spend key it is view-only.',
  params: params({
    restore_height: u64(),
    filename: text(),
    address: text(),
    spendkey: text(),
    viewkey: text(),
    password: text(),
    autosave_current: bool(true),
    language: text(),
  }),
  result: v.object({ address: result.text, info: result.text }),
  ...WRITES,
  needs: 'nothing',
  errors: ['noWalletDir', 'unknown'],
  async handler({ host }, params) {
    const folder = requireFolder(host);
    const { filename, address, spendkey, viewkey, password, language } = params;
    if (viewkey === '') throw missing('viewkey', 'a view key you want to restore from');
    if (address === '') throw missing('address', 'a public address');
    const name = await newNameIn(host, folder, filename);
    const read = readAddress(address, host.network);
    if (read === undefined) throw new RpcError('unknown', 'Failed to parse public address');
    if (!isHex(viewkey, 32)) throw new RpcError('unknown', 'Failed to parse view key secret key');
    if (spendkey !== '' && !isHex(spendkey, 32)) throw new RpcError('unknown', 'Failed to parse spend key secret key');
    const list = language === '' ? undefined : await languageNamed(language);
    if (language !== '' && list === undefined) throw new RpcError('unknown', 'The specified seed language is invalid.');
    const from = { height: heightOf(params.restore_height) };
    const standard = encodeAddress({ ...read, kind: 'standard', paymentId: undefined });
    const made = await fromKeys(host, standard, spendkey.toLowerCase(), viewkey.toLowerCase(), from);
    const seedLanguage = list?.englishName ?? made.secrets.seedLanguage;
    const wallet = await folder.create(name, password, { ...made, secrets: { ...made.secrets, seedLanguage } });
    const kind = spendkey === '' ? 'Watch-only wallet' : 'Wallet';
    return { address: wallet.description.primaryAddress, info: `${kind} has been generated successfully.` };
  },
});

const missing = (field: string, what: string): RpcError =>
  new RpcError('unknown', `field '${field}' is mandatory. Please provide ${what}.`);

async function fromKeys(
  host: ServiceHost,
  address: string,
  spendKey: string,
  viewKey: string,
  from: RestoreFrom,
): Promise<NewWallet> {
  const viewOnly = await orElse('view key does not match standard address', () =>
    walletFromViewKey(address, viewKey, birthOf(host, from)),
  );
  if (spendKey === '') return viewOnly;
  const made = await orElse('spend key does not match standard address', () =>
    walletFromKeys(spendKey, viewKey, birthOf(host, from)),
  );
  const [created] = made.first;
  if (created?.type === 'Created' && created.wallet.primaryAddress !== address)
    throw new RpcError('unknown', 'spend key does not match standard address');
  return made;
}

const orElse = <T>(message: string, make: () => Promise<T>): Promise<T> =>
  withErrorsMapped(make, () => new RpcError('unknown', message));

/** As {@link nameIn}, where no wallet has that name. @throws RpcError `unknown` */
async function newNameIn(host: ServiceHost, folder: WalletFolder, filename: string): Promise<string> {
  const name = nameIn(filename);
  if (await isTaken(host, folder, name)) throw new RpcError('unknown', 'Wallet already exists.');
  return name;
}

const heightOf = (height: bigint): number => Number(height > BigInt(2 ** 32) ? BigInt(2 ** 32) : height);

const seedAsked = params({
  restore_height: u64(),
  filename: text(),
  seed: text(),
  seed_offset: text(),
  password: text(),
  language: text(),
  autosave_current: bool(true),
  enable_multisig_experimental: bool(),
});
type AskedSeed = v.InferOutput<typeof seedAsked>;

fileMethods.define({
  name: 'restore_deterministic_wallet',
  summary: 'A wallet from its words, with or without a passphrase, opened in place of the one before.',
  params: seedAsked,
  result: v.object({ address: result.text, seed: result.text, info: result.text, was_deprecated: result.bool }),
  ...WRITES,
  needs: 'nothing',
  errors: ['noWalletDir', 'unknown'],
  async handler({ host }, asked) {
    const folder = requireFolder(host);
    if (asked.seed === '') throw missing('seed', 'a seed you want to restore from');
    const params = { ...asked, filename: await newNameIn(host, folder, asked.filename) };
    if (params.enable_multisig_experimental) return restoreSigner(host, folder, params);
    if (countWords(params.seed) === POLYSEED_WORDS) return restorePolyseed(host, folder, params);
    await loadCrypto();
    const { seed, list } = await readSeed(params.seed);
    const written = list.englishName === OLD_LANGUAGE ? await newLanguage(params.language) : list;
    const spendSeed = await withoutOffset(seed, params.seed_offset);
    const words = seedToWords(spendSeed, written);
    const from = { height: heightOf(params.restore_height) };
    const made = await walletFromSeed(spendSeed, birthOf(host, from), written.englishName);
    return restored(folder, params, made, words, isDeprecated(params.seed, list));
  },
});

/** 16 words, which releases of the reference after 0.18.5 accept here: without a height they are scanned from their own month. */
async function restorePolyseed(host: ServiceHost, folder: WalletFolder, params: AskedSeed) {
  const { seed, seed_offset, restore_height } = params;
  const from = restore_height === 0n ? undefined : { height: heightOf(restore_height) };
  const made = await withErrorsMapped(() => walletFromWords(seed, birthOf(host, from), seed_offset), unverified);
  return restored(folder, params, made, await wordsOf(made.secrets), false);
}

/** A signer of a group, from its seed in hex digits. */
async function restoreSigner(host: ServiceHost, folder: WalletFolder, params: AskedSeed) {
  const { seed, seed_offset, restore_height } = params;
  if (seed_offset !== '') throw new RpcError('unknown', 'Multisig seeds are not compatible with seed offsets');
  const from = { height: heightOf(restore_height) };
  const made = await walletFromMultisigSeed(seed, birthOf(host, from)).catch((error: unknown) => {
    if (!(error instanceof MultisigError)) throw error;
    const words = error.data.hex === false ? 'Multisig seed not represented as hexadecimal string' : 'invalid multisig seed';
    throw new RpcError('unknown', words);
  });
  // The reference takes the digits for words of an old list.
  return restored(folder, params, made, '', true);
}

/** Stores a wallet in the folder and returns the result. @param seed its words, as in the reference's answer */
async function restored(
  folder: WalletFolder,
  { filename, password }: AskedSeed,
  made: NewWallet,
  seed: string,
  was_deprecated: boolean,
) {
  const { description } = await folder.create(filename, password, made);
  return { address: description.primaryAddress, seed, info: 'Wallet has been restored successfully.', was_deprecated };
}

/** Whether words are of the read-only list, or lack a checksum word. */
export function isDeprecated(words: string, list: WordList): boolean {
  return list.englishName === OLD_LANGUAGE || countWords(words) === OLD_STYLE_WORDS;
}

/** @throws RpcError `unknown` */
export const readSeed = (words: string): Promise<ReadSeed> =>
  withErrorsMapped(async () => wordsToSeed(words, await loadAllWordLists()), unverified);

const unverified = (error: unknown): RpcError | undefined =>
  isProtocolError(error) ? new RpcError('unknown', 'Electrum-style word list failed verification') : undefined;

async function newLanguage(language: string): Promise<WordList> {
  if (language === '')
    throw new RpcError('unknown', 'Wallet was using the old seed language. You need to specify a new seed language.');
  const list = await languageNamed(language);
  if (list !== undefined) return list;
  throw new RpcError('unknown', 'Wallet was using the old seed language, and the specified new seed language is invalid.');
}

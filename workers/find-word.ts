import { wipe } from '../src/base/index.ts';
import {
  isProtocolError,
  needsPassphrase,
  POLYSEED_WORDS,
  PolyseedWordList,
  type WordList,
  wordsToPolyseed,
  wordsToSeed,
} from '../src/protocol/index.ts';
import type { Network } from '../src/protocol/model.ts';
import { type NewWallet, WalletError, walletFromSeed, walletFromWords, wipeSecrets } from '../src/wallet/index.ts';
import type { FoundWord } from './host.ts';
import { listOfWords } from './seed-check.ts';

/** Word counts of seeds whose checksum leaves few enough candidates: 16 in total for Polyseed, some 1,700 for 25 words. */
const COUNTS: readonly number[] = [POLYSEED_WORDS, 25];

/**
 * Finds the one wrong word of a seed: each word of the list is tried in its place, and candidates with a correct checksum are compared with the
 * address. A word that is in no list is the wrong one; with several of those, none is searched for.
 * @param passphrase of 16 words that need one; empty for none
 * @param address primary address of the wallet
 * @returns undefined when no single word gives the seed of the address
 */
export async function findSeedWord(
  text: string,
  passphrase: string,
  address: string,
  network: Network,
): Promise<FoundWord | undefined> {
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (!COUNTS.includes(words.length)) return undefined;
  const { list, unknown } = await listOfWords(words);
  if (unknown.length > 1) return undefined;
  const positions = unknown.length === 1 ? unknown : words.keys();
  for (const position of positions) {
    for (const word of list.words) {
      const tried = words.with(position, word).join(' ');
      if ((await addressOf(tried, list, passphrase, network)) === address) return { position, word, words: tried };
    }
  }
  return undefined;
}

async function addressOf(words: string, list: AnyList, passphrase: string, network: Network): Promise<string | undefined> {
  const made = await walletOf(words, list, passphrase, network);
  if (made === undefined) return undefined;
  wipeSecrets(made.secrets);
  return made.first.flatMap((event) => (event.type === 'Created' ? [event.wallet.primaryAddress] : []))[0];
}

type AnyList = WordList | PolyseedWordList;

/** The wallet of the words; undefined if they are not a seed, need a passphrase and there is none, or stand for the key zero. */
async function walletOf(words: string, list: AnyList, passphrase: string, network: Network): Promise<NewWallet | undefined> {
  const birth = { network, from: { height: 0 }, now: 0 };
  try {
    if (list instanceof PolyseedWordList) {
      const { seed } = wordsToPolyseed(words, [list]);
      wipe(seed.secret);
      return await walletFromWords(words, birth, needsPassphrase(seed) ? passphrase : '');
    }
    return await walletFromSeed(wordsToSeed(words, [list]).seed, birth, list.englishName);
  } catch (error) {
    if (isProtocolError(error) || (error instanceof WalletError && error.code === 'bad-seed')) return undefined;
    throw error;
  }
}

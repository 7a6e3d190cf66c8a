import { secondsOf } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { decodeAddress, isProtocolError } from '../src/protocol/index.ts';
import { StorageError } from '../src/storage/index.ts';
import {
  asGroupSigner,
  type Birth,
  type GroupPlan,
  type NewWallet,
  newPolyseedWallet,
  newWallet,
  type OpenBirth,
  type RestoreFrom,
  type WalletEnvironment,
  WalletError,
  walletFromKeys,
  walletFromKeysFile,
  walletFromMultisigSeed,
  walletFromViewKey,
  walletFromWords,
  wipeSecrets,
  withSeedToWrite,
} from '../src/wallet/index.ts';
import type { NewSeed, RestorePoint, SecretKeys, WalletForm } from './host.ts';
import { HostError } from './host-error.ts';

/** The fields of a form that determine a wallet's keys and first events. */
type Form = Pick<WalletForm, 'network'>;

const MS_PER_SECOND = 1000;

/** New wallets as requested by the page's forms, not yet stored. Parameters and errors are documented at the page's calls: `WalletHost`. */
export class NewWallets {
  readonly #env: Pick<WalletEnvironment, 'random' | 'clock'>;

  constructor(env: Pick<WalletEnvironment, 'random' | 'clock'>) {
    this.#env = env;
  }

  /** From fresh randomness, with words that have yet to be written down. */
  async fromRandom(wallet: Form, { form, language, passphrase }: NewSeed): Promise<NewWallet> {
    const birth = this.#openBirth(wallet);
    const { random } = this.#env;
    return withSeedToWrite(
      form === 'polyseed'
        ? await newPolyseedWallet(random, birth, language, passphrase)
        : await newWallet(random, birth, language),
    );
  }

  /** From seed words. @param from undefined: from the month stored in a Polyseed */
  async fromWords(wallet: Form, words: string, passphrase: string, from: RestorePoint | undefined): Promise<NewWallet> {
    return walletFromWords(words, from === undefined ? this.#openBirth(wallet) : this.birth(wallet, from), passphrase);
  }

  /** A view-only wallet. */
  async fromViewKey(wallet: Form, address: string, viewKey: string, from: RestorePoint): Promise<NewWallet> {
    return walletFromViewKey(address, viewKey, this.birth(wallet, from));
  }

  /** From secret keys, which are checked against the address, if given. */
  async fromKeys(wallet: Form, { spendKey, viewKey, address }: SecretKeys, from: RestorePoint): Promise<NewWallet> {
    await loadCrypto();
    if (address !== undefined) decodeAddress(address, wallet.network);
    const made = await walletFromKeys(spendKey, viewKey, this.birth(wallet, from)).catch(orNoKeys);
    if (address !== undefined && !isOf(made, address)) {
      wipeSecrets(made.secrets);
      throw new HostError('keys-of-other-wallet', 'expected the keys of this address');
    }
    return made;
  }

  /** From a `.keys` file of the reference. */
  fromKeysFile({ network }: Form, file: Uint8Array, filePassword: string): Promise<NewWallet> {
    return walletFromKeysFile({ keys: file }, filePassword, network, this.#now(), this.#env.random).catch(orNoWalletFile);
  }

  /** From fresh randomness, to become one of several signers. */
  async forGroup(wallet: Form, plan: GroupPlan): Promise<NewWallet> {
    return asGroupSigner(await newWallet(this.#env.random, this.#openBirth(wallet)), plan);
  }

  /** One of several signers, from its seed: hex digits with any spaces. */
  async fromGroupSeed(wallet: Form, seed: string, passphrase: string, from: RestorePoint): Promise<NewWallet> {
    return walletFromMultisigSeed(seed.replaceAll(/\s/g, ''), this.birth(wallet, from), passphrase);
  }

  /** A wallet's network, the current time, and where its scan begins. @throws HostError `bad-date` */
  birth({ network }: Form, from: RestorePoint): Birth {
    return { network, from: this.#restoreFrom(from), now: this.#now() };
  }

  /** The same without a point to scan from. */
  #openBirth({ network }: Form): OpenBirth {
    return { network, now: this.#now() };
  }

  #restoreFrom(point: RestorePoint): RestoreFrom {
    switch (point.kind) {
      case 'height':
        return { height: point.height };
      case 'tip':
        return { date: this.#now() };
      case 'date': {
        const at = Date.parse(`${point.date}T00:00:00Z`);
        if (!Number.isFinite(at)) throw new HostError('bad-date', 'expected a day as YYYY-MM-DD');
        return { date: at / MS_PER_SECOND };
      }
    }
  }

  #now(): number {
    return secondsOf(this.#env.clock);
  }
}

/** Whether a new wallet has this primary address. */
const isOf = ({ first }: NewWallet, address: string): boolean =>
  first.some((event) => event.type === 'Created' && event.wallet.primaryAddress === address);

function orNoKeys(error: unknown): never {
  const isWrong = error instanceof WalletError && error.code === 'bad-key';
  throw isWrong ? new HostError('keys-of-no-wallet', 'expected two keys of a wallet') : error;
}

/** A parser's error means that the file is of another kind. */
function orNoWalletFile(error: unknown): never {
  throw isProtocolError(error) ? new StorageError('not-a-backup', 'expected a .keys file, or a backup of this program') : error;
}

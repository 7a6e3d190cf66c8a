import { bytesToLatin1, equalBytes, hexToBytes, SerialQueue } from '../base/index.ts';
import { checkTxProof, hashToEc, isInMainSubgroup, type Random, type SubaddressIndex, scalarMulBase } from '../crypto/index.ts';
import { type AddressKeys, decodeAddress, type Network } from '../protocol/index.ts';
import type { DeviceProofAsked, SpendDevice } from '../wallet/device/port.ts';
import type { SpentOutput } from '../wallet/spend/construct.ts';
import { SpendError } from '../wallet/spend/errors.ts';
import type { Signing, SigningOptions, UnsignedPayment } from '../wallet/spend/signer.ts';
import type { SignedTransaction } from '../wallet/spend/unsigned.ts';
import { getTxProof } from './commands/get-tx-proof.ts';
import { reset } from './commands/reset.ts';
import { secretKeyToPublicKey, secretScalMulKey } from './commands/secrets.ts';
import { displayAddress, getPublicKeys, getViewKey } from './commands/wallet.ts';
import { DeviceError, expectOfDevice } from './errors.ts';
import { recipientsAtOnce } from './models.ts';
import { DeviceSession, type Watch } from './session.ts';
import { openOutput } from './signing/inputs.ts';
import { type SigningRandomness, signingRandomness } from './signing/randomness.ts';
import type { HashedRounds } from './signing/ring-signature.ts';
import { type SigningStep, signOnDevice } from './signing/transaction.ts';
import type { DeviceTransport } from './transport/port.ts';

/** Options of a Ledger; everything but the random source has defaults. */
export interface LedgerOptions {
  readonly random: Random;
  /** Limits how long answers may take; undefined for no limit. */
  readonly watch?: Watch | undefined;
  /** How much of a ring the device hashes: by default its closing round. */
  readonly rounds?: HashedRounds | undefined;
  /** Random choices; from the random source by default. */
  readonly choices?: SigningRandomness | undefined;
  /** Called with the device's current step. */
  readonly onStep?: ((step: SigningStep) => void) | undefined;
  /** Called when the app stopped at a ring of which it had hashed only the closing round. */
  readonly onClosingRefused?: (() => void) | undefined;
}

/** The oldest app version that this was tested with. */
const OLDEST_APP = [2, 1, 3] as const;
/** Asks the device's system which app is open. */
const GET_APP = Uint8Array.of(0xb0, 0x01, 0x00, 0x00, 0x00);
const APP_NAME = 'Monero';
/** Name of the device's system while no app is open. */
const DASHBOARD = 'BOLOS';

/** A Ledger with the Monero app open. One task at a time. */
export class LedgerDevice implements SpendDevice {
  readonly label: string;
  readonly appVersion: string;
  readonly keys: AddressKeys;
  readonly network: Network;
  readonly #session: DeviceSession;
  readonly #options: LedgerOptions;
  readonly #choices: SigningRandomness;
  readonly #queue = new SerialQueue();

  private constructor(
    session: DeviceSession,
    options: LedgerOptions,
    account: Pick<SpendDevice, 'appVersion' | 'keys' | 'network'>,
  ) {
    this.#session = session;
    this.#options = options;
    this.#choices = options.choices ?? signingRandomness(options.random);
    this.label = session.label;
    this.appVersion = account.appVersion;
    this.keys = account.keys;
    this.network = account.network;
  }

  /**
   * Reads which app is open, its version, and its keys. Shows nothing on the device. On failure the transport is closed.
   * @throws DeviceError
   */
  static async connect(transport: DeviceTransport, options: LedgerOptions): Promise<LedgerDevice> {
    const session = new DeviceSession(transport, options.watch);
    try {
      await requireMoneroApp(session);
      const version = await reset(session);
      const appVersion = version.join('.');
      if (isOlder(version, OLDEST_APP)) {
        throw new DeviceError('app-too-old', `expected version ${OLDEST_APP.join('.')} of the app or later`, {
          version: appVersion,
        });
      }
      const { address, ...keys } = await getPublicKeys(session);
      return new LedgerDevice(session, options, { appVersion, keys, network: networkOf(address, keys) });
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get recipientsAtOnce(): number | undefined {
    return recipientsAtOnce(this.label);
  }

  get ended(): boolean {
    return this.#session.ended;
  }

  /** Number of requests so far. */
  get exchanges(): number {
    return this.#session.exchanges;
  }

  viewKey(): Promise<Uint8Array> {
    return this.#run(undefined, async () => {
      const key = await getViewKey(this.#session);
      expectOfDevice(equalBytes(scalarMulBase(key), this.keys.viewKey), 'the view key of its address');
      return key;
    });
  }

  showAddress(index: SubaddressIndex, paymentId?: Uint8Array): Promise<void> {
    if (paymentId !== undefined && (index.major !== 0 || index.minor !== 0))
      throw new DeviceError('not-possible', 'expected an integrated address of the first address: the app shows no other');
    return this.#run(undefined, () => displayAddress(this.#session, index, paymentId));
  }

  keyImages(
    outputs: readonly SpentOutput[],
    onEach?: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    return this.#run(signal, async () => {
      const images: Uint8Array[] = [];
      for (const output of outputs) {
        images.push(await this.#keyImage(output));
        onEach?.(images.length);
      }
      return images;
    });
  }

  /**
   * A wrong key image would hide spends from the wallet. The proof of a transaction key works here, too: one x gives the output's key from
   * G and the image from Hp(key).
   */
  async #keyImage(output: SpentOutput): Promise<Uint8Array> {
    const { secret, keyImage } = await openOutput(this.#session, output);
    const key = hexToBytes(output.key);
    const statement = { hash: key, R: key, A: hashToEc(key), B: undefined, D: keyImage };
    const proof = await getTxProof(this.#session, statement, secret);
    expectOfDevice(isInMainSubgroup(keyImage) && checkTxProof(statement, proof, 2), 'the key image of the output');
    return keyImage;
  }

  prove({ hash, A, B, txKey }: DeviceProofAsked): Promise<{ readonly shared: Uint8Array; readonly signature: Uint8Array }> {
    return this.#run(undefined, async () => {
      const session = this.#session;
      const shared = await secretScalMulKey(session, A, txKey);
      const R = B === undefined ? await secretKeyToPublicKey(session, txKey) : await secretScalMulKey(session, B, txKey);
      const statement = { hash, R, A, B, D: shared };
      const signature = await getTxProof(session, statement, txKey);
      expectOfDevice(checkTxProof(statement, signature, 2), 'a proof that holds');
      return { shared, signature };
    });
  }

  /** Signs one transaction after the other; the owner confirms each. @throws DeviceError; the signal's reason */
  sign(payment: UnsignedPayment, { turn, signal }: SigningOptions): Promise<Signing> {
    return this.#run(signal, async () => {
      const transactions: SignedTransaction[] = [];
      for (const [i, { unsigned }] of payment.transactions.entries()) {
        await turn(i + 1);
        transactions.push(await this.#signOne(unsigned));
      }
      return { kind: 'signed', transactions };
    });
  }

  async #signOne(unsigned: UnsignedPayment['transactions'][number]['unsigned']): Promise<SignedTransaction> {
    const { rounds = 'closing', onStep, onClosingRefused } = this.#options;
    let at = 'preparing' as SigningStep;
    const step = (next: SigningStep) => {
      at = next;
      onStep?.(next);
    };
    const signing = { session: this.#session, viewKey: this.#viewKeyOf(), randomness: this.#choices, rounds, step };
    try {
      return await signOnDevice(signing, unsigned);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      if (error.code === 'app-stopped' && at === 'signing' && rounds === 'closing') {
        onClosingRefused?.();
        const message = `${error.message}: open the app again and repeat, and it hashes every round itself`;
        throw new DeviceError('app-stopped', message, { ...error.data, slower: true }, error);
      }
      if (error.code === 'refused') throw new SpendError('signer-refused', error.message, error.data, error);
      throw error;
    }
  }

  #known: Uint8Array | undefined;

  /** Lends the wallet's view key, with which change is checked. @param viewKey 32 bytes; not copied, not wiped */
  lend(viewKey: Uint8Array): void {
    this.#known = viewKey;
  }

  #viewKeyOf(): Uint8Array {
    if (this.#known === undefined) throw new DeviceError('not-possible', 'expected the view key of the wallet');
    return this.#known;
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /**
   * Runs one task at a time. Stopping it does not wait for the device's owner to answer what is on the screen: the task ends in the
   * background, and the next begins after it.
   */
  async #run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const done = this.#queue.run(async () => {
      this.#session.stop = signal;
      try {
        return await work();
      } finally {
        this.#session.stop = undefined;
      }
    });
    if (signal === undefined) return done;
    done.catch(() => {});
    let stopped = () => {};
    const stop = new Promise<never>((_, reject) => {
      stopped = () => reject(signal.reason);
      signal.addEventListener('abort', stopped);
    });
    try {
      return await Promise.race([done, stop]);
    } finally {
      signal.removeEventListener('abort', stopped);
    }
  }
}

async function requireMoneroApp(session: DeviceSession): Promise<void> {
  const reply = await session.askSystem(GET_APP, isAppName);
  expectOfDevice(isAppName(reply), 'the name of the app');
  const app = bytesToLatin1(reply.subarray(2, 2 + reply[1]!));
  if (app === APP_NAME) return;
  throw new DeviceError('other-app', 'expected the Monero app to be open on the device', app === DASHBOARD ? {} : { app });
}

/** A format byte, and a name after its length; a version and flags may follow. */
const isAppName = ([form, length, ...rest]: Uint8Array): boolean => form === 1 && length !== undefined && rest.length >= length;

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const at = than.findIndex((part, i) => version[i] !== part);
  return at >= 0 && version[at]! < than[at]!;
}

function networkOf(text: string, keys: AddressKeys): Network {
  let address: ReturnType<typeof decodeAddress>;
  try {
    address = decodeAddress(text);
  } catch (cause) {
    throw new DeviceError('bad-answer', 'expected the device to tell an address', { expected: 'an address' }, cause);
  }
  const same = equalBytes(address.viewKey, keys.viewKey) && equalBytes(address.spendKey, keys.spendKey);
  expectOfDevice(same && address.kind === 'standard', 'the address of its keys');
  return address.network;
}

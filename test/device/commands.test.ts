import { beforeAll, describe, expect, test } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { getTxProof } from '../../src/device/commands/get-tx-proof.ts';
import { reset } from '../../src/device/commands/reset.ts';
import {
  deriveSecretKey,
  deriveSubaddressPublicKey,
  generateKeypair,
  genKeyDerivation,
  genKeyImage,
  getSubaddressSecretKey,
  secretKeyAdd,
  secretKeyToPublicKey,
  secretScalMulBase,
  secretScalMulKey,
} from '../../src/device/commands/secrets.ts';
import { closeTx, openTx, stealth } from '../../src/device/commands/transaction.ts';
import { displayAddress, getPublicKeys, getViewKey } from '../../src/device/commands/wallet.ts';
import { DeviceSession } from '../../src/device/session.ts';
import { RecordedTransport } from '../support/ledger/recorded-spend.ts';
import { traces } from '../support/ledger/traces.ts';

beforeAll(loadCrypto);

/** A recorded request, read as our command takes it. Inside a transaction the HMAC of a secret is for the session to know. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #macs: boolean;
  #at = 6;

  constructor(request: string, macs: boolean) {
    this.#bytes = hexToBytes(request);
    this.#macs = macs;
  }

  bytes(length = 32): Uint8Array {
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  secret(): Uint8Array {
    const secret = this.bytes();
    if (this.#macs) this.bytes();
    return secret;
  }

  be(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0);
  }

  le(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0, true);
  }

  index() {
    return { major: this.le(), minor: this.le() };
  }
}

type Ask = (session: DeviceSession, q: Fields, head: { readonly p1: number; readonly option: number }) => Promise<unknown>;

const ASK: Readonly<Record<string, Ask>> = {
  '02': (s) => reset(s),
  '20': (s, _, { p1 }) => (p1 === 1 ? getPublicKeys(s) : getViewKey(s)),
  '21': (s, q, { p1 }) => displayAddress(s, q.index(), p1 === 1 ? q.bytes(8) : undefined),
  '30': (s, q) => secretKeyToPublicKey(s, q.secret()),
  '32': (s, q) => genKeyDerivation(s, q.bytes(), q.secret()),
  '38': (s, q) => deriveSecretKey(s, q.secret(), q.be(), q.secret()),
  '3a': (s, q) => genKeyImage(s, q.bytes(), q.secret()),
  '3c': (s, q) => secretKeyAdd(s, q.secret(), q.secret()),
  '40': (s) => generateKeypair(s),
  '42': (s, q) => secretScalMulKey(s, q.bytes(), q.secret()),
  '44': (s, q) => secretScalMulBase(s, q.secret()),
  '46': (s, q) => deriveSubaddressPublicKey(s, q.bytes(), q.secret(), q.be()),
  '4c': (s, q) => {
    q.secret();
    return getSubaddressSecretKey(s, q.index());
  },
  '70': (s) => openTx(s),
  '76': (s, q) => stealth(s, q.bytes(), q.secret(), q.bytes(8)),
  '80': (s) => closeTx(s),
  a0: (s, q, { option }) => {
    const [hash, R, A, B, D] = [q.bytes(), q.bytes(), q.bytes(), q.bytes(), q.bytes()];
    return getTxProof(s, { hash, R, A, B: option === 1 ? B : undefined, D }, q.secret());
  },
};

/** Of ours there is no such command, or the client's version is another on purpose. */
const NOT_OURS = ['22', '24', '26', '34', '36', '3b', '48', '4a', '72', '7a'];
const QUIET = /^(01|02|03b|05|09|10|11a|11b|13b)/;

describe('what the native wallet asks outside a spend, asked by our commands, byte for byte', () => {
  const recorded = traces().filter(({ name, exchanges }) => QUIET.test(name) && exchanges.length > 0);

  test.each(recorded.map((trace) => [trace.name, trace] as const))('%s', async (_, { exchanges }) => {
    const ours = exchanges.filter(([request, , status]) => status === '9000' && !NOT_OURS.includes(request.slice(2, 4)));
    const isVersion = (request: string) => request.startsWith('0402') && request !== '040200000900302e31382e352e33';
    const isOurs = (request: string) => !isVersion(request) && !request.startsWith('b0');
    const sent = ours.filter(([request]) => isOurs(request));
    const transport = new RecordedTransport(sent);
    const session = new DeviceSession(transport);
    for (const [request] of sent) {
      const ask = ASK[request.slice(2, 4)];
      if (ask === undefined) throw new Error(`no command for ${request.slice(0, 12)}`);
      const head = { p1: Number.parseInt(request.slice(4, 6), 16), option: Number.parseInt(request.slice(10, 12), 16) };
      await ask(session, new Fields(request, session.inTransaction), head);
    }
    expect(transport.asked).toBe(sent.length);
  });

  test('there are enough of them', () => {
    expect(recorded.length).toBeGreaterThan(20);
  });
});

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { asciiToBytes, bytesToHex, CodedError, concatBytes, hexToBytes } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { isProtocolError, type OutputKey } from '../../src/protocol/index.ts';
import { RpcError } from '../../src/rpc/errors.ts';
import type { RpcContext } from '../../src/rpc/method.ts';
import { methodsByName } from '../../src/rpc/method-table.ts';
import { Cosigning } from '../../src/wallet/multisig/cosigning.ts';
import { proposeTransaction } from '../../src/wallet/multisig/propose.ts';
import { GroupSealing } from '../../src/wallet/multisig/sealing.ts';
import { OfflineSigning } from '../../src/wallet/offline-signing/offline-signing.ts';
import { outputsToExport } from '../../src/wallet/offline-signing/outputs.ts';
import { SpendError } from '../../src/wallet/spend/index.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import { encryptWithKey } from '../../src/wallet2/cipher.ts';
import {
  encodeMultisigExport,
  encodeMultisigTxSet,
  encodeUnsignedTxSet,
  type MultisigTxSet,
  openMultisigExport,
  openMultisigTxSet,
  type SealingKey,
  sealMultisigTxSet,
} from '../../src/wallet2/index.ts';
import { fuzzRuns, mutate } from '../protocol/support/fuzz.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { FIXTURE, factsOf, groupSealing, Member, stateWith, thePayment } from '../wallet/multisig/spending-support.ts';

// The cipher's key costs a tenth of a second, and is the same for all messages: it is worked out once.
vi.mock('../../src/crypto/index.ts', async (whole) => {
  const crypto = await whole<typeof import('../../src/crypto/index.ts')>();
  const known = new Map<string, Promise<Uint8Array>>();
  const cnSlowHash = async (data: Uint8Array): Promise<Uint8Array> => {
    const name = Buffer.from(data).toString('hex');
    const hash = known.get(name) ?? crypto.cnSlowHash(data);
    known.set(name, hash);
    return (await hash).slice();
  };
  return { ...crypto, cnSlowHash };
});

// What a signer who means ill could hand to another: messages of the group, changed inside and sealed again as only signers can, and changed
// outside. Each is refused by a named error that changes nothing, or is as good as it was.

const RUNS = fuzzRuns(60);
/** Another one is another part of a long run. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123);
/** One in so many is changed where it is sealed already. */
const OUTSIDE_ONE_IN = 10;
const MARK = '00'.repeat(16);
/** What a slip in the code would say. */
const SLIP = /Invalid (type|key|value)|Cannot read|is not a function|is not iterable|undefined|NaN|RangeError|TypeError/;

const MAGIC = {
  export: 'Monero multisig export\x01',
  set: 'Monero multisig unsigned tx set\x01',
  unsigned: 'Monero unsigned tx set\x05',
} as const;
const METHODS = methodsByName();

interface Sample {
  readonly kind: keyof typeof MAGIC;
  readonly plain: Uint8Array;
}

const sealedAs = ({ kind, plain }: Sample): Uint8Array =>
  concatBytes(asciiToBytes(MAGIC[kind]), encryptWithKey(plain, sealing, systemRandom));

let sealing: SealingKey;
let bob: Member;
let state: WalletState;
let exports: readonly Sample[];
let proposals: readonly Sample[];
let signed: readonly Sample[];
/** What another program that sees the group's coins could ask of the whole key: it is read, as by the reference. */
let unsigned: readonly Sample[];

const setSample = (set: MultisigTxSet): Sample => ({ kind: 'set', plain: encodeMultisigTxSet(set) });

beforeAll(async () => {
  await loadCrypto();
  sealing = await groupSealing();
  const [ada, second, cy] = FIXTURE.seeds.map((seed) => new Member(seed)) as [Member, Member, Member];
  bob = second;
  const pending = proposeTransaction(factsOf(ada, [bob, cy]), await thePayment(), systemRandom);
  const unused = new Set(FIXTURE.keyImages.map(({ key }) => key as OutputKey));
  const own = { seed: bytesToHex(bob.seed), mark: MARK, unused };
  state = { ...stateWith(bob.account, [pending.construction]), multisig: bob.account, cosigning: { own, exports: new Map() } };
  const positions = [...state.outputs.keys()].map((key) => FIXTURE.keyImages.findIndex((one) => one.key === key));
  exports = [0, 2].map((i) => {
    const told = openMultisigExport(hexToBytes(FIXTURE.exports[i]!), sealing);
    return { kind: 'export', plain: encodeMultisigExport({ ...told, outputs: positions.map((at) => told.outputs[at]!) }) };
  });
  const placed = ({ transactions, signers }: MultisigTxSet): MultisigTxSet => {
    const at = (all: readonly number[]) => all.map((position) => positions.indexOf(position));
    const moved = transactions.map(({ selectedTransfers, construction, ...rest }) => ({
      ...{ ...rest, selectedTransfers: at(selectedTransfers) },
      construction: { ...construction, selectedTransfers: at(construction.selectedTransfers) },
    }));
    return { transactions: moved, signers };
  };
  const theirs = (message: string) => setSample(placed(openMultisigTxSet(hexToBytes(message), sealing)));
  const set = placed({ transactions: [pending], signers: [hexToBytes(ada.name)] });
  proposals = [setSample(set), theirs(FIXTURE.proposal)];
  const { bytes } = await new Desk().cosigning.sign(sealMultisigTxSet(set, sealing, systemRandom));
  signed = [setSample(openMultisigTxSet(bytes, sealing)), theirs(FIXTURE.signed)];
  const theirSet = openMultisigTxSet(hexToBytes(FIXTURE.proposal), sealing);
  unsigned = [set, theirSet].map(({ transactions }) => {
    const constructions = transactions.map(({ construction }) => construction);
    return { kind: 'unsigned', plain: encodeUnsignedTxSet({ transactions: constructions, ...outputsToExport(state) }) };
  });
});

/** A signer's wallet that notes what is written, and why it refused. */
class Desk {
  written: string[] = [];
  refusal: unknown;
  readonly cosigning: Cosigning;
  readonly offline: OfflineSigning;

  constructor() {
    const note = (what: string) => void this.written.push(what);
    const ctx = {
      ...bob.context(state),
      boundsFees: true,
      clock: { now: () => 1_700_000_000_000 },
      ready: async () => undefined,
      append: async (events: readonly { readonly type: string }[]) => note(events.map(({ type }) => type).join(' ')),
      journal: { mark: async () => MARK, setMark: async () => note('mark') },
      still: (work: () => unknown) => work(),
    };
    this.cosigning = new Cosigning({
      ctx: ctx as never,
      sealing: new GroupSealing(),
      spend: () => {
        note('sent');
        throw new SpendError('rejected', 'expected a daemon');
      },
    });
    this.offline = new OfflineSigning(ctx as never, {} as never);
  }

  /** As the service's methods see it. */
  get context(): RpcContext {
    const [cosigning, offline] = [this.#watched(this.cosigning), this.#watched(this.offline)];
    const group = { threshold: 2, total: 3, round: 3, rounds: 3, ready: true };
    const wallet = {
      ...{ multisig: { group, isEnabled: true }, cosigning, offline, description: { kind: 'multisig', network: 'regtest' } },
      device: { isNeeded: false },
    };
    return { wallet, host: {} } as never;
  }

  /** Notes why it refuses. */
  #watched<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          try {
            return await member.apply(target, given);
          } catch (error) {
            this.refusal = error;
            throw error;
          }
        };
      },
    });
  }
}

/** A message as it arrives, hex. */
function changed(samples: readonly Sample[], sampler: TestSampler): string {
  const { kind, plain } = sampler.pick(samples);
  const corpus = samples.map((sample) => sample.plain);
  const outside = sampler.below(OUTSIDE_ONE_IN) === 0;
  let inner = plain;
  for (let changes = outside ? 0 : sampler.between(1, 2); changes > 0; changes--) inner = mutate(inner, corpus, sampler);
  const message = sealedAs({ kind, plain: inner });
  return bytesToHex(outside ? mutate(message, [message], sampler) : message);
}

interface Target {
  readonly method: string;
  /** What it is given. */
  readonly of: string;
  readonly samples: () => readonly Sample[];
  readonly params: (message: string) => object;
}

const TARGETS: readonly Target[] = [
  {
    method: 'import_multisig_info',
    of: 'exports',
    samples: () => exports,
    params: (message) => ({ info: [message], refresh_after_import: false }),
  },
  { method: 'sign_multisig', of: 'proposals', samples: () => proposals, params: (message) => ({ tx_data_hex: message }) },
  { method: 'submit_multisig', of: 'signed sets', samples: () => signed, params: (message) => ({ tx_data_hex: message }) },
  {
    method: 'describe_transfer',
    of: 'unsigned sets',
    samples: () => unsigned,
    params: (message) => ({ unsigned_txset: message, multisig_txset: '' }),
  },
  {
    method: 'describe_transfer',
    of: 'proposals and signed sets',
    samples: () => [...proposals, ...signed],
    params: (message) => ({ unsigned_txset: '', multisig_txset: message }),
  },
];

describe('T25 signers: messages of the group that a signer changed', () => {
  it.each(TARGETS)(`$method: $of, ${RUNS} of them`, { timeout: 60_000 + 60 * RUNS }, async ({ method, of, samples, params }) => {
    const { handler, access } = METHODS.get(method)!;
    const sampler = new TestSampler(SEED);
    const desk = new Desk();
    const { context } = desk;
    for (const sample of samples()) {
      // What is sound is read, and comes as far as its signatures and the daemon.
      const sound = bytesToHex(sealedAs(sample));
      await Promise.resolve(handler(context, params(sound))).catch((error) => expect(error).toBeInstanceOf(RpcError));
    }
    const refused = new Map<string, number>();
    for (let run = 0; run < RUNS; run++) {
      const message = changed(samples(), sampler);
      Object.assign(desk, { written: [], refusal: undefined });
      try {
        await handler(context, params(message));
        if (access === 'read') expect(desk.written, message).toEqual([]);
      } catch (error) {
        const code = refusalOf(desk, error, message);
        refused.set(code, (refused.get(code) ?? 0) + 1);
      }
    }
    const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(RUNS / 2);
    if (process.env.FUZZ_RUNS !== undefined) console.log(method, of, RUNS, total, JSON.stringify(Object.fromEntries(refused)));
  });
});

/** The name of what was wrong. Nothing is written then, but nonces that are used up before the shares turn out not to fit. */
function refusalOf({ refusal, written }: Desk, error: unknown, message: string): string {
  const broke = (what: string) => new Error(`${what} on ${message}`, { cause: refusal ?? error });
  if (!(error instanceof RpcError) || SLIP.test(error.message)) throw broke('no answer in words');
  const coded = refusal instanceof CodedError || isProtocolError(refusal);
  if (refusal !== undefined && !coded) throw broke('no named error');
  const code = refusal === undefined ? `rpc ${error.code}` : String((refusal as CodedError<string>).code);
  const late = code === 'bad-shares' || code === 'rejected';
  if (!late && written.length > 0) throw broke(`${written} written`);
  return code;
}

import { concatBytes } from '../../src/base/index.ts';
import {
  derivePublicKey,
  deriveSubaddressPublicKey,
  deriveViewTag,
  generateKeyDerivation,
  IDENTITY,
  keysFromSeed,
  reduce32,
  scalarAdd,
  scalarMulBase,
  scalarMulPoint,
  subaddressSecretKey,
} from '../../src/crypto/index.ts';
import {
  type Block,
  encodePortableStorage,
  type RctBase,
  RctType,
  serializeBlock,
  serializeTransaction,
  storage,
  type Transaction,
  type TxInput,
  type TxOutput,
  transactionHash,
} from '../../src/protocol/index.ts';
import type { ScanAccount } from '../../src/scan/types.ts';
import { TestSampler } from '../support/random-sampler.ts';

/**
 * Replies of get_blocks.bin made up for tests: every transaction version and RingCT type, tagged and untagged outputs, several transaction
 * keys, additional keys (as many as outputs, too few, too many), keys that are no points, broken and padded tx_extra.
 */

/** A scalar, reduced from 32 bytes. */
const scalarOf = (sampler: TestSampler): Uint8Array => reduce32(sampler.bytes(32));

interface Place {
  readonly spend: Uint8Array;
  readonly view: Uint8Array;
  readonly isSubaddress: boolean;
}

/** A wallet with a few subaddresses. */
export class Payee {
  readonly viewKey: Uint8Array;
  readonly places: readonly Place[];

  constructor(seed: number, subaddresses: number) {
    const { spendKey, viewKey } = keysFromSeed(new TestSampler(seed).bytes(32));
    this.viewKey = viewKey;
    const main: Place = { spend: scalarMulBase(spendKey), view: scalarMulBase(viewKey), isSubaddress: false };
    this.places = [
      main,
      ...Array.from({ length: subaddresses }, (_, minor): Place => {
        const spend = scalarMulBase(scalarAdd(spendKey, subaddressSecretKey(viewKey, { major: 0, minor: minor + 1 })));
        return { spend, view: scalarMulPoint(viewKey, spend), isSubaddress: true };
      }),
    ];
  }

  account(): ScanAccount {
    return {
      viewKey: this.viewKey.slice(),
      spendKeys: concatBytes(...this.places.map(({ spend }) => spend)),
      network: 'mainnet',
    };
  }
}

/** A key that is a point, one that is outside the prime-order subgroup, or one that is no point at all. */
const NOT_A_POINT = Uint8Array.of(2, ...new Uint8Array(31));
const ORDER_EIGHT = Uint8Array.from(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'));

/** One made-up reply and how it was made. */
export function makeReply(
  sampler: TestSampler,
  payee: Payee,
  { blocks = 3, txs = 4, startHeight = 100, whole = false } = {},
): Uint8Array {
  const some = () => Array.from({ length: sampler.below(txs + 1) }, () => makeTransaction(sampler, payee, undefined));
  return replyOf(sampler, payee, Array.from({ length: blocks }, some), { startHeight, whole });
}

/** A reply of blocks that hold these transactions. */
export function replyOf(
  sampler: TestSampler,
  payee: Payee,
  blocks: readonly Transaction[][],
  { startHeight = 100, whole = false } = {},
) {
  const made = blocks.map((txs, i) => makeBlock(sampler, payee, startHeight + i, txs, whole));
  const root = storage.object({
    blocks: storage.objects(made.map(({ entry }) => entry)),
    output_indices: storage.objects(made.map(({ indices }) => indices)),
    start_height: storage.u64(startHeight),
    current_height: storage.u64(startHeight + blocks.length + 5),
    status: storage.text('OK'),
    untrusted: storage.bool(false),
    daemon_time: storage.u64(1),
  });
  return encodePortableStorage(root);
}

function makeBlock(sampler: TestSampler, payee: Payee, height: number, txs: readonly Transaction[], whole: boolean) {
  const minerTx = makeTransaction(sampler, payee, height);
  const ids = txs.map((tx) => (whole ? transactionHash(tx) : sampler.bytes(32)));
  const block: Block = {
    majorVersion: 1 + sampler.below(16),
    minorVersion: sampler.below(17),
    timestamp: BigInt(1_600_000_000 + sampler.below(1e8)),
    prevId: sampler.bytes(32),
    nonce: sampler.below(2 ** 31),
    minerTx,
    txHashes: ids,
  };
  const blobs = txs.map((tx) => serializeTransaction(tx));
  const indices = (tx: Transaction) =>
    storage.object({ indices: storage.u64s(tx.outputs.map(() => BigInt(sampler.below(1e9)))) });
  return {
    entry: storage.object({
      block: storage.bytes(serializeBlock(block)),
      block_weight: storage.u64(1),
      pruned: storage.bool(!whole),
      txs: whole
        ? storage.byteStrings(blobs)
        : storage.objects(
            blobs.map((blob) => storage.object({ blob: storage.bytes(blob), prunable_hash: storage.bytes(new Uint8Array(32)) })),
          ),
    }),
    indices: storage.object({ indices: storage.objects([minerTx, ...txs].map(indices)) }),
  };
}

function makeTransaction(sampler: TestSampler, payee: Payee, height: number | undefined): Transaction {
  const version = sampler.chance(25) ? 1 : 2;
  const secret = scalarOf(sampler);
  const count = sampler.chance(10) ? 0 : 1 + sampler.below(6);
  const { outputs, extra } = makeOutputs(sampler, payee, secret, count, version === 1 || height !== undefined);
  const inputs: TxInput[] =
    height === undefined ? Array.from({ length: 1 + sampler.below(3) }, () => makeInput(sampler)) : [{ type: 'gen', height }];
  const prefix = { unlockTime: BigInt(sampler.below(100)), inputs, outputs, extra };
  if (version === 1) return { ...prefix, version, signatures: undefined };
  return { ...prefix, version, rct: makeRct(sampler, height !== undefined, inputs.length, count), prunable: undefined };
}

/** A transaction that pays the payee's main address with each of its outputs, its key behind `others` foreign ones in tx_extra. */
export function buried(sampler: TestSampler, payee: Payee, count: number, others: number): Transaction {
  const secret = scalarOf(sampler);
  const to = payee.places[0]!;
  const derivation = generateKeyDerivation(to.view, secret)!;
  const outputs = Array.from(
    { length: count },
    (_, i): TxOutput => ({ amount: 0n, key: derivePublicKey(derivation, i, to.spend)!, viewTag: deriveViewTag(derivation, i) }),
  );
  const foreign = Uint8Array.of(1, ...scalarMulBase(scalarOf(sampler)));
  const extra = concatBytes(...new Array<Uint8Array>(others).fill(foreign), Uint8Array.of(1, ...scalarMulBase(secret)));
  return {
    version: 2,
    unlockTime: 0n,
    inputs: [makeInput(sampler)],
    outputs,
    extra,
    rct: makeRct(sampler, false, 1, count),
    prunable: undefined,
  };
}

function makeInput(sampler: TestSampler): TxInput {
  const keyOffsets = Array.from({ length: 1 + sampler.below(16) }, () => BigInt(sampler.below(2 ** 30)));
  return { type: 'key', amount: sampler.chance(50) ? 0n : BigInt(sampler.below(1e9)), keyOffsets, keyImage: sampler.bytes(32) };
}

function makeRct(sampler: TestSampler, coinbase: boolean, inputs: number, outputs: number): RctBase {
  const type = coinbase ? RctType.Null : ((1 + sampler.below(6)) as RctType);
  const many = (n: number) => Array.from({ length: n }, () => sampler.bytes(32));
  if (type === RctType.Null) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  const compact = type >= RctType.Bulletproof2;
  return {
    type,
    fee: BigInt(sampler.below(1e9)),
    pseudoOuts: type === RctType.Simple ? many(inputs) : [],
    ecdhInfo: many(outputs).map((mask) =>
      compact ? { mask: undefined, amount: mask.slice(0, 8) } : { mask, amount: sampler.bytes(32) },
    ),
    outPk: many(outputs),
  };
}

function makeOutputs(sampler: TestSampler, payee: Payee, secret: Uint8Array, count: number, clear: boolean) {
  const main = scalarMulBase(secret);
  const withAdditional = sampler.chance(40);
  const additionalSecrets = Array.from({ length: count }, () => scalarOf(sampler));
  const additional = additionalSecrets.map((scalar) => scalarMulBase(scalar));
  const second = scalarOf(sampler);
  const outputs = Array.from({ length: count }, (_, i): TxOutput => {
    const amount = clear ? BigInt(sampler.below(1e12)) : 0n;
    const tagged = sampler.chance(60);
    const random = {
      amount,
      key: sampler.chance(10) ? sampler.bytes(32) : scalarMulBase(scalarOf(sampler)),
      viewTag: tagged ? sampler.below(256) : undefined,
    };
    if (sampler.chance(50)) return random;
    const to = sampler.pick(payee.places);
    const how = sampler.below(4);
    const scalar = how === 0 ? second : how === 1 && withAdditional ? additionalSecrets[i]! : secret;
    if (to.isSubaddress && scalar === additionalSecrets[i]) additional[i] = scalarMulPoint(scalar, to.spend);
    const derivation = how === 3 ? IDENTITY : generateKeyDerivation(to.view, scalar)!;
    const key = derivePublicKey(derivation, i, to.spend)!;
    // The wallet must be able to recover the spend key from what was made here.
    if (deriveSubaddressPublicKey(key, derivation, i) === undefined) throw new Error('expected an output key that is a point');
    return {
      amount,
      key,
      viewTag: tagged ? (sampler.chance(95) ? deriveViewTag(derivation, i) : sampler.below(256)) : undefined,
    };
  });
  return { outputs, extra: makeExtra(sampler, main, scalarMulBase(second), withAdditional ? additional : []) };
}

/** tx_extra with what may stand there, in some order, at times broken. */
function makeExtra(sampler: TestSampler, main: Uint8Array, second: Uint8Array, additional: readonly Uint8Array[]): Uint8Array {
  const key = (bytes: Uint8Array) => Uint8Array.of(1, ...bytes);
  const keys = sampler.chance(10) ? additional.slice(1) : sampler.chance(10) ? [...additional, second] : additional;
  const pieces: Uint8Array[] = [key(main)];
  if (sampler.chance(30)) pieces.push(key(second));
  if (sampler.chance(10)) pieces.push(key(sampler.pick([NOT_A_POINT, ORDER_EIGHT, main])));
  if (keys.length > 0) pieces.push(Uint8Array.of(4, keys.length, ...concatBytes(...keys)));
  if (sampler.chance(30)) pieces.push(Uint8Array.of(2, 9, 1, ...sampler.bytes(8)));
  if (sampler.chance(20)) pieces.push(Uint8Array.of(3, 33, 0, ...sampler.bytes(32)));
  if (sampler.chance(10)) pieces.push(Uint8Array.of(0xde, 4, ...sampler.bytes(4)));
  if (sampler.chance(50)) pieces.sort(() => sampler.below(3) - 1);
  if (sampler.chance(5)) pieces.splice(sampler.below(pieces.length + 1), 0, sampler.bytes(sampler.below(5)));
  const extra = concatBytes(...pieces);
  const tail = sampler.below(20);
  if (tail === 0) return concatBytes(extra, new Uint8Array(sampler.below(300)));
  if (tail === 1) return extra.slice(0, sampler.below(extra.length + 1));
  if (tail === 2) return concatBytes(extra, Uint8Array.of(1, ...sampler.bytes(20)));
  return extra;
}

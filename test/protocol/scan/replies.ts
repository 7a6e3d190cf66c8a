import {
  concatBytes,
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
} from '../../../src/crypto/index.ts';
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
} from '../../../src/protocol/index.ts';
import type { ScanAccount } from '../../../src/protocol/scan/contract.ts';
import { TestDice } from '../../support/dice.ts';

/**
 * Replies of get_blocks.bin made up for tests: every transaction version and RingCT type, tagged and untagged outputs, several transaction
 * keys, additional keys (as many as outputs, too few, too many), keys that are no points, broken and padded tx_extra.
 */

/** A scalar, reduced from 32 bytes. */
const scalarOf = (dice: TestDice): Uint8Array => reduce32(dice.bytes(32));

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
    const { spendKey, viewKey } = keysFromSeed(new TestDice(seed).bytes(32));
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
  dice: TestDice,
  payee: Payee,
  { blocks = 3, txs = 4, startHeight = 100, whole = false } = {},
): Uint8Array {
  const some = () => Array.from({ length: dice.below(txs + 1) }, () => makeTransaction(dice, payee, undefined));
  return replyOf(dice, payee, Array.from({ length: blocks }, some), { startHeight, whole });
}

/** A reply of blocks that hold these transactions. */
export function replyOf(
  dice: TestDice,
  payee: Payee,
  blocks: readonly Transaction[][],
  { startHeight = 100, whole = false } = {},
) {
  const made = blocks.map((txs, i) => makeBlock(dice, payee, startHeight + i, txs, whole));
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

function makeBlock(dice: TestDice, payee: Payee, height: number, txs: readonly Transaction[], whole: boolean) {
  const minerTx = makeTransaction(dice, payee, height);
  const ids = txs.map((tx) => (whole ? transactionHash(tx) : dice.bytes(32)));
  const block: Block = {
    majorVersion: 1 + dice.below(16),
    minorVersion: dice.below(17),
    timestamp: BigInt(1_600_000_000 + dice.below(1e8)),
    prevId: dice.bytes(32),
    nonce: dice.below(2 ** 31),
    minerTx,
    txHashes: ids,
  };
  const blobs = txs.map((tx) => serializeTransaction(tx));
  const indices = (tx: Transaction) => storage.object({ indices: storage.u64s(tx.outputs.map(() => BigInt(dice.below(1e9)))) });
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

function makeTransaction(dice: TestDice, payee: Payee, height: number | undefined): Transaction {
  const version = dice.chance(25) ? 1 : 2;
  const secret = scalarOf(dice);
  const count = dice.chance(10) ? 0 : 1 + dice.below(6);
  const { outputs, extra } = makeOutputs(dice, payee, secret, count, version === 1 || height !== undefined);
  const inputs: TxInput[] =
    height === undefined ? Array.from({ length: 1 + dice.below(3) }, () => makeInput(dice)) : [{ type: 'gen', height }];
  const prefix = { unlockTime: BigInt(dice.below(100)), inputs, outputs, extra };
  if (version === 1) return { ...prefix, version, signatures: undefined };
  return { ...prefix, version, rct: makeRct(dice, height !== undefined, inputs.length, count), prunable: undefined };
}

/** A transaction that pays the payee's main address with each of its outputs, its key behind `others` foreign ones in tx_extra. */
export function buried(dice: TestDice, payee: Payee, count: number, others: number): Transaction {
  const secret = scalarOf(dice);
  const to = payee.places[0]!;
  const derivation = generateKeyDerivation(to.view, secret)!;
  const outputs = Array.from(
    { length: count },
    (_, i): TxOutput => ({ amount: 0n, key: derivePublicKey(derivation, i, to.spend)!, viewTag: deriveViewTag(derivation, i) }),
  );
  const foreign = Uint8Array.of(1, ...scalarMulBase(scalarOf(dice)));
  const extra = concatBytes(...new Array<Uint8Array>(others).fill(foreign), Uint8Array.of(1, ...scalarMulBase(secret)));
  return {
    version: 2,
    unlockTime: 0n,
    inputs: [makeInput(dice)],
    outputs,
    extra,
    rct: makeRct(dice, false, 1, count),
    prunable: undefined,
  };
}

function makeInput(dice: TestDice): TxInput {
  const keyOffsets = Array.from({ length: 1 + dice.below(16) }, () => BigInt(dice.below(2 ** 30)));
  return { type: 'key', amount: dice.chance(50) ? 0n : BigInt(dice.below(1e9)), keyOffsets, keyImage: dice.bytes(32) };
}

function makeRct(dice: TestDice, coinbase: boolean, inputs: number, outputs: number): RctBase {
  const type = coinbase ? RctType.Null : ((1 + dice.below(6)) as RctType);
  const many = (n: number) => Array.from({ length: n }, () => dice.bytes(32));
  if (type === RctType.Null) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  const compact = type >= RctType.Bulletproof2;
  return {
    type,
    fee: BigInt(dice.below(1e9)),
    pseudoOuts: type === RctType.Simple ? many(inputs) : [],
    ecdhInfo: many(outputs).map((mask) =>
      compact ? { mask: undefined, amount: mask.slice(0, 8) } : { mask, amount: dice.bytes(32) },
    ),
    outPk: many(outputs),
  };
}

function makeOutputs(dice: TestDice, payee: Payee, secret: Uint8Array, count: number, clear: boolean) {
  const main = scalarMulBase(secret);
  const withAdditional = dice.chance(40);
  const additionalSecrets = Array.from({ length: count }, () => scalarOf(dice));
  const additional = additionalSecrets.map((scalar) => scalarMulBase(scalar));
  const second = scalarOf(dice);
  const outputs = Array.from({ length: count }, (_, i): TxOutput => {
    const amount = clear ? BigInt(dice.below(1e12)) : 0n;
    const tagged = dice.chance(60);
    const random = {
      amount,
      key: dice.chance(10) ? dice.bytes(32) : scalarMulBase(scalarOf(dice)),
      viewTag: tagged ? dice.below(256) : undefined,
    };
    if (dice.chance(50)) return random;
    const to = dice.pick(payee.places);
    const how = dice.below(4);
    const scalar = how === 0 ? second : how === 1 && withAdditional ? additionalSecrets[i]! : secret;
    if (to.isSubaddress && scalar === additionalSecrets[i]) additional[i] = scalarMulPoint(scalar, to.spend);
    const derivation = how === 3 ? IDENTITY : generateKeyDerivation(to.view, scalar)!;
    const key = derivePublicKey(derivation, i, to.spend)!;
    // The wallet must be able to recover the spend key from what was made here.
    if (deriveSubaddressPublicKey(key, derivation, i) === undefined) throw new Error('expected an output key that is a point');
    return { amount, key, viewTag: tagged ? (dice.chance(95) ? deriveViewTag(derivation, i) : dice.below(256)) : undefined };
  });
  return { outputs, extra: makeExtra(dice, main, scalarMulBase(second), withAdditional ? additional : []) };
}

/** tx_extra with what may stand there, in some order, at times broken. */
function makeExtra(dice: TestDice, main: Uint8Array, second: Uint8Array, additional: readonly Uint8Array[]): Uint8Array {
  const key = (bytes: Uint8Array) => Uint8Array.of(1, ...bytes);
  const keys = dice.chance(10) ? additional.slice(1) : dice.chance(10) ? [...additional, second] : additional;
  const pieces: Uint8Array[] = [key(main)];
  if (dice.chance(30)) pieces.push(key(second));
  if (dice.chance(10)) pieces.push(key(dice.pick([NOT_A_POINT, ORDER_EIGHT, main])));
  if (keys.length > 0) pieces.push(Uint8Array.of(4, keys.length, ...concatBytes(...keys)));
  if (dice.chance(30)) pieces.push(Uint8Array.of(2, 9, 1, ...dice.bytes(8)));
  if (dice.chance(20)) pieces.push(Uint8Array.of(3, 33, 0, ...dice.bytes(32)));
  if (dice.chance(10)) pieces.push(Uint8Array.of(0xde, 4, ...dice.bytes(4)));
  if (dice.chance(50)) pieces.sort(() => dice.below(3) - 1);
  if (dice.chance(5)) pieces.splice(dice.below(pieces.length + 1), 0, dice.bytes(dice.below(5)));
  const extra = concatBytes(...pieces);
  const tail = dice.below(20);
  if (tail === 0) return concatBytes(extra, new Uint8Array(dice.below(300)));
  if (tail === 1) return extra.slice(0, dice.below(extra.length + 1));
  if (tail === 2) return concatBytes(extra, Uint8Array.of(1, ...dice.bytes(20)));
  return extra;
}

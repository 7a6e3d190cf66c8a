import { bytesToHex } from '../../../src/base/index.ts';
import {
  derivePublicKey,
  generateKeyDerivation,
  keccak256,
  keysFromSeed,
  reduce32,
  scalarMulBase,
  scalarMulPoint,
} from '../../../src/crypto/index.ts';
import type { TransactionEntry } from '../../../src/daemon/index.ts';
import { Untrusted } from '../../../src/daemon/untrusted.ts';
import {
  type BlockHash,
  buildExtra,
  eraOf,
  type KeyImage,
  NEWEST_VERSION,
  type OutputKey,
  RctType,
  serializeTransaction,
  type TransactionV2,
  type TxHash,
  toAtomicAmount,
  transactionHash,
} from '../../../src/protocol/index.ts';
import { primaryAddressOf, WalletKeys } from '../../../src/wallet/keys.ts';
import type { OwnedOutput, SubaddressIndex } from '../../../src/wallet/model.ts';
import type { ProofContext, ProofDaemon } from '../../../src/wallet/proofs/context.ts';
import { keyImagesOf } from '../../../src/wallet/sync/key-image.ts';
import { seededRandom } from '../../crypto/seeded.ts';
import { foldEvents } from '../../support/fold.ts';
import { synced } from '../support.ts';

/** A wallet with coinbases of its own, and a daemon that knows them. */
export interface World {
  readonly ctx: ProofContext;
  readonly outputs: readonly OwnedOutput[];
  /** Change it to make the daemon say something else. */
  readonly entries: Map<TxHash, TransactionEntry>;
  readonly spent: Set<KeyImage>;
}

export const TIP = 200;

/** Keys that follow from a number. */
export function keysOf(seed: number, viewOnly = false): WalletKeys {
  const secrets = keysFromSeed(reduce32(keccak256(Uint8Array.of(seed))));
  const primaryAddress = primaryAddressOf(secrets.spendKey, secrets.viewKey, 'regtest');
  const spendKey = viewOnly ? undefined : secrets.spendKey;
  return WalletKeys.of({ spendKey, viewKey: secrets.viewKey, seedLanguage: 'English' }, { network: 'regtest', primaryAddress });
}

/** A coinbase to an address of the wallet. */
function coinbase(
  keys: WalletKeys,
  index: SubaddressIndex,
  amount: bigint,
  height: number,
): { tx: TransactionV2; r: Uint8Array } {
  const to = keys.addressKeys(index);
  const r = reduce32(keccak256(Uint8Array.of(height, 7)));
  const main = index.major === 0 && index.minor === 0;
  const derivation = generateKeyDerivation(to.viewKey, r)!;
  const key = derivePublicKey(derivation, 0, to.spendKey)!;
  const pubKey = main ? scalarMulBase(r) : scalarMulPoint(r, to.spendKey);
  const tx: TransactionV2 = {
    version: 2,
    unlockTime: 0n,
    inputs: [{ type: 'gen', height }],
    outputs: [{ amount, key, viewTag: undefined }],
    extra: buildExtra({ pubKey }),
    rct: { type: RctType.Null, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    prunable: undefined,
  };
  return { tx, r };
}

export function world(paid: readonly { readonly index: SubaddressIndex; readonly amount: bigint }[]): World {
  const keys = keysOf(1);
  const entries = new Map<TxHash, TransactionEntry>();
  const spent = new Set<KeyImage>();
  const outputs = paid.map(({ index, amount }, i) => {
    const height = 100 + i;
    const { tx, r } = coinbase(keys, index, amount, height);
    const hash = bytesToHex(transactionHash(tx)) as TxHash;
    entries.set(hash, entryOf(hash, tx, height));
    const derivation = generateKeyDerivation(keys.addressKeys(index).viewKey, r)!;
    const { key } = tx.outputs[0]!;
    return {
      key: bytesToHex(key) as OutputKey,
      txHash: hash,
      outputIndex: 0,
      globalIndex: BigInt(i),
      height,
      blockId: '0'.repeat(64) as BlockHash,
      timestamp: height,
      amount: toAtomicAmount(amount),
      mask: `01${'00'.repeat(31)}`,
      rct: true,
      coinbase: true,
      unlockTime: 0n,
      subaddress: index,
      txPublicKey: bytesToHex(tx.extra.subarray(1, 33)),
      keyImage: keyImagesOf(keys, [
        { scheme: eraOf(NEWEST_VERSION).outputs, outputKey: key, shared: derivation, outputIndex: 0, index },
      ])[0]!,
      paymentId: undefined,
    };
  });
  const created = {
    kind: 'full',
    network: 'regtest',
    primaryAddress: keys.address({ major: 0, minor: 0 }),
    restoreHeight: 100,
    createdAt: 0,
  } as const;
  const accounts = [
    { type: 'AccountAdded', label: '' },
    { type: 'SubaddressAdded', major: 0, label: '' },
  ] as const;
  const state = foldEvents([{ type: 'Created', wallet: created }, ...accounts, synced(100, TIP - 1, outputs, [])]);
  const indices = [0, 1].flatMap((major) => [0, 1].map((minor) => ({ major, minor })));
  const known = new Map(indices.map((index) => [bytesToHex(keys.addressKeys(index).spendKey), index]));
  const daemon = daemonOf(entries, spent);
  return {
    ctx: { state, keys, daemon, random: seededRandom(3), find: (key) => known.get(bytesToHex(key)) },
    outputs,
    entries,
    spent,
  };
}

function entryOf(hash: TxHash, tx: TransactionV2, height: number): TransactionEntry {
  return {
    hash,
    whole: undefined,
    pruned: serializeTransaction(tx),
    prunable: undefined,
    prunableHash: new Uint8Array(32),
    inPool: false,
    doubleSpendSeen: false,
    height,
    timestamp: height,
    outputIndices: [0n],
  };
}

function daemonOf(entries: ReadonlyMap<TxHash, TransactionEntry>, spent: ReadonlySet<KeyImage>): ProofDaemon {
  return {
    getTransactions: async (hashes) => {
      const transactions = hashes.flatMap((hash) => entries.get(hash) ?? []);
      return new Untrusted({ transactions, missed: [] });
    },
    isKeyImageSpent: async (images) => new Untrusted(images.map((image) => (spent.has(image) ? 'spent' : 'unspent'))),
    getHeight: async () => new Untrusted({ height: TIP, hash: '0'.repeat(64) as BlockHash }),
    getOuts: async () => new Untrusted([]),
  };
}

import { bytesToHex, SerialQueue } from '../../src/base/index.ts';
import {
  commitmentMask,
  decodeAmount8,
  derivationToScalar,
  deriveSubaddressPublicKey,
  deriveViewTag,
  generateKeyDerivation,
  generateKeyImage,
  keysFromSeed,
  type Random,
  systemRandom,
} from '../../src/crypto/index.ts';
import { DaemonClient, type TransactionEntry } from '../../src/daemon/index.ts';
import {
  additionalPublicKeys,
  type BlockHash,
  decodeAddress,
  type KeyImage,
  type OutputKey,
  parseExtra,
  parseTransaction,
  type SecretKeys,
  type Transaction,
  type TxHash,
  toAtomicAmount,
  txPublicKeys,
} from '../../src/protocol/index.ts';
import { primaryAddressOf, WalletKeys } from '../../src/wallet/keys.ts';
import type { ChainSpend, OwnedOutput, SubaddressIndex } from '../../src/wallet/model.ts';
import { outputSecretKey } from '../../src/wallet/spend/construct.ts';
import { KeySigner, type SpendContext, type SpendDaemon } from '../../src/wallet/spend/index.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { applyEvent, initialState } from '../../src/wallet/state/fold.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import type { Monerod } from '../support/programs.ts';

const ONE = '01'.padEnd(64, '0');
const ZERO = '0'.repeat(64);
/** One more hash than the daemon serves a call to anybody. */
const HASHES_A_CALL = 100;

/** The part of a real wallet that spending needs, with a plain scan of whole transactions in place of the sync. */
export interface TestWallet {
  readonly ctx: SpendContext;
  readonly state: WalletState;
  readonly keys: SecretKeys;
  readonly events: WalletEvent[];
  address(index?: SubaddressIndex): string;
  /** Scans every block it has not seen. */
  sync(): Promise<void>;
}

const subaddresses: readonly SubaddressIndex[] = [0, 1].flatMap((major) =>
  Array.from({ length: 12 }, (_, minor) => ({ major, minor })),
);

/** A wallet on a regtest daemon. */
export function testWallet(seed: Uint8Array, monerod: Monerod, random: Random = systemRandom, daemon?: SpendDaemon): TestWallet {
  const keys = keysFromSeed(seed);
  const network = 'regtest' as const;
  const primaryAddress = primaryAddressOf(keys.spendKey, keys.viewKey, network);
  const wallet = WalletKeys.of({ ...keys, seedLanguage: 'English' }, { network, primaryAddress });
  const state = initialState({ kind: 'full', network, primaryAddress, restoreHeight: 0, createdAt: 0 });
  const client = DaemonClient.connect({ url: monerod.url });
  const spendKeys = new Map(subaddresses.map((index) => [bytesToHex(wallet.addressKeys(index).spendKey), index]));
  const events: WalletEvent[] = [];
  const ctx: SpendContext = {
    state,
    daemon: daemon ?? client,
    append: async (appended) => {
      for (const event of appended) applyEvent(state, event);
      events.push(...appended);
    },
    signer: new KeySigner(keys, random),
    keys: wallet,
    trusted: false,
    boundsFees: false,
    leaving: new SerialQueue(),
    choosing: new SerialQueue(),
    addressOf: (index) => wallet.address(index),
    lookup: (address) => spendKeys.get(bytesToHex(decodeAddress(address, network).spendKey)),
    random,
    clock: { now: () => Date.now() },
  };
  const sync = async () => {
    const height = await monerod.height();
    const hashes: { hash: TxHash; height: number }[] = [];
    for (let at = state.height; at < height; at++) {
      const block = await monerod.rpc<{ miner_tx_hash: string; tx_hashes?: string[] }>('get_block', { height: at });
      for (const hash of [block.miner_tx_hash, ...(block.tx_hashes ?? [])]) hashes.push({ hash: hash as TxHash, height: at });
    }
    const entries: TransactionEntry[] = [];
    for (let at = 0; at < hashes.length; at += HASHES_A_CALL) {
      const asked = hashes.slice(at, at + HASHES_A_CALL).map(({ hash }) => hash);
      const answer = (await client.getTransactions(asked, { prune: false })).check((value) => value);
      if (answer.missed.length > 0) throw new Error('expected every transaction of the chain');
      entries.push(...answer.transactions);
    }
    const outputs: OwnedOutput[] = [];
    const spends: ChainSpend[] = [];
    for (const entry of entries) scan(entry, keys, spendKeys, outputs, spends);
    if (height === state.height) return;
    const known = new Set([...state.byKeyImage.keys(), ...outputs.map(({ keyImage }) => keyImage)]);
    const ours = spends.filter(({ keyImage }) => known.has(keyImage));
    const { block_header } = await monerod.rpc<{ block_header: { reward: bigint | number } }>('get_block', {
      height: height - 1,
    });
    const reward = toAtomicAmount(BigInt(block_header.reward));
    applyEvent(state, {
      type: 'Synced',
      from: state.height,
      to: height - 1,
      blocks: [],
      outputs,
      spends: ours,
      used: [],
      reward,
    });
  };
  return { ctx, state, keys, events, address: (index = { major: 0, minor: 0 }) => wallet.address(index), sync };
}

function scan(
  entry: TransactionEntry,
  keys: SecretKeys,
  spendKeys: ReadonlyMap<string, SubaddressIndex>,
  outputs: OwnedOutput[],
  spends: ChainSpend[],
): void {
  // A coinbase has nothing to prune: the daemon sends it as pruned.
  const tx = parseTransaction((entry.whole ?? entry.pruned)!);
  const place = {
    txHash: entry.hash,
    blockId: ZERO as BlockHash,
    height: entry.height!,
    timestamp: entry.timestamp,
    unlockTime: tx.unlockTime,
  };
  const fee = toAtomicAmount(tx.version === 2 ? tx.rct.fee : 0n);
  for (const input of tx.inputs) {
    if (input.type === 'key') spends.push({ ...place, keyImage: bytesToHex(input.keyImage) as KeyImage, fee });
  }
  const { fields } = parseExtra(tx.extra);
  const additional = additionalPublicKeys(fields);
  tx.outputs.forEach((output, outputIndex) => {
    for (const publicKey of [...txPublicKeys(fields), ...additional.slice(outputIndex, outputIndex + 1)]) {
      const derivation = generateKeyDerivation(publicKey, keys.viewKey);
      if (derivation === undefined || deriveViewTag(derivation, outputIndex) !== output.viewTag) continue;
      const spendKey = deriveSubaddressPublicKey(output.key, derivation, outputIndex);
      const subaddress = spendKeys.get(bytesToHex(spendKey!));
      if (subaddress === undefined) continue;
      const found: OwnedOutput = {
        ...place,
        ...open(tx, outputIndex, derivation),
        key: bytesToHex(output.key) as OutputKey,
        outputIndex,
        globalIndex: entry.outputIndices[outputIndex]!,
        rct: true,
        subaddress,
        txPublicKey: bytesToHex(publicKey),
        keyImage: undefined,
        paymentId: undefined,
      };
      const keyImage = bytesToHex(generateKeyImage(output.key, outputSecretKey(found, keys))) as KeyImage;
      outputs.push({ ...found, keyImage });
      return;
    }
  });
}

function open(tx: Transaction, i: number, derivation: Uint8Array): Pick<OwnedOutput, 'amount' | 'mask' | 'coinbase'> {
  if (tx.inputs[0]!.type === 'gen') return { amount: toAtomicAmount(tx.outputs[i]!.amount), mask: ONE, coinbase: true };
  if (tx.version !== 2) throw new Error('expected RingCT');
  const amountKey = derivationToScalar(derivation, i);
  const amount = toAtomicAmount(decodeAmount8(amountKey, tx.rct.ecdhInfo[i]!.amount));
  return { amount, mask: bytesToHex(commitmentMask(amountKey)), coinbase: false };
}

import { bytesToHex } from '../../src/base/index.ts';
import { keccak256, systemRandom } from '../../src/crypto/index.ts';
import { type AtomicAmount, type BlockHash, type KeyImage, type OutputKey, toAtomicAmount } from '../../src/protocol/model.ts';
import { type NewWallet, newWallet } from '../../src/wallet/create-wallet.ts';
import { WalletKeys } from '../../src/wallet/keys.ts';
import type { BlockStub, ChainSpend, OwnedOutput, SentTransaction } from '../../src/wallet/model.ts';
import { balanceOf, projectionOf } from '../../src/wallet/projection/index.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';

/** 64 hex digits that follow from a word. */
export const hash = (word: string): never => bytesToHex(keccak256(new TextEncoder().encode(word))) as never;

/** Keys of a wallet that was made and not opened. */
export function keysOf({ first, secrets }: NewWallet): WalletKeys {
  const [created] = first;
  if (created?.type !== 'Created') throw new Error('expected a first event');
  return WalletKeys.of(secrets, created.wallet);
}

/** A new wallet of regtest, to be scanned from the first block on. `loadCrypto` must have resolved. */
export const newRegtestWallet = (): Promise<NewWallet> =>
  newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });

/** No address is ours. */
const nobody = () => undefined;

/** What a wallet has that knows no address as its own; `total` is without what the pool would bring. @param now unix seconds */
export function moneyOf(state: WalletState, now: number, strict = false) {
  const projection = projectionOf(state);
  const all = projection.balances(now, nobody, strict).all();
  return { ...all, balance: balanceOf(all), total: all.mined + all.returning };
}

/** @param now unix seconds */
export const historyOf = (state: WalletState, now: number) => projectionOf(state).history(now);

export const created = (restoreHeight = 100): WalletEvent => ({
  type: 'Created',
  wallet: { kind: 'full', network: 'regtest', primaryAddress: 'test', restoreHeight, createdAt: 0 },
});

export const block = (height: number): BlockStub => ({ height, id: hash(`block ${height}`) as BlockHash, timestamp: height });

export function synced(
  from: number,
  to: number,
  outputs: readonly OwnedOutput[],
  spends: readonly ChainSpend[],
  blocks: readonly BlockStub[] = [block(to)],
): WalletEvent {
  return { type: 'Synced', from, to, blocks, outputs, spends, used: [] };
}

export interface OutputMade {
  readonly seed: number;
  readonly height?: number;
  readonly amount?: bigint;
  readonly major?: number;
  readonly minor?: number;
  readonly tx?: string;
  readonly unlockTime?: bigint;
}

export function output(made: OutputMade): OwnedOutput {
  return {
    key: hash(`key ${made.seed}`) as OutputKey,
    txHash: hash(made.tx ?? `tx ${made.seed}`),
    outputIndex: 0,
    globalIndex: BigInt(made.seed),
    height: made.height ?? 100,
    blockId: hash(`block ${made.height ?? 100}`) as BlockHash,
    timestamp: made.height ?? 100,
    amount: toAtomicAmount(made.amount ?? 1n),
    mask: hash('mask'),
    rct: true,
    coinbase: false,
    unlockTime: made.unlockTime ?? 0n,
    subaddress: { major: made.major ?? 0, minor: made.minor ?? 0 },
    txPublicKey: hash('r'),
    keyImage: hash(`image ${made.seed}`) as KeyImage,
    paymentId: undefined,
  };
}

export const spend = (keyImage: KeyImage, tx: string, height: number, fee = 1n): ChainSpend => ({
  keyImage,
  txHash: hash(tx),
  height,
  timestamp: height,
  fee: fee as AtomicAmount,
  unlockTime: 0n,
});

export const sentTx = (name: string, inputs: readonly KeyImage[]): SentTransaction => ({
  txHash: hash(name),
  blob: '00',
  txKeys: [hash(`${name} key`)],
  destinations: [{ address: 'somebody', amount: toAtomicAmount(60n) }],
  change: toAtomicAmount(0n),
  changeAddress: { major: 0, minor: 0 },
  fee: toAtomicAmount(1n),
  weight: 1500,
  inputs,
  account: 0,
  subaddresses: [0],
  paymentId: undefined,
  unlockTime: 0n,
  builtAt: 1,
});

/** What two states must share to be the same wallet. Order of maps is not part of it. */
export function plain(state: WalletState): unknown {
  const { version: _, pool: __, transactionLog: ___, ...rest } = state;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, value instanceof Map ? new Map([...value].sort()) : sortedSet(value)]),
  );
}

const sortedSet = (value: unknown): unknown => (value instanceof Set ? [...value].sort() : value);

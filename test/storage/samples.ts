import type { AtomicAmount, BlockHash, KeyImage, OutputKey, TxHash } from '../../src/protocol/model.ts';
import type { KdfParameters } from '../../src/storage/index.ts';
import type { OwnedOutput } from '../../src/wallet/model.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import type { WalletSecrets } from '../../src/wallet/wallet-secrets.ts';

/** As cheap as Argon2id gets: what is tested is what happens to the key, not its cost. */
export const CHEAP_KDF: KdfParameters = { memory: 8, passes: 1, lanes: 1 };

export const secrets = (): WalletSecrets => ({
  spendKey: new Uint8Array(32).fill(0x11),
  viewKey: new Uint8Array(32).fill(0x22),
  seedLanguage: 'English',
});

const hex = (n: number) => n.toString(16).padStart(64, '0');

export const created: WalletEvent = {
  type: 'Created',
  wallet: { kind: 'full', network: 'stagenet', primaryAddress: '5abc', restoreHeight: 3_000_000, createdAt: 1_795_000_000 },
};

export function output(n: number): OwnedOutput {
  return {
    key: hex(n * 7 + 1) as OutputKey,
    txHash: hex(n * 7 + 2) as TxHash,
    outputIndex: n % 3,
    globalIndex: 100_000_000n + BigInt(n),
    height: 3_000_000 + n,
    blockId: hex(n * 7 + 3) as BlockHash,
    timestamp: 1_700_000_000 + 120 * n,
    amount: (2n ** 64n - 1n - BigInt(n)) as AtomicAmount,
    mask: hex(n * 7 + 4),
    rct: true,
    coinbase: n % 2 === 0,
    unlockTime: 0n,
    subaddress: { major: 0, minor: n % 200 },
    txPublicKey: hex(n * 7 + 5),
    keyImage: n % 5 === 0 ? undefined : (hex(n * 7 + 6) as KeyImage),
    paymentId: n % 4 === 0 ? '0123456789abcdef' : undefined,
  };
}

export function synced(n: number, outputs = 1): WalletEvent {
  return {
    type: 'Synced',
    from: n * 10,
    to: n * 10 + 9,
    blocks: [{ height: n * 10 + 9, id: hex(n) as BlockHash, timestamp: 1_700_000_000 + n }],
    outputs: Array.from({ length: outputs }, (_, i) => output(n * outputs + i)),
    spends: [],
    used: [{ major: 0, minor: n }],
  };
}

export const noted = (n: number): WalletEvent => ({ type: 'Noted', txHash: hex(n) as TxHash, note: `note ${n} — ünïcode 🦉` });

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

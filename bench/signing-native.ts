import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../test/support/programs.ts';
import { median } from './rows.ts';

/** Enough outputs for the reference to pick decoys without looping. */
const BLOCKS = 330;
/** More than the ten blocks an output waits: a transaction may not be in the first one. */
const DEPTH = 15;
const RUNS = 9;
const PART = 1_000_000_000n;
const DESTINATIONS_A_TRANSACTION = 15;

interface Keys {
  readonly address: string;
  readonly viewKey: string;
  readonly spendKey: string;
}

/** Unsigned sets that spend various numbers of outputs into two, and the files a cold wallet needs to sign them. */
export interface ColdWork {
  readonly keys: Keys;
  readonly outputs: string;
  readonly unsigned: readonly string[];
}

/** Funds a wallet on a fresh chain and lets a view-only one plan a transaction for each number of inputs. */
export async function prepareColdWork(inputs: readonly number[]): Promise<ColdWork> {
  const monerod = await startMonerod();
  const wallets: MoneroWalletRpc[] = [];
  const wallet = async () => {
    const started = await startWalletRpc({ daemon: monerod.url });
    wallets.push(started);
    return started;
  };
  try {
    const full = await wallet();
    const address = await full.createWallet('full');
    const keys = { address, viewKey: await secret(full, 'view_key'), spendKey: await secret(full, 'spend_key') };
    await fund(monerod, full, inputs);
    const outputs = (await full.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true })).outputs_data_hex;
    const images = await full.rpc<{ signed_key_images: unknown }>('export_key_images', { all: true });
    const watching = await wallet();
    await watching.restoreFromKeys('watching', { address, viewKey: keys.viewKey });
    await watching.refreshToHeight(monerod);
    await watching.rpc('import_key_images', { signed_key_images: images.signed_key_images });
    const unsigned: string[] = [];
    for (const [i] of inputs.entries()) {
      const params = { address, account_index: 0, subaddr_indices: [i + 1], ring_size: 16, priority: 1 };
      unsigned.push((await watching.rpc<{ unsigned_txset: string }>('sweep_all', params)).unsigned_txset);
    }
    return { keys, outputs, unsigned };
  } finally {
    for (const started of wallets) await started.stop();
    await monerod.stop();
  }
}

async function secret(wallet: MoneroWalletRpc, type: string): Promise<string> {
  return (await wallet.rpc<{ key: string }>('query_key', { key_type: type })).key;
}

/** Subaddress i+1 gets `inputs[i]` outputs. */
async function fund(monerod: Monerod, full: MoneroWalletRpc, inputs: readonly number[]): Promise<void> {
  const address = await full.address();
  await monerod.generateBlocks(BLOCKS, address);
  await full.refreshToHeight(monerod);
  const made = await full.rpc<{ addresses: string[] }>('create_address', { account_index: 0, count: inputs.length });
  const all = inputs.flatMap((count, i) =>
    Array.from({ length: count }, () => ({ address: made.addresses[i]!, amount: PART * 10n })),
  );
  for (let at = 0; at < all.length; at += DESTINATIONS_A_TRANSACTION) {
    await full.transfer(all.slice(at, at + DESTINATIONS_A_TRANSACTION), { priority: 1 });
  }
  await monerod.generateBlocks(DEPTH, address);
  await full.refreshToHeight(monerod);
  await requireSpendable(full, inputs);
}

/** A sweep would silently leave out outputs that have not arrived yet. */
async function requireSpendable(full: MoneroWalletRpc, inputs: readonly number[]): Promise<void> {
  const { per_subaddress } = await full.rpc<{ per_subaddress: SubaddressBalance[] }>('get_balance', { account_index: 0 });
  for (const [i, count] of inputs.entries()) {
    const found = per_subaddress.find((one) => one.address_index === i + 1);
    if (found?.num_unspent_outputs !== count || found.blocks_to_unlock !== 0)
      throw new Error(`expected ${count} spendable outputs of subaddress ${i + 1}`);
  }
}

interface SubaddressBalance {
  readonly address_index: number;
  readonly num_unspent_outputs: number;
  readonly blocks_to_unlock: number;
}

/** Milliseconds that a newly started cold wallet takes for `sign_transfer`, for each set: medians over calls. */
export async function signCold({ keys, outputs, unsigned }: ColdWork): Promise<number[]> {
  const cold = await startWalletRpc();
  try {
    await cold.restoreFromKeys('cold', keys);
    await cold.rpc('import_outputs', { outputs_data_hex: outputs });
    const times: number[][] = unsigned.map(() => []);
    // Alternately, so that other work on the machine affects all sizes alike; the first round warms up.
    for (let run = 0; run <= RUNS; run++) {
      for (const [i, set] of unsigned.entries()) {
        const start = performance.now();
        await cold.rpc('sign_transfer', { unsigned_txset: set });
        if (run > 0) times[i]!.push(performance.now() - start);
      }
    }
    return times.map(median);
  } finally {
    await cold.stop();
  }
}

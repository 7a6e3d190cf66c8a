import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysFromSeed, loadCrypto, randomScalar, systemRandom } from '../src/crypto/index.ts';
import { mainRounds } from '../src/wallet/multisig/account.ts';
import { baseSecretsOf } from '../src/wallet/multisig/kex.ts';
import { decodeKexMessage } from '../src/wallet/multisig/kex-message.ts';
import { GroupOfMany } from '../test/support/group-of-many.ts';
import { startWalletRpc } from '../test/support/programs.ts';
import { callRpc } from '../test/support/rpc.ts';
import { startOurs } from '../test/support/three-services.ts';
import { median, type Row, row } from './rows.ts';

/**
 * What the key exchange of a group costs one signer: the sum of the replies to make_multisig and to every exchange_multisig_keys, our service
 * and monero-wallet-rpc side by side. What the others say is worked out before, by one who knows all secrets.
 */

const OTHER = 'monero-wallet-rpc 0.18.5.3';
const GROUPS = [
  { threshold: 2, signers: 3, times: 5 },
  { threshold: 3, signers: 5, times: 5 },
  { threshold: 8, signers: 16, times: 1 },
] as const;
const TIMEOUT = 1_800_000;

type Call = <T>(method: string, params: object) => Promise<T>;

interface Round {
  readonly multisig_info: string;
}

const callerOf =
  (url: string): Call =>
  (method, params) =>
    callRpc(url, method, params, { timeout: TIMEOUT });

/** Milliseconds in which a fresh wallet of a service becomes a signer. */
async function cost(call: Call, filename: string, threshold: number, signers: number): Promise<number> {
  await call('create_wallet', { filename, password: '', language: 'English' });
  await call('prepare_multisig', { enable_multisig_experimental: true });
  const key = async (key_type: string) =>
    Buffer.from((await call<{ key: string }>('query_key', { key_type })).key, 'hex').subarray(0, 32);
  const own = baseSecretsOf({ spendKey: await key('spend_key'), viewKey: await key('view_key') });
  const others = Array.from({ length: signers - 1 }, () => baseSecretsOf(keysFromSeed(randomScalar(systemRandom))));
  const group = new GroupOfMany([own, ...others], threshold, systemRandom);
  let total = 0;
  let said = '';
  for (let round = 1; round <= mainRounds(signers, threshold) + 1; round++) {
    const keys = round > mainRounds(signers, threshold) ? decodeKexMessage(said).keys : undefined;
    const multisig_info = (keys === undefined ? group.messages(round) : group.lastMessages(keys)).slice(1);
    const method = round === 1 ? 'make_multisig' : 'exchange_multisig_keys';
    const began = performance.now();
    said = (await call<Round>(method, { multisig_info, password: '', ...(round === 1 ? { threshold } : {}) })).multisig_info;
    total += performance.now() - began;
  }
  const { ready } = await call<{ ready: boolean }>('is_multisig', {});
  if (!ready) throw new Error(`expected ${threshold} of ${signers} to be ready`);
  return total;
}

export async function multisigRows(): Promise<Row[]> {
  await loadCrypto();
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-bench-multisig-'));
  const ours = await startOurs(['--wallet-dir', folder, '--offline']);
  const theirs = await startWalletRpc();
  const calls = [callerOf(`http://127.0.0.1:${ours.port}`), callerOf(theirs.url)] as const;
  const rows: Row[] = [];
  try {
    for (const { threshold, signers, times } of GROUPS) {
      const costs: [number[], number[]] = [[], []];
      for (let i = 0; i < times; i++) {
        for (const [side, call] of calls.entries())
          costs[side]!.push(await cost(call, `${threshold} of ${signers}, ${i}`, threshold, signers));
      }
      const name = `multisig: keys of ${threshold} of ${signers}, one signer`;
      rows.push(row(name, 'Node', median(costs[0]), median(costs[1]), OTHER, 'ms'));
    }
  } finally {
    await ours.stop();
    await theirs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

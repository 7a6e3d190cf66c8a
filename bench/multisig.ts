import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysFromSeed, loadCrypto, randomScalar, systemRandom } from '../src/crypto/index.ts';
import { mainRounds } from '../src/wallet/multisig/account.ts';
import { baseSecretsOf } from '../src/wallet/multisig/kex.ts';
import { decodeKexMessage } from '../src/wallet/multisig/kex-message.ts';
import { GroupOfMany } from '../test/support/group-of-many.ts';
import { startWalletService } from '../test/support/nightjar.ts';
import { startWalletRpc } from '../test/support/programs.ts';
import { callRpc } from '../test/support/rpc.ts';
import type { Row } from './rows.ts';
import { type Cost, costRows, costsOf } from './service-cost.ts';

/**
 * The cost of a group's key exchange for one signer: the total time of the replies to make_multisig and to every exchange_multisig_keys, our
 * service and monero-wallet-rpc in turn. The other members' messages are computed beforehand from all secrets.
 */

const OTHER = 'monero-wallet-rpc 0.18.5.3';
interface Group {
  readonly threshold: number;
  readonly signers: number;
  readonly times: number;
}
/** A signer of M of N has one share for each choice of N − M out of N − 1: 2, 6, 35, 15, 455 and 6435. */
const GROUPS: readonly Group[] = [
  { threshold: 2, signers: 3, times: 5 },
  { threshold: 3, signers: 5, times: 5 },
  { threshold: 4, signers: 8, times: 3 },
  { threshold: 15, signers: 16, times: 3 },
  { threshold: 13, signers: 16, times: 1 },
  { threshold: 8, signers: 16, times: 1 },
];
const TIMEOUT = 1_800_000;

/** A service in a separate process. */
interface Side {
  readonly url: string;
  readonly pid: number;
}

interface Round {
  readonly multisig_info: string;
}

/** The cost until a service's fresh wallet is a signer. */
async function cost({ url, pid }: Side, filename: string, threshold: number, signers: number): Promise<Cost> {
  const call = <T>(method: string, params: object) => callRpc<T>(url, method, params, { timeout: TIMEOUT });
  await call('create_wallet', { filename, password: '', language: 'English' });
  await call('prepare_multisig', { enable_multisig_experimental: true });
  const key = async (key_type: string) =>
    Buffer.from((await call<{ key: string }>('query_key', { key_type })).key, 'hex').subarray(0, 32);
  const own = baseSecretsOf({ spendKey: await key('spend_key'), viewKey: await key('view_key') });
  const others = Array.from({ length: signers - 1 }, () => baseSecretsOf(keysFromSeed(randomScalar(systemRandom))));
  const group = new GroupOfMany([own, ...others], threshold, systemRandom);
  const rounds: Cost[] = [];
  let message = '';
  for (let round = 1; round <= mainRounds(signers, threshold) + 1; round++) {
    const keys = round > mainRounds(signers, threshold) ? decodeKexMessage(message).keys : undefined;
    const multisig_info = (keys === undefined ? group.messages(round) : group.lastMessages(keys)).slice(1);
    const method = round === 1 ? 'make_multisig' : 'exchange_multisig_keys';
    const params = { multisig_info, password: '', ...(round === 1 ? { threshold } : {}) };
    const { result, ...spent } = await costsOf(pid, () => call<Round>(method, params));
    rounds.push(spent);
    message = result.multisig_info;
  }
  const { ready } = await call<{ ready: boolean }>('is_multisig', {});
  if (!ready) throw new Error(`expected ${threshold} of ${signers} to be ready`);
  const total = (what: keyof Cost) => rounds.reduce((sum, each) => sum + each[what], 0);
  return { wall: total('wall'), cpu: total('cpu') };
}

export async function multisigRows(groups: readonly Group[] = GROUPS): Promise<Row[]> {
  await loadCrypto();
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-bench-multisig-'));
  const ours = await startWalletService(['--wallet-dir', folder, '--offline', '--disable-rpc-login']);
  const theirs = await startWalletRpc();
  const sides = [{ url: ours.url, pid: ours.child.pid! }, theirs] as const;
  const rows: Row[] = [];
  try {
    for (const { threshold, signers, times } of groups) {
      const costs: [Cost[], Cost[]] = [[], []];
      for (let i = 0; i < times; i++) {
        for (const [at, side] of sides.entries())
          costs[at]!.push(await cost(side, `${threshold} of ${signers}, ${i}`, threshold, signers));
      }
      rows.push(...costRows(`keys of ${threshold} of ${signers}, one signer`, costs, OTHER));
    }
  } finally {
    await ours.kill();
    await theirs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

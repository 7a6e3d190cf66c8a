import { expect } from 'vitest';
import type { OutputView } from '../../src/wallet/api.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { type MoneroWalletRpc, toBigint } from './programs.ts';

/** One wallet's money in a form common to both programs. */
export interface Ledger {
  readonly accounts: readonly { readonly total: bigint; readonly unlocked: bigint }[];
  readonly outputs: readonly string[];
  readonly history: readonly string[];
}

interface RpcOutput {
  readonly amount: number | bigint;
  readonly global_index: number | bigint;
  readonly key_image: string;
  readonly spent: boolean;
  readonly unlocked: boolean;
  readonly subaddr_index: { readonly major: number; readonly minor: number };
  readonly tx_hash: string;
  readonly block_height: number;
}

interface RpcTransfer {
  readonly txid: string;
  readonly amount: number | bigint;
  readonly fee: number | bigint;
  readonly height: number;
  readonly type: string;
  readonly unlock_time: number | bigint;
  readonly payment_id: string;
  readonly locked: boolean;
  readonly confirmations?: number;
  readonly timestamp: number;
  readonly subaddr_indices: readonly { readonly major: number; readonly minor: number }[];
}

/** Balances, outputs with key images, and mined history of the reference wallet. */
export async function ledgerOfReference(rpc: MoneroWalletRpc): Promise<Ledger> {
  const { subaddress_accounts: list } = await rpc.rpc<{ subaddress_accounts: { account_index: number }[] }>('get_accounts', {});
  const accounts: { total: bigint; unlocked: bigint }[] = [];
  const outputs: string[] = [];
  const history: string[] = [];
  for (const { account_index: account } of list) {
    accounts.push(await rpc.balance(account));
    const { transfers } = await rpc.rpc<{ transfers?: RpcOutput[] }>('incoming_transfers', {
      transfer_type: 'all',
      account_index: account,
    });
    for (const output of transfers ?? []) outputs.push(rpcOutput(output));
    const wanted = { in: true, out: true, account_index: account };
    const answer = await rpc.rpc<{ in?: RpcTransfer[]; out?: RpcTransfer[] }>('get_transfers', wanted);
    for (const transfer of [...(answer.in ?? []), ...(answer.out ?? [])]) history.push(rpcTransfer(transfer, account));
  }
  return { accounts, outputs: outputs.sort(), history: history.sort() };
}

function rpcOutput(o: RpcOutput): string {
  const where = `${o.subaddr_index.major}/${o.subaddr_index.minor}`;
  const marks = `${o.spent ? 'spent' : 'unspent'} ${o.unlocked ? 'unlocked' : 'locked'}`;
  return `${o.tx_hash} ${o.global_index} ${toBigint(o.amount)} ${o.key_image} ${where} ${o.block_height} ${marks}`;
}

function rpcTransfer(t: RpcTransfer, account: number): string {
  const kind = t.type === 'block' ? 'mined' : t.type;
  const subaddresses = t.subaddr_indices.map(({ major, minor }) => `${major}/${minor}`).sort();
  // A sender knows the payment id it wrote; the same seed elsewhere does not.
  const id = kind === 'out' || /^0+$/.test(t.payment_id) ? '' : t.payment_id;
  const fee = kind === 'out' ? toBigint(t.fee) : '';
  const marks = `${t.locked ? 'locked' : 'open'} ${t.confirmations ?? 0}`;
  return `${kind} ${account} ${t.txid} ${toBigint(t.amount)} ${fee} ${t.height} ${t.timestamp} ${subaddresses} ${toBigint(t.unlock_time)} ${id} ${marks}`;
}

/** The parts of ours that are compared, through any of its interfaces. */
export type ComparedWallet = Pick<Wallet, 'view' | 'history' | 'outputs' | 'refresh'>;

/** The same for ours. The reference includes the pool in its total. */
export async function ledgerOfOurs(wallet: ComparedWallet): Promise<Ledger> {
  const view = await wallet.view();
  const accounts = view.accounts.map(({ balance }) => ({
    total: balance.total + balance.incoming,
    unlocked: balance.unlocked,
  }));
  const outputs = (await wallet.outputs()).map(ourOutput);
  const history = (await wallet.history())
    .filter((entry) => entry.height !== undefined)
    .map((e) => {
      const subaddresses = e.subaddresses.map(({ major, minor }) => `${major}/${minor}`).sort();
      const fee = e.direction === 'out' ? e.fee : '';
      const id = e.direction === 'out' ? '' : (e.paymentId ?? '');
      const marks = `${e.locked ? 'locked' : 'open'} ${e.confirmations}`;
      return `${e.direction} ${e.account} ${e.txHash} ${e.amount} ${fee} ${e.height} ${e.timestamp} ${subaddresses} ${e.unlockTime} ${id} ${marks}`;
    });
  return { accounts, outputs: outputs.sort(), history: history.sort() };
}

function ourOutput(o: OutputView): string {
  const where = `${o.subaddress.major}/${o.subaddress.minor}`;
  const marks = `${o.spentBy === undefined ? 'unspent' : 'spent'} ${o.unlocked ? 'unlocked' : 'locked'}`;
  return `${o.txHash} ${o.globalIndex} ${o.amount} ${o.keyImage ?? ''} ${where} ${o.height} ${marks}`;
}

/** Brings both to the daemon's tip and compares them to the atomic unit. */
export async function expectAgreement(
  wallet: ComparedWallet,
  rpc: MoneroWalletRpc,
  daemon: { height(): Promise<number> },
): Promise<Ledger> {
  await rpc.refreshToHeight(daemon);
  await refreshToTip(wallet, await daemon.height());
  const ledger = await ledgerOfReference(rpc);
  expect(await ledgerOfOurs(wallet)).toEqual(ledger);
  return ledger;
}

/** @throws if ours does not get there: with the reason from its status */
export async function refreshToTip(wallet: Pick<Wallet, 'view' | 'refresh'>, height: number): Promise<void> {
  for (let look = 0; look < 20; look++) {
    await wallet.refresh();
    const { sync } = await wallet.view();
    if (sync.height === height && sync.phase === 'live') return;
  }
  const { sync } = await wallet.view();
  throw new Error(
    `expected our wallet at ${height}, it is at ${sync.height} and ${sync.phase}: ${sync.error?.code} ${sync.error?.message}`,
  );
}

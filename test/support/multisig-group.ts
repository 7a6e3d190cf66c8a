import type { Program } from './programs.ts';

/** One member of a group, ours or theirs: whatever answers the RPC methods of a wallet that is open in it. */
export type Seat = Pick<Program, 'rpc'>;

interface Round {
  readonly address?: string;
  readonly multisig_info: string;
}

/** Makes a group of fresh wallets, one open in each seat. Returns its address. */
export async function makeGroup(seats: readonly Seat[], threshold: number): Promise<string> {
  const others = (messages: readonly string[], i: number) => messages.filter((_, j) => j !== i);
  let messages: string[] = [];
  for (const seat of seats) {
    const { multisig_info } = await seat.rpc<Round>('prepare_multisig', { enable_multisig_experimental: true });
    messages.push(multisig_info);
  }
  let answers: Round[] = [];
  for (const [i, seat] of seats.entries()) {
    const params = { multisig_info: others(messages, i), threshold, password: '' };
    answers.push(await seat.rpc<Round>('make_multisig', params));
  }
  while (!(await isReady(seats[0]!))) {
    messages = answers.map(({ multisig_info }) => multisig_info);
    answers = [];
    for (const [i, seat] of seats.entries()) {
      answers.push(await seat.rpc<Round>('exchange_multisig_keys', { multisig_info: others(messages, i), password: '' }));
    }
  }
  return (await seats[0]!.rpc<{ address: string }>('get_address')).address;
}

async function isReady(seat: Seat): Promise<boolean> {
  return (await seat.rpc<{ ready: boolean }>('is_multisig')).ready;
}

/** Everybody tells everybody what a spend needs. */
export async function exchangeInfo(seats: readonly Seat[]): Promise<void> {
  const infos: string[] = [];
  for (const seat of seats) infos.push((await seat.rpc<{ info: string }>('export_multisig_info')).info);
  for (const [i, seat] of seats.entries()) {
    await seat.rpc('import_multisig_info', { info: infos.filter((_, j) => j !== i) });
  }
}

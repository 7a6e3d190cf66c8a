import { fileURLToPath } from 'node:url';
import { exchangeInfo, makeGroup, type OwnSeat, takeSeat } from '../test/support/multisig-group.ts';
import { takeServiceSeat } from '../test/support/multisig-service.ts';
import { MINER_ADDRESS } from '../test/support/premined.ts';
import { startMonerod } from '../test/support/programs.ts';
import type { Row } from './rows.ts';
import { type Cost, costRows, costsOf } from './service-cost.ts';

/**
 * A payment of a 2 of 3 group: the time a signer takes to verify, sign and finish it, ours against monero-wallet-rpc's. Both sign the same set,
 * which is valid for either; both as services, with the same requests. Also the time of an export of a few outputs.
 */

const RUNS = 9;
const COINS = 4;
const XMR = 1_000_000_000_000n;
const OTHER = 'monero-wallet-rpc 0.18.5.3';

export async function multisigSigningRows(): Promise<Row[]> {
  const daemon = await startMonerod({ premined: true });
  const seats: OwnSeat[] = [];
  try {
    for (const kind of ['theirs', 'ours', 'theirs'] as const) {
      seats.push(kind === 'ours' ? await takeServiceSeat(daemon) : await takeSeat(kind, daemon));
    }
    const address = await makeGroup(seats, 2);
    await daemon.generateBlocks(COINS, address);
    await daemon.generateBlocks(60, MINER_ADDRESS);
    for (const seat of seats) await seat.rpc('refresh');
    return await measured(seats as [OwnSeat, OwnSeat, OwnSeat]);
  } finally {
    for (const seat of seats) await seat.stop();
    await daemon.stop();
  }
}

async function measured([proposer, ours, theirs]: readonly [OwnSeat, OwnSeat, OwnSeat]): Promise<Row[]> {
  const costs = { sign: [[], []], export: [[], []] } as Record<'sign' | 'export', [Cost[], Cost[]]>;
  // The first round warms up. The order alternates, so that other work on the machine affects both alike.
  for (let run = 0; run <= RUNS; run++) {
    await exchangeInfo([proposer, ours, theirs]);
    const destinations = [{ address: MINER_ADDRESS, amount: 2n * XMR }];
    const { multisig_txset } = await proposer.rpc<{ multisig_txset: string }>('transfer', { destinations });
    const turns = [ours, theirs].map((seat, i) => ({ seat, i }));
    for (const { seat, i } of run % 2 === 0 ? turns : turns.reverse()) {
      const sign = await costsOf(seat.pid, () => seat.rpc('sign_multisig', { tx_data_hex: multisig_txset }));
      const cost = await costsOf(seat.pid, () => seat.rpc('export_multisig_info'));
      if (run === 0) continue;
      costs.sign[i]!.push(sign);
      costs.export[i]!.push(cost);
    }
  }
  return [
    ...costRows('judge and sign a 2 of 3 payment as the last signer', costs.sign, `${OTHER} sign_multisig`),
    ...costRows(`export for ${COINS} outputs of a 2 of 3 group`, costs.export, `${OTHER} export_multisig_info`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await multisigSigningRows());

import { setTimeout as pause } from 'node:timers/promises';
import { startSite } from '../../e2e/support/serve.ts';
import { amountAt, createWallet, goTo, isLive, primaryAddress } from '../../e2e/support/wallet.ts';
import { stringifyJson } from '../../src/base/index.ts';
import { median, type Row, row } from '../rows.ts';
import { openPage } from './open.ts';
import { whenMoreThan } from './watch.ts';

/**
 * Time from a transaction's arrival in the daemon's pool to its amount on the screen. The wallet polls its daemon every few seconds, so arrivals
 * are spread over that interval.
 */

const ARRIVALS = 8;
/** The wallet's polling interval, milliseconds. */
const LOOK_EVERY = 3000;
const GOAL_SECONDS = 5;
/** No blocks are mined meanwhile: the amount shown is in the pool. */
const BLOCK_SECONDS = '3600';
const ATOMIC = 1e12;

/** Pays the address from the faucet. @returns the time at which the transaction was in the pool */
async function pay(site: string, address: string): Promise<number> {
  const body = stringifyJson({ address });
  const response = await fetch(new URL('/faucet', site), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`the faucet refused: ${await response.text()}`);
  return Date.now();
}

/** Rows for the median and the maximum of the arrivals. */
export async function arrivalRows(): Promise<Row[]> {
  const site = await startSite(['--port', '0', '--block-time', BLOCK_SECONDS]);
  const opened = await openPage(site.url);
  const { page } = opened;
  try {
    await createWallet(page);
    const address = await primaryAddress(page);
    await goTo(page, 'Home');
    await isLive(page);
    let expected = Number(await amountAt(page, 'balance')) / ATOMIC;
    const seconds: number[] = [];
    for (let i = 0; i < ARRIVALS; i++) {
      await pause((LOOK_EVERY * i) / ARRIVALS);
      const showing = page.evaluate(whenMoreThan, expected);
      const arrived = await pay(site.url, address);
      seconds.push(((await showing) - arrived) / 1000);
      expected += Number(await amountAt(page, 'incoming')) / ATOMIC - expected;
    }
    return [
      row('pool transaction, arrival to showing, median', 'Chromium', median(seconds), GOAL_SECONDS, 'goal', 's'),
      row('pool transaction, arrival to showing, longest', 'Chromium', Math.max(...seconds), GOAL_SECONDS, 'goal', 's'),
    ];
  } finally {
    await opened.close();
    await site.stop();
  }
}

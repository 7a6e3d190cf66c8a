import { type Log, messageOf } from '../../base/index.ts';
import { type DevnetNode, zmqMessages } from '../../devnet/index.ts';
import { CliError } from '../errors.ts';

/** Most messages queued for slow listeners; the rest is dropped, as in the reference. */
const WAITING = 1_000;

/**
 * Publishes a chain's events.
 * @param addresses in ZeroMQ's notation: `tcp://127.0.0.1:18083`, `ipc:///path`
 * @returns a function that stops it
 * @throws CliError when an address is unavailable
 */
export async function publishOverZmq(node: DevnetNode, addresses: readonly string[], log: Log): Promise<() => void> {
  const { Publisher } = await loaded();
  const socket = new Publisher({ sendHighWaterMark: WAITING, linger: 0 });
  for (const address of addresses) {
    await socket.bind(address).catch((error: unknown) => {
      socket.close();
      throw new CliError(`--zmq-pub ${address}: ${messageOf(error)}`);
    });
    log('INFO', 'net.zmq', `Publishing at ${address}`);
  }
  // A socket sends one message at a time.
  let sent: Promise<unknown> = Promise.resolve();
  const stop = node.subscribe((event) => {
    for (const message of zmqMessages(node, event)) {
      sent = sent.then(() => socket.send(message)).catch((error: unknown) => log('WARNING', 'net.zmq', messageOf(error)));
    }
  });
  return () => {
    stop();
    socket.close();
  };
}

/** @throws CliError if the optional package is not installed */
async function loaded(): Promise<typeof import('zeromq')> {
  try {
    return await import('zeromq');
  } catch {
    throw new CliError('--zmq-pub needs the package zeromq, which is not installed for this machine: npm install zeromq');
  }
}

import type { DaemonClient } from '../src/daemon/index.ts';
import { NEWEST_VERSION, type Network, nettypeOf } from '../src/protocol/index.ts';
import type { NodeHealth } from './host.ts';

/** Blocks below the lower of two tips at which two nodes are compared: the newest blocks may differ for a moment. */
const BELOW_TIP = 3;

/**
 * Asks a node for its status: its tip, its type, and one block id to compare with another node. It learns only our IP address.
 * @param now milliseconds
 * @throws DaemonError that says why it cannot be reached
 */
export async function measureNode(
  node: DaemonClient,
  other: DaemonClient | undefined,
  network: Network,
  now: () => number,
): Promise<NodeHealth> {
  const began = now();
  const answer = await node.getInfo();
  const latency = Math.round(now() - began);
  const info = answer.acceptUnverified('asked-by-hand');
  const version = (await node.getVersion().catch(() => undefined))?.acceptUnverified('asked-by-hand');
  const { height, targetHeight, nettype, restricted, synchronized } = info;
  return {
    latency,
    height,
    behind: synchronized ? 0 : Math.max(0, targetHeight - height),
    rightNetwork: nettype === nettypeOf(network),
    restricted,
    version: info.version,
    outdated:
      version !== undefined && version.hardForks.length > 0 && version.hardForks.every((fork) => fork.version < NEWEST_VERSION),
    agrees: other && (await agree(node, height, other)),
  };
}

/** Whether both have the same block a little below their tips; undefined if the other one does not answer. */
async function agree(node: DaemonClient, height: number, other: DaemonClient): Promise<boolean | undefined> {
  try {
    const theirs = (await other.getInfo()).acceptUnverified('asked-by-hand').height;
    const at = Math.max(0, Math.min(height, theirs) - 1 - BELOW_TIP);
    const [one, two] = await Promise.all([node, other].map((each) => each.getBlockHeaderByHeight(at)));
    return two?.check(({ hash }) => one?.check((header) => header.hash === hash));
  } catch {
    return undefined;
  }
}

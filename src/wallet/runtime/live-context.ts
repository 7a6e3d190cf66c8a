import { SerialQueue } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import type { WalletDevice } from '../device/wallet-device.ts';
import type { WalletEnvironment } from '../environment.ts';
import { GroupSigner } from '../multisig/group-signer.ts';
import type { GroupSealing } from '../multisig/sealing.ts';
import type { Journal } from '../ports.ts';
import type { SubaddressTable } from '../subaddresses.ts';
import type { Connection } from './connection.ts';
import { secretsOf } from './group-keys.ts';
import type { StateWriter } from './writer.ts';

/** Parts of an open wallet from which its context is made. */
export interface ContextParts
  extends Pick<WalletContext, 'state' | 'keys' | 'signer' | 'ready' | 'still' | 'addressOf' | 'append'> {
  readonly env: WalletEnvironment;
  readonly journal: Pick<Journal, 'secrets' | 'mark' | 'setMark'>;
  readonly connection: Connection;
  readonly writer: StateWriter;
  readonly table: SubaddressTable;
  readonly device: WalletDevice;
  readonly sealing: GroupSealing;
}

/** The inside of an open wallet. What changes with its daemon, or with its lock, is read on access. */
export function liveContext(parts: ContextParts): WalletContext {
  const { state, keys, signer, ready, still, addressOf, append, env, journal, connection, writer, table, device, sealing } =
    parts;
  const group = new GroupSigner({ state, keys, random: env.random }, sealing);
  return {
    ...{ state, keys, ready, still, addressOf, append, device, journal, random: env.random, clock: env.clock },
    ...{ leaving: new SerialQueue(), choosing: new SerialQueue() },
    get secrets() {
      return secretsOf(journal.secrets, state, keys);
    },
    get signer() {
      if (device.isNeeded) return device.signer;
      return state.multisig === undefined ? signer : group;
    },
    get daemon() {
      return connection.daemon;
    },
    get trusted() {
      return connection.trusted;
    },
    get boundsFees() {
      return connection.boundsFees;
    },
    get sync() {
      return connection.status;
    },
    find: (spendKey) => table.find(spendKey),
    lookup: (address) => table.lookup(address),
    compact: () => writer.compact(true),
  };
}

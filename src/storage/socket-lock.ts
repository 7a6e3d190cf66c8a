import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, statfs, symlink, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../base/index.ts';
import { lockedError } from './errors.ts';

/**
 * A lock that the system drops with its holder: a socket bound in the folder. Whoever connects learns whether its process lives, from
 * another PID or network namespace too; the file of one that was killed stays, and connections to it are refused.
 *
 * Each taker binds a name of its own and only then looks at the others, so of two at once one sees the other at least. A name whose
 * process is gone never comes to life again, so removing it harms nobody.
 */

/** `sun_path` of Linux has 108 bytes, that of macOS 104, the end included. */
const MOST_PATH = 100;
/** Milliseconds after which one who says nothing counts as the holder. */
const PATIENCE = 5000;
/** Greeting of a holder to whoever connects. A taker sends it once it is the holder, or closes the connection when it gives way. */
const HELD = 'held';
/** Errors of a file system without sockets, and of Windows. */
const NO_SOCKETS: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM']);
/** File systems that one kernel has for itself (statfs(2)): ext, xfs, btrfs, f2fs, zfs, overlay, tmpfs. */
const OWN_DISK: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x794c_7630, 0x0102_1994,
]);

/** One taker's socket in a folder. */
interface Name {
  readonly path: string;
  /** The run of a kernel that it was bound in. */
  readonly kernel: string;
  readonly id: string;
}

/**
 * Takes the lock of a file, beside it.
 * @returns the release; undefined where the folder takes no sockets
 * @throws StorageError `locked`
 */
export async function lockBySocket(path: string): Promise<(() => Promise<void>) | undefined> {
  const kernel = await kernelId();
  const id = randomBytes(6).toString('hex');
  const mine: Name = { path: `${prefixOf(path)}${kernel}-${id}`, kernel, id };
  const door = new Door();
  const aside = join(dirname(path), `.lock-${id}`);
  if (!(await listens(door.server, aside))) return undefined;
  const release = async () => {
    await unlink(mine.path).catch(() => undefined);
    door.close();
  };
  try {
    // Seen when it answers, not before: what refuses is taken for dead.
    await rename(aside, mine.path);
    await outlast(path, mine);
  } catch (error) {
    await release();
    throw error;
  }
  door.hold();
  return release;
}

/** Whether a socket of anybody stands for the file: for those who have none to ask with. */
export async function hasSocketLock(path: string): Promise<boolean> {
  return (await namesOf(path)).length > 0;
}

/** A taker's socket, at the name where others look for it. */
class Door {
  readonly server: Server;
  readonly #waiting = new Set<Socket>();
  #held = false;

  constructor() {
    this.server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      if (this.#held) return void socket.end(HELD);
      this.#waiting.add(socket);
      socket.once('close', () => this.#waiting.delete(socket));
    });
  }

  hold(): void {
    this.#held = true;
    for (const socket of this.#waiting) socket.end(HELD);
    // A lock alone keeps no process alive, and one more client than it has files for harms nobody.
    this.server.on('error', () => undefined).unref();
  }

  close(): void {
    this.server.close();
    for (const socket of this.#waiting) socket.destroy();
  }
}

/** Resolves when nobody else holds the lock or goes first: of two takers the one of the smaller id. @throws StorageError `locked` */
async function outlast(path: string, mine: Name): Promise<void> {
  const until = Date.now() + PATIENCE;
  for (let clear = false; !clear; ) {
    clear = true;
    for (const other of await namesOf(path)) {
      if (other.id === mine.id || (await isGone(other, mine.kernel))) continue;
      if (other.kernel !== mine.kernel) throw lockedError(basename(other.path));
      if (other.id < mine.id || (await becomesHolder(other.path, until))) throw lockedError();
      clear = false;
    }
  }
}

async function namesOf(path: string): Promise<Name[]> {
  const folder = dirname(path);
  const prefix = basename(prefixOf(path));
  return (await readdir(folder)).flatMap((file) => {
    const [kernel, id] = file.startsWith(prefix) ? file.slice(prefix.length).split('-') : [];
    return kernel === undefined || id === undefined ? [] : [{ path: join(folder, file), kernel, id }];
  });
}

/** Removes a name that nobody answers at. */
async function isGone({ path, kernel }: Name, ownKernel: string): Promise<boolean> {
  // Sockets of another kernel never answer: one that ran before on this disk, or another machine on a shared one.
  const gone = kernel === ownKernel ? await refuses(path) : await isOwnDisk(dirname(path));
  if (gone) await unlink(path).catch(() => undefined);
  return gone;
}

async function isOwnDisk(folder: string): Promise<boolean> {
  return OWN_DISK.has((await statfs(folder)).type);
}

/** A socket that refuses has no process any more; one that cannot be asked counts as alive. */
async function refuses(path: string): Promise<boolean> {
  const socket = await reach(path);
  if (socket instanceof Error) return ['ECONNREFUSED', 'ENOENT'].includes(codeOf(socket));
  socket.destroy();
  return false;
}

/** Waits until a taker has made up its mind, or there is no more patience. */
async function becomesHolder(path: string, until: number): Promise<boolean> {
  const socket = await reach(path);
  if (socket instanceof Error) return false;
  let said = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    said += bytes.toString();
  });
  const signal = AbortSignal.timeout(Math.max(0, until - Date.now()));
  const ended = await once(socket, 'close', { signal }).then(
    () => true,
    () => false,
  );
  socket.destroy();
  return said === HELD || !ended;
}

function reach(path: string): Promise<Socket | Error> {
  return withShortPath(path, async (short) => {
    const socket = connect(short);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      return error as Error;
    }
  });
}

/** False where the folder takes no sockets. */
function listens(server: Server, path: string): Promise<boolean> {
  return withShortPath(path, async (short) => {
    try {
      await once(server.listen(short), 'listening');
      return true;
    } catch (error) {
      if (NO_SOCKETS.has(codeOf(error))) return false;
      throw error;
    }
  });
}

/** Paths that are too long for a socket are led through a link. */
async function withShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= MOST_PATH) return use(path);
  const aside = await mkdtemp(join(tmpdir(), 'nightjar-'));
  try {
    const link = join(aside, 'folder');
    await symlink(dirname(path), link);
    return await use(join(link, basename(path)));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Hidden, and short whatever the file is called. */
function prefixOf(path: string): string {
  return join(dirname(path), `.lock-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 12)}-`);
}

/** Tells this run of this kernel from every other (Linux); elsewhere this machine from others. */
async function kernelId(): Promise<string> {
  const own = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  return createHash('sha256').update(own).digest('hex').slice(0, 8);
}

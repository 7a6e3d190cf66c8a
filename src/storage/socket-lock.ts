import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, statfs, symlink, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../base/index.ts';
import { lockedError } from './errors.ts';

/**
 * A lock that the system releases when its holder dies: a Unix socket bound in the folder. Connecting to it shows whether its process is
 * alive, from another PID or network namespace too: the socket file of a killed process remains, but connections to it are refused.
 *
 * Each contender binds a name of its own before it looks at the others, so of two at once at least one sees the other. A socket whose
 * process is gone never becomes alive again, so it can be removed safely.
 */

/** `sun_path` has 108 bytes on Linux and 104 on macOS, including the terminator. */
const MAX_PATH_BYTES = 100;
/** Milliseconds after which a contender that has not answered counts as the holder. */
const TIMEOUT = 5000;
/**
 * What a holder sends to everyone who connects. A contender sends it once it holds the lock, or closes the connection when it gives way.
 */
const HOLDER_GREETING = 'held';
/** Errors on file systems without sockets, and on Windows. */
const NO_SOCKETS: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM']);
/** File systems that only one kernel uses at a time (statfs(2)): ext, xfs, btrfs, f2fs, zfs, overlay, tmpfs. */
const OWN_DISK: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x794c_7630, 0x0102_1994,
]);

/** One contender's socket in a folder. */
interface SocketName {
  readonly path: string;
  /** The boot of the kernel in which it was bound. */
  readonly kernel: string;
  readonly id: string;
}

/**
 * Takes the lock of a file with a socket beside it.
 * @returns a function that releases it; undefined if the folder cannot hold sockets
 * @throws StorageError `locked`
 */
export async function lockBySocket(path: string): Promise<(() => Promise<void>) | undefined> {
  const kernel = await kernelId();
  const id = randomBytes(6).toString('hex');
  const mine: SocketName = { path: `${prefixOf(path)}${kernel}-${id}`, kernel, id };
  const socket = new LockSocket();
  const aside = join(dirname(path), `.lock-${id}`);
  if (!(await listens(socket.server, aside))) return undefined;
  const release = async () => {
    await unlink(mine.path).catch(() => undefined);
    socket.close();
  };
  try {
    // Moved into place only once it listens: a socket that refuses connections counts as dead.
    await rename(aside, mine.path);
    await waitForOthers(path, mine);
  } catch (error) {
    await release();
    throw error;
  }
  socket.hold();
  return release;
}

/** Whether anybody's lock socket exists for the file. For callers who cannot connect to it. */
export async function hasSocketLock(path: string): Promise<boolean> {
  return (await namesOf(path)).length > 0;
}

/** A contender's socket, at the name where others look for it. */
class LockSocket {
  readonly server: Server;
  readonly #waiting = new Set<Socket>();
  #isHolder = false;

  constructor() {
    this.server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      if (this.#isHolder) return void socket.end(HOLDER_GREETING);
      this.#waiting.add(socket);
      socket.once('close', () => this.#waiting.delete(socket));
    });
  }

  hold(): void {
    this.#isHolder = true;
    for (const socket of this.#waiting) socket.end(HOLDER_GREETING);
    // A lock alone does not keep the process running, and being out of file descriptors for one more client does no harm.
    this.server.on('error', () => undefined).unref();
  }

  close(): void {
    this.server.close();
    for (const socket of this.#waiting) socket.destroy();
  }
}

/** Resolves when nobody else holds the lock or goes first: of two contenders, the one with the smaller id. @throws StorageError `locked` */
async function waitForOthers(path: string, mine: SocketName): Promise<void> {
  const until = Date.now() + TIMEOUT;
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

async function namesOf(path: string): Promise<SocketName[]> {
  const folder = dirname(path);
  const prefix = basename(prefixOf(path));
  return (await readdir(folder)).flatMap((file) => {
    const [kernel, id] = file.startsWith(prefix) ? file.slice(prefix.length).split('-') : [];
    return kernel === undefined || id === undefined ? [] : [{ path: join(folder, file), kernel, id }];
  });
}

/** Removes a socket that nobody answers on. */
async function isGone({ path, kernel }: SocketName, ownKernel: string): Promise<boolean> {
  // Sockets of another kernel never answer: an earlier boot on this disk, or another machine on a shared one.
  const gone = kernel === ownKernel ? await refuses(path) : await isOwnDisk(dirname(path));
  if (gone) await unlink(path).catch(() => undefined);
  return gone;
}

async function isOwnDisk(folder: string): Promise<boolean> {
  return OWN_DISK.has((await statfs(folder)).type);
}

/** A socket that refuses connections has no process any more; one that cannot be reached counts as alive. */
async function refuses(path: string): Promise<boolean> {
  const socket = await tryConnect(path);
  if (socket instanceof Error) return ['ECONNREFUSED', 'ENOENT'].includes(codeOf(socket));
  socket.destroy();
  return false;
}

/** Waits until a contender becomes the holder, gives way, or the time is over. */
async function becomesHolder(path: string, until: number): Promise<boolean> {
  const socket = await tryConnect(path);
  if (socket instanceof Error) return false;
  let greeting = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    greeting += bytes.toString();
  });
  const signal = AbortSignal.timeout(Math.max(0, until - Date.now()));
  const ended = await once(socket, 'close', { signal }).then(
    () => true,
    () => false,
  );
  socket.destroy();
  return greeting === HOLDER_GREETING || !ended;
}

function tryConnect(path: string): Promise<Socket | Error> {
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

/** False if the folder cannot hold sockets. */
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

/** Reaches paths that are too long for a socket through a symbolic link. */
async function withShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const aside = await mkdtemp(join(tmpdir(), 'nightjar-'));
  try {
    const link = join(aside, 'folder');
    await symlink(dirname(path), link);
    return await use(join(link, basename(path)));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Hidden, and short for any file name. */
function prefixOf(path: string): string {
  return join(dirname(path), `.lock-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 12)}-`);
}

/** Identifies this boot of this kernel (Linux); elsewhere this machine. */
async function kernelId(): Promise<string> {
  const own = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  return createHash('sha256').update(own).digest('hex').slice(0, 8);
}

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asObject, bytesToHex, type JsonInput, parseJson, stringifyJson } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { digestHeader, mangled } from '../support/fuzz/digest.ts';
import { otherwise, wellFramed } from '../support/fuzz/framing.ts';
import { type FuzzRequest, type Known, RequestMaker } from '../support/fuzz/requests.ts';
import { framed, RawConnection, type RawReply } from '../support/fuzz/wire.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { callRpc, RpcFailure } from '../support/rpc.ts';

// Strangers at the door of a running service, all over sockets: calls of every method, right and wrong, JSON that is none, HTTP that
// is none, logins that are none. It stays up, answers whatever is framed as HTTP, keeps its secrets, and its memory does not grow.

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** One call in so many is of those that take long: some hundreds in a long run. */
const COSTLY_ONE_IN = RUNS > 10_000 ? 1_000 : 200;
const CLIENTS = 8;
/** The wallet begins anew so often, and memory is looked at: with hundreds of accounts of strangers, opening it takes long. */
const PHASES = Math.max(5, Math.ceil(RUNS / 2_000));
/** Most bytes that a request may leave behind, once its wallet is closed. */
const LEFT_BEHIND = 40;
/** What the engine may still be learning after the first phase, bytes. */
const LEARNT = 2_000_000;
/** By how much resident memory may differ from one look to another: a few times what sealing a key takes, bytes. */
const RESIDENT = 200_000_000;
/** Longest wait for a reply, milliseconds: sealing keys takes half a second, and writers wait for each other. */
const PATIENCE = 120_000;
/** What a request may take on the average when two cores are busy with other things, milliseconds. */
const REQUEST = 60;
const PASSWORD = 'correct-horse-battery';
const LOGIN = { name: 'till', password: 'staple-of-the-login' };

/** What every service says at its start. */
const STARTS =
  /Binding on|(Starting|Stopped) wallet RPC server|^(This is the RPC|daemon to work|Monero '|Logging to|$)|(Loading|Loaded) wallet/;
/** A line of the log, coloured or not: clients set levels and categories, and daemons that are none. No failure of our own is among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one.
const LOGGED = /^(\x1b\[[\d;]*m)*\d{4}-\d\d-\d\d [\d:.]+\t([WIDT] |E (\x1b\[[\d;]*m)*\w+: error -(38|3) \()/;

let folder: string;
let devnet: ServedDevnet;
let service: NightjarService;
let guarded: NightjarService;
let known: Known;
let secrets: readonly string[];

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-fuzz-'));
  devnet = await serveDevnet({ history: { blocks: 80, transactions: 0 } });
  const flags = ['--daemon-address', devnet.url.replace('http://', ''), '--trusted-daemon', '--max-concurrency', '1'];
  const probe = { node: ['--expose-gc', '--import', 'tsx', '--import', './test/support/fuzz/heap-probe.ts'], channel: true };
  const login = ['--rpc-login', `${LOGIN.name}:${LOGIN.password}`, '--offline'];
  [service, guarded] = await Promise.all([
    startWalletService(['--wallet-dir', join(folder, 'open'), '--disable-rpc-login', ...flags], probe),
    startWalletService(['--wallet-dir', join(folder, 'guarded'), ...login]),
  ]);
  known = await makeWallet();
  await call('close_wallet', {});
  copyFileSync(walletFile(), keptFile());
  await reopen();
});

afterAll(async () => {
  await service?.kill();
  await guarded?.kill();
  await devnet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A wallet whose secrets we know, with a little money, behind the service. */
async function makeWallet(): Promise<Known> {
  const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
  const [created] = made.first;
  if (created?.type !== 'Created') throw new Error('expected a first event');
  const { primaryAddress } = created.wallet;
  const seed = await wordsOf(made.secrets);
  const keys = { view: bytesToHex(made.secrets.viewKey), spend: bytesToHex(made.secrets.spendKey!) };
  secrets = [seed, seed.split(' ').slice(0, 6).join(' '), keys.view, keys.spend, PASSWORD, LOGIN.password];
  const txids = [devnet.faucet.give(primaryAddress)];
  for (let i = 0; i < 12; i++) devnet.node.mine(devnet.minerWallet);
  await call('restore_deterministic_wallet', { filename: 'main', password: PASSWORD, seed });
  await call('create_account', {});
  await call('refresh', {});
  const { address } = await call<{ address: string }>('get_address', { account_index: 1 });
  const { transfers = [] } = await call<{ transfers?: { key_image: string }[] }>('incoming_transfers', { transfer_type: 'all' });
  return {
    addresses: [primaryAddress, address, devnet.minerWallet.address],
    txids: [...txids, 'ab'.repeat(32)],
    keyImages: [...transfers.map((one) => one.key_image), '00'.repeat(32)],
    daemons: [devnet.url, devnet.url, devnet.url, 'http://127.0.0.1:1', '', 'bad url'],
    password: PASSWORD,
    keys,
  };
}

const walletFile = (): string => join(folder, 'open', 'main.nightjar');
/** The wallet as it was before anybody wrote to it. */
const keptFile = (): string => join(folder, 'main.nightjar');

const call = <T = object>(method: string, params: object): Promise<T> => callRpc<T>(service.url, method, params);
const portOf = ({ url }: NightjarService): number => Number(new URL(url).port);

/** What a slip in the code would say. */
const SLIP = /Invalid (type|key|value)|Cannot read|is not a function|is not iterable|undefined \(|\.[tj]s:\d+/;

function expectNoSecret(text: string): void {
  for (const secret of secrets) if (text.includes(secret)) throw new Error(`a secret is in ${text.slice(0, 300)}`);
}

/** A reply of the service itself to whatever came as a call. */
function expectAnswer({ status, body }: RawReply, request: FuzzRequest): void {
  const { jsonrpc, result, error } = asObject(parseJson(body, { maxDepth: 110 }));
  expect([status, jsonrpc, (result === undefined) !== (error === undefined)]).toEqual([200, '2.0', true]);
  expect(body).not.toMatch(SLIP);
  if (!request.asksSecret) expectNoSecret(body);
}

/** One stranger: what it sends comes from its own chance. */
class Stranger {
  readonly #sampler: TestSampler;
  readonly #maker: RequestMaker;
  #line: RawConnection | undefined;

  constructor(number: number) {
    this.#sampler = new TestSampler(SEED * 1000 + number);
    this.#maker = new RequestMaker(this.#sampler, known, COSTLY_ONE_IN);
  }

  /** Sends one thing, or a few; returns how many requests that was. */
  async next(): Promise<number> {
    const kind = this.#sampler.below(20);
    if (kind < 11) return this.#plain(this.#maker.call());
    if (kind < 15) return this.#plain(this.#maker.broken());
    if (kind < 17) return this.#framing(wellFramed);
    if (kind < 19) return this.#framing(otherwise);
    return this.#login();
  }

  leave(): void {
    this.#line?.reset();
  }

  async #plain(request: FuzzRequest): Promise<number> {
    return named(request, 'plain', async () => {
      if (this.#line === undefined || this.#line.closed) this.#line = await RawConnection.open(portOf(service));
      await this.#line.send(framed(request.body));
      const { replies } = await this.#line.replies(1, PATIENCE);
      expect(replies.length).toBe(1);
      expectAnswer(replies[0]!, request);
      await openAgain(replies[0]!);
      return 1;
    });
  }

  async #framing(make: typeof wellFramed): Promise<number> {
    const request = this.#maker.call();
    const { name, pieces, wants } = make(request.body, this.#sampler);
    return named(request, name, async () => {
      const line = await RawConnection.open(portOf(service));
      await line.send(...pieces);
      if (wants === 'reset') {
        line.reset();
        return 1;
      }
      if (wants === 'replied') {
        const { replies, closed } = await line.finish(PATIENCE);
        expect(closed).toBe(true);
        for (const { headers, body } of replies) if (!request.asksSecret) expectNoSecret(headers + body);
        return 1;
      }
      const { replies } = await line.replies(wants.answered, PATIENCE);
      line.reset();
      expect(replies.length).toBe(wants.answered);
      for (const reply of replies) expectAnswer(reply, request);
      return wants.answered;
    });
  }

  /** Three requests on one connection of the service with a login: a challenge, a right answer or a wrong one, and again. */
  async #login(): Promise<number> {
    const request: FuzzRequest = { method: 'get_version', body: Buffer.from('{"method":"get_version"}'), asksSecret: false };
    const line = await RawConnection.open(portOf(guarded));
    const ask = async (headers: readonly string[]): Promise<RawReply> => {
      await line.send(framed(request.body, headers));
      const { replies } = await line.replies(1, PATIENCE);
      expect(replies.length, headers.join()).toBe(1);
      expectNoSecret(replies[0]!.headers + replies[0]!.body);
      return replies[0]!;
    };
    const { headers } = await ask([]);
    const right = digestHeader(headers, LOGIN.name, LOGIN.password);
    const wrong = mangled(right, this.#sampler);
    if (this.#sampler.below(2) === 0) {
      expectAnswer(await ask([`Authorization: ${right}`]), request);
      expect((await ask([`Authorization: ${right}`])).status, 'a header used twice').toBe(401);
    } else {
      const refused = await ask([`Authorization: ${wrong}`]);
      expect(refused.status, wrong.slice(0, 300)).toBe(401);
      const again = digestHeader(refused.headers, LOGIN.name, LOGIN.password);
      expectAnswer(await ask([`Authorization: ${again}`]), request);
    }
    line.reset();
    return 3;
  }
}

/** Fails with what was sent. */
async function named(request: FuzzRequest, how: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const sent = Buffer.from(request.body).toString('utf8').slice(0, 400);
    throw new Error(`${how}: ${error instanceof Error ? error.message : error} — ${request.method} ${sent}`, { cause: error });
  }
}

/** The document of all methods names the code too. */
const NOT_OPEN = /^\{\s*"error": \{\s*"code": -13,/;
let opening: Promise<unknown> | undefined;

/** A call may have closed the wallet, or opened another, or named another daemon: whoever finds it closed opens it again. */
async function openAgain({ body }: RawReply): Promise<void> {
  if (!NOT_OPEN.test(body)) return;
  opening ??= reopen().finally(() => {
    opening = undefined;
  });
  await opening;
}

/** Somebody else's request may open another one meanwhile, or close this one: whoever finds that tries again. */
async function reopen(): Promise<void> {
  await call('open_wallet', { filename: 'main', password: PASSWORD }).catch(expectRefusal);
  await call('set_daemon', { address: devnet.url, trusted: true }).catch(expectRefusal);
}

function expectRefusal(error: unknown): void {
  if (!(error instanceof RpcFailure)) throw error;
}

interface Memory {
  readonly used: number;
  readonly rss: number;
}

/**
 * Memory with no wallet open, garbage collected: in use on the heap, and resident, which has what sealing keys took. What comes next begins
 * with the wallet as it was: what it holds shall not count as memory that requests leave behind.
 */
async function memory(): Promise<Memory> {
  await call('close_wallet', {}).catch(expectRefusal);
  copyFileSync(keptFile(), walletFile());
  const answer = new Promise<Memory>((resolve) => service.child.once('message', (message) => resolve(message as Memory)));
  service.child.send('memory');
  const measured = await answer;
  await reopen();
  return measured;
}

async function phase(requests: number, strangers: readonly Stranger[]): Promise<number> {
  let sent = 0;
  const work = strangers.map(async (stranger) => {
    while (sent < requests) sent += await stranger.next();
  });
  await Promise.all(work);
  return sent;
}

function summary(counts: readonly number[], measured: readonly Memory[], time: number): string {
  const mega = (bytes: number) => (bytes / 1e6).toFixed(1);
  const sent = counts.reduce((sum, count) => sum + count, 0);
  const memory = measured.map(({ used, rss }) => `${mega(used)} of ${mega(rss)}`).join(', ');
  return `${sent} requests in ${(time / 1000).toFixed(0)} s; memory in use of resident, MB: ${memory}`;
}

describe('the edge of a running service', () => {
  it(
    `stays up, keeps its secrets and its memory through ${RUNS} requests`,
    async () => {
      const strangers = Array.from({ length: CLIENTS }, (_, number) => new Stranger(number));
      const measured: Memory[] = [];
      const counts: number[] = [];
      const began = Date.now();
      for (let number = 0; number < PHASES; number++) {
        counts.push(await phase(RUNS / PHASES, strangers));
        expect(await call('get_version', {})).toHaveProperty('version');
        measured.push(await memory());
        console.log(summary(counts, measured, Date.now() - began));
      }
      for (const stranger of strangers) stranger.leave();
      const sent = counts.reduce((sum, count) => sum + count, 0);
      const growth = measured.at(-1)!.used - measured[0]!.used;
      expect(growth).toBeLessThan(LEARNT + LEFT_BEHIND * (sent - counts[0]!));
      expect(measured.at(-1)!.rss - measured[0]!.rss).toBeLessThan(RESIDENT);
      const said = [...service.lines, ...guarded.lines];
      expect(said.filter((line) => !STARTS.test(line) && !LOGGED.test(line))).toEqual([]);
      expect(said.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
    },
    600_000 + RUNS * REQUEST,
  );

  it('stops when it is asked to, in whatever words', async () => {
    await reopen();
    const request: JsonInput = { jsonrpc: '2.0', id: 1, method: 'stop_wallet', params: { now: [{}], at: 2n ** 64n - 1n } };
    const line = await RawConnection.open(portOf(service));
    await line.send(framed(Buffer.from(stringifyJson(request))));
    const { replies } = await line.replies(1, PATIENCE);
    expect(replies[0]!.body).toContain('"result"');
    expect(await service.ended).toBe(0);
  });
});

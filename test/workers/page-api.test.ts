import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import type { ServiceHost } from '../../src/rpc/host.ts';
import { METHODS } from '../../src/rpc/method-table.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { wordsOf } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { proxyCallsOnly } from '../../workers/comlink-calls.ts';
import type { PagePart, PageWallet, WalletHost } from '../../workers/host.ts';
import { servePage } from '../../workers/page-api.ts';
import { Host } from '../../workers/wallet-host.ts';
import { transferTypedErrors, type WireError } from '../../workers/wire.ts';
import { CHEAP_KDF } from '../storage/samples.ts';
import { inside } from '../support/inside.ts';
import { hash, output, sentTx, synced } from '../wallet/support.ts';

// The worker as an injected script has it: a real MessagePort, and whatever messages it likes to send there.

transferTypedErrors();
proxyCallsOnly();

const PASSWORD = 'correct horse battery';
const DAEMON_PASSWORD = 'the daemon’s own password';
const TX_KEY = hash('sent key') as string;
const SENT = hash('sent') as string;
const MASK = hash('mask') as string;

/** One message of comlink's wire. */
interface Message {
  readonly type: 'GET' | 'SET' | 'APPLY' | 'CONSTRUCT' | 'ENDPOINT';
  readonly path: readonly string[];
  readonly argumentList?: readonly unknown[];
  readonly value?: unknown;
}

let host: Host;
let page: Line;
let secrets: readonly string[];
let ports: MessagePort[];

beforeEach(async () => {
  // As a worker has it.
  vi.stubGlobal('navigator', { hardwareConcurrency: 1 });
  const store = new MemoryJournalStore({ kdf: CHEAP_KDF });
  const connect = () => DaemonClient.connect({ url: 'http://127.0.0.1:1' });
  host = new Host(environment({ store, scanPool: createInlineScanPool, connect }));
  const daemon = { url: 'http://node.example', trusted: true, username: 'me', password: DAEMON_PASSWORD };
  await host.create({ name: 'mine', password: PASSWORD, network: 'regtest', daemon }, { form: 'polyseed', language: 'English' });
  const room = inside(host.wallet);
  const tx = sentTx('sent', []);
  await room.append(
    [
      synced(0, 100, [output({ seed: 1 })], []),
      { type: 'TransactionBuilt', tx },
      { type: 'TransactionAccepted', txHash: SENT as never, at: 1 },
    ],
    'strict',
  );
  const { spendKey = new Uint8Array(), viewKey } = room.secrets;
  const words = { short: await wordsOf(room.secrets), long: await wordsOf(room.secrets, '25-words') };
  const polyseed = bytesToHex(room.secrets.polyseed!);
  secrets = [
    bytesToHex(spendKey),
    bytesToHex(viewKey),
    words.short,
    words.long,
    polyseed,
    TX_KEY,
    MASK,
    DAEMON_PASSWORD,
    PASSWORD,
  ];

  const { port1, port2 } = new MessageChannel();
  servePage(host, port1);
  page = new Line(port2);
  ports = [port1, port2];
});

afterEach(async () => {
  await host.lock();
  for (const port of ports) port.close();
  vi.unstubAllGlobals();
});

type Answer = { readonly error: WireError } | { readonly value: unknown };

/** The other end of a port: what was asked there, and what came back for it, as it came. */
class Line {
  readonly port: MessagePort;
  readonly #asked = new Map<string, (answer: Answer) => void>();

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }) => {
      const thrown = data.type === 'HANDLER' && data.name === 'throw';
      this.#asked.get(data.id)?.(thrown ? { error: data.value } : { value: data.value });
      this.#asked.delete(data.id);
    };
  }

  /** @param handed a port that stands for a function of ours: the one argument, then */
  ask({ argumentList = [], value, ...message }: Message, handed?: MessagePort): Promise<Answer> {
    const id = crypto.randomUUID();
    const given = handed ? [{ type: 'HANDLER', name: 'proxy', value: handed }] : argumentList.map(raw);
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.port.postMessage({ ...message, id, argumentList: given, value: raw(value) }, handed ? [handed] : []);
    });
  }
}

const raw = (value: unknown) => ({ type: 'RAW', value });
const ask = (message: Message): Promise<Answer> => page.ask(message);
const call = (path: readonly string[], ...argumentList: readonly unknown[]) => ask({ type: 'APPLY', path, argumentList });

/** Which secrets lie anywhere in a value that crossed, as text or as bytes. */
function secretsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'string') texts.push(part.toLowerCase());
    else if (part instanceof Uint8Array) texts.push(bytesToHex(part));
    else if (part instanceof Map || part instanceof Set) for (const entry of part) visit(entry);
    else if (typeof part === 'object' && part !== null) for (const entry of Object.values(part)) visit(entry);
  };
  visit(value);
  return secrets.filter((secret) => texts.some((text) => text.includes(secret.toLowerCase())));
}

/** Every name that a property of these objects has, on themselves or on what they inherit from. */
function namesOf(...objects: readonly object[]): readonly string[] {
  const names = new Set<string>(['room', 'secrets', 'spendKey', '__proto__']);
  for (let at of objects as readonly (object | null)[])
    for (; at !== null; at = Object.getPrototypeOf(at)) for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

/** Calls that the page makes, each with arguments that it takes. The types say that none is left out. */
const HOST_ARGUMENTS: Readonly<Record<Exclude<keyof WalletHost, 'wallet' | 'device' | 'paper'>, readonly unknown[]>> = {
  site: [],
  list: [],
  setOffline: [false],
  pairingCode: ['wrong'],
  revealSeed: ['wrong'],
  revealTxKey: ['wrong', SENT],
  readPairing: ['{}', 'regtest'],
  readWalletCode: ['{}', 'regtest'],
  checkAddress: ['nobody', 'regtest'],
  checkSeed: ['abbey abbey'],
  findSeedWord: ['abbey abbey', '', 'nobody', 'mainnet'],
  recognise: [[]],
  rename: ['Savings'],
  daemon: [],
  nodeHealth: [{ url: 'http://127.0.0.1:9', trusted: false }],
  readOnlyCalls: [],
  askNode: ['http://127.0.0.1:9', 'get_info', {}],
  stretchPin: ['480215', new Uint8Array(16)],
  expectPassword: ['mine', 'a password'],
  provePayment: [{ txHash: SENT, address: 'nobody', message: '' }],
  checkPayment: [{ txHash: SENT, address: 'nobody', message: '' }, 'OutProofV2'],
  signMessage: ['mine', { major: 0, minor: 0 }],
  checkMessage: ['mine', 'nobody', 'SigV2'],
  proveReserve: ['all', ''],
  checkReserve: [{ address: 'nobody' }, 'ReserveProofV2'],
  proveSpend: [{ txHash: SENT }],
  checkSpend: [{ txHash: SENT }, 'SpendProofV1'],
  faucet: ['nobody'],
  rpcMethods: [],
  rpc: ['query_key', '{"key_type": "spend_key"}'],
  create: [
    { name: 'other', password: PASSWORD, network: 'regtest', daemon: { url: '/daemon', trusted: false } },
    { form: 'polyseed', language: 'English' },
  ],
  seedLanguages: ['polyseed'],
  restoreFromSeed: [{}, 'abbey', '', { kind: 'tip' }],
  restoreViewOnly: [{}, 'nobody', '', { kind: 'tip' }],
  restoreFromKeys: [{}, { spendKey: 'nobody', viewKey: undefined, address: undefined }, { kind: 'tip' }],
  restoreFromKeysFile: [{}, new Uint8Array(100), 'wrong'],
  restoreFromBackup: ['other', 'wrong', new Uint8Array(100)],
  createForGroup: [{}, { me: 'Ada', others: [], threshold: 1 }],
  restoreFromGroupSeed: [{}, '00', '', { kind: 'tip' }],
  remove: ['nobody', undefined],
  open: ['mine', 'wrong'],
  lock: [],
};

const REQUEST = { destinations: [], account: 0, priority: 0 };
const WALLET_ARGUMENTS: Readonly<Record<Exclude<keyof PageWallet, PagePart>, readonly unknown[]>> = {
  view: [],
  subscribe: [],
  balanceDays: [],
  history: [],
  outputs: [],
  subaddresses: [0],
  addAccount: ['another'],
  setFrozen: [[hash('key 1')], false],
  nameOutput: [hash('key 1'), 'a coin'],
  contacts: [],
  saveContact: [{ address: 'nobody', description: '' }],
  removeContact: ['nobody'],
  setSecondDaemon: [undefined],
  compareSecondDaemon: [],
  pause: [],
  resume: [],
  refresh: [],
  rescan: [0],
  giveUpRefused: [SENT],
  giveUpRings: [[hash('key 1')]],
  seedWritten: [],
  saveDrafts: [[]],
  drafts: [],
  checkPassword: ['wrong'],
  exportKeysFile: ['wrong'],
  changePassword: ['wrong', 'another one'],
  backup: [],
  tryDaemon: [{ url: '/daemon', trusted: false }],
  setDaemon: [{ url: '/daemon', trusted: false }],
};
const PART_ARGUMENTS: { readonly [Part in PagePart]: Readonly<Record<keyof PageWallet[Part], readonly unknown[]>> } = {
  addresses: {
    make: [0, 'another'],
    label: [{ major: 0, minor: 0 }, 'mine'],
    setDisplay: [{ major: 0, minor: 0 }, 'pinned'],
    indexOf: ['nobody'],
    setLookahead: [{ major: 50, minor: 200 }],
  },
  notes: { write: [[{ txHash: SENT, note: 'a note' }]] },
  chain: { verifyPayment: [SENT], scanTransactions: [[SENT]] },
  payments: {
    feeLevels: [{ ...REQUEST, kind: 'transfer' }],
    prepareTransfer: [REQUEST],
    prepareSweep: [{ address: 'nobody', account: 0, priority: 0 }],
    prepareUnmixable: [{}],
    cancel: [],
    send: ['nothing'],
    discard: ['nothing'],
  },
  offline: {
    exportOutputs: [],
    importOutputs: [new Uint8Array(10)],
    exportKeyImages: [],
    importKeyImages: [new Uint8Array(10)],
    prepareUnsigned: [REQUEST],
    prepareUnsignedSweep: [{ address: 'nobody', account: 0, priority: 0 }],
    reviewUnsigned: [new Uint8Array(10)],
    signUnsigned: [new Uint8Array(10)],
    reviewSigned: [new Uint8Array(10)],
    submitSigned: [new Uint8Array(10)],
  },
  group: {
    message: [],
    earlierMessages: [],
    take: [new Uint8Array(10)],
    forget: [1],
    advance: [],
    confirmAddress: [],
    rename: [0, 'Ada'],
    exportInfo: [],
    importInfo: [],
    propose: ['nothing'],
    review: ['nothing'],
    sign: ['nothing'],
    setBytes: ['nothing'],
    submit: ['nothing'],
    remove: ['nothing'],
    seed: ['wrong', ''],
  },
};
const DEVICE_ARGUMENTS: Readonly<Record<keyof WalletHost['device'], readonly unknown[]>> = {
  link: [],
  meet: ['regtest'],
  showPrimary: [],
  create: [{}, { kind: 'tip' }],
  fingerprint: [],
  connect: [],
  release: [],
  showAddress: [{ major: 0, minor: 0 }],
  asShown: [['nobody']],
  keyImages: [],
  stopKeyImages: [],
};
const PAPER_ARGUMENTS: Readonly<Record<keyof WalletHost['paper'], readonly unknown[]>> = {
  open: [{ words: 'abbey', passphrase: '' }, { kind: 'tip' }],
  price: [],
  take: [{ major: 0, minor: 0 }, undefined, 'a note'],
  close: [],
};

/** Every call that is listed, by its path. */
const LISTED: readonly (readonly [path: readonly string[], given: readonly unknown[]])[] = [
  ...Object.entries(WALLET_ARGUMENTS).map(([name, given]) => [['wallet', name], given] as const),
  ...Object.entries(PART_ARGUMENTS).flatMap(([part, calls]) =>
    Object.entries(calls).map(([name, given]) => [['wallet', part, name], given as readonly unknown[]] as const),
  ),
  ...Object.entries(DEVICE_ARGUMENTS).map(([name, given]) => [['device', name], given] as const),
  ...Object.entries(PAPER_ARGUMENTS).map(([name, given]) => [['paper', name], given] as const),
  ...Object.entries(HOST_ARGUMENTS).map(([name, given]) => [[name], given] as const),
];

describe('the wallet worker, from the page’s side', () => {
  it('T12 the spend key is not to be had by its path', async () => {
    const answer = await ask({ type: 'GET', path: ['wallet', 'inside', 'secrets', 'spendKey'] });
    expect(secretsIn(answer)).toEqual([]);
    expect(answer).toMatchObject({ error: { code: 'no-such-call' } });
  });

  it('T12 no property can be read, set, made anew or taken along, whatever its path', async () => {
    const { wallet } = host;
    const names = namesOf(host, wallet, inside(wallet), inside(wallet).secrets, inside(wallet).state, () => undefined);
    const starts = [[], ['wallet'], ['wallet', 'inside'], ['wallet', 'inside', 'secrets'], ['open'], ['open', 'constructor']];
    const paths: string[][] = [[], ...starts.flatMap((start) => names.map((name) => [...start, name]))];
    const answered: string[] = [];
    for (const type of ['GET', 'SET', 'CONSTRUCT', 'ENDPOINT'] as const) {
      const answers = await Promise.all(paths.map((path) => ask({ type, path, value: 'changed' })));
      answers.forEach((answer, at) => {
        if (!('error' in answer) || answer.error.code !== 'no-such-call') answered.push(`${type} ${paths[at]?.join('.')}`);
      });
    }
    expect(answered).toEqual([]);
  });

  it('T12 what is called is a call of the list, and nothing that lies behind one', async () => {
    const { wallet } = host;
    const names = namesOf(host, wallet, inside(wallet), () => undefined);
    const listed = new Set(LISTED.map(([path]) => path.join('.')));
    const starts = [
      [],
      ['wallet'],
      ['wallet', 'offline'],
      ['wallet', 'payments'],
      ['device'],
      ['paper'],
      ['wallet', 'proofs'],
      ['open'],
      ['wallet', 'view'],
      ['wallet', 'inside'],
      ['constructor'],
    ];
    const paths = starts.flatMap((start) => names.map((name) => [...start, name])).filter((path) => !listed.has(path.join('.')));
    const answers = await Promise.all(paths.map((path) => call(path, 'return 1')));
    const answered = paths.filter((_, at) => {
      const answer = answers[at];
      return answer === undefined || !('error' in answer) || answer.error.code !== 'no-such-call';
    });
    expect(answered.map((path) => path.join('.'))).toEqual([]);
  });

  it('T12 no call answers with a secret, but for the seed to the one who has the password', async () => {
    const told: Record<string, readonly string[]> = {};
    const tell = (name: string, answer: unknown): void => {
      const found = secretsIn(answer);
      if (found.length > 0) told[name] = found;
    };
    expect(secretsIn(await call(['revealSeed'], PASSWORD))).toEqual([secrets[2]]);
    expect(secretsIn(await call(['revealSeed'], PASSWORD, '25-words'))).toEqual([secrets[3]]);
    for (const [path, given] of LISTED) tell(path.join('.'), await call(path, ...given));
    expect(told).toEqual({});
  });

  it('T12 no command answers with a key or the words without the password, and each does with it', async () => {
    const told: string[] = [];
    const open = METHODS.filter(({ name }) => !['close_wallet', 'stop_wallet'].includes(name));
    const answers = await Promise.all(open.map(async ({ name }) => ({ name, answer: await call(['rpc'], name, '') })));
    told.push(...answers.filter(({ answer }) => secretsIn(answer).length > 0).map(({ name }) => name));
    const commands = [
      ['query_key', '{"key_type": "spend_key"}', secrets[0]],
      ['query_key', '{"key_type": "view_key"}', secrets[1]],
      ['query_key', '{"key_type": "mnemonic"}', secrets[3]],
      ['get_tx_key', `{"txid": "${SENT}"}`, TX_KEY],
    ] as const;
    for (const [name, params, secret] of commands) {
      const bare = await call(['rpc'], name, params);
      if (secretsIn(bare).length > 0) told.push(`${name} ${params}`);
      expect.soft(bare).toMatchObject({ error: { code: 'password-needed' } });
      expect.soft(await call(['rpc'], name, params, 'wrong')).toMatchObject({ error: { code: 'wrong-password' } });
      expect.soft(secretsIn(await call(['rpc'], name, params, PASSWORD))).toEqual([secret]);
    }
    expect(told).toEqual([]);
  });

  it('T12 every command whose answer may hold a key says when it does', () => {
    const SECRET = new Set(['key', 'seed', 'tx_key', 'tx_key_list', 'tx_metadata', 'tx_metadata_list']);
    // The words that it answers are those it was given; and the page has no backend for it.
    const GIVEN = ['restore_deterministic_wallet'];
    const silent = METHODS.filter(({ name, result, revealsSecret }) => {
      const fields = Object.keys((result as unknown as { entries: object }).entries);
      return fields.some((field) => SECRET.has(field)) && revealsSecret === undefined && !GIVEN.includes(name);
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
    const host = { restricted: false, wallet: undefined } as unknown as ServiceHost;
    const service = new RpcService(host);
    expect(service.revealsSecret('transfer', { get_tx_key: true })).toBe(true);
    expect(service.revealsSecret('transfer_split', { get_tx_metadata: true })).toBe(true);
    expect(service.revealsSecret('sign_transfer', { get_tx_keys: true })).toBe(true);
    expect(service.revealsSecret('transfer', {})).toBe(false);
  });

  it('T19 the engine keeps no words that were checked as the text of its last match', async () => {
    const words = secrets[2]!;
    const checked = await call(['checkSeed'], words);
    const kept = RegExp.input;
    expect(checked).toMatchObject({ value: { unknown: [] } });
    for (const word of words.split(' ')) expect(kept).not.toContain(word);
  });

  it('T12 a function that crosses can be called, and no more', async () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const answer = await page.ask({ type: 'APPLY', path: ['wallet', 'subscribe'] }, port1);
    if (!('value' in answer)) throw new Error(answer.error.message);
    const unsubscriber = new Line(answer.value as MessagePort);
    ports.push(unsubscriber.port);
    const answered: string[] = [];
    for (const type of ['GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'APPLY'] as const)
      for (const path of [['constructor'], ['constructor', 'constructor'], ...(type === 'APPLY' ? [] : [[]])]) {
        const said = await unsubscriber.ask({ type, path, argumentList: ['return 1'] });
        if (!('error' in said) || said.error.code !== 'no-such-call') answered.push(`${type} ${path.join('.')}`);
      }
    expect(answered).toEqual([]);
    expect(await unsubscriber.ask({ type: 'APPLY', path: [] })).toEqual({ value: true });
  });
});

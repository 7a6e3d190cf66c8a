import { asciiToBytes, bytesToLatin1, equalBytes } from '../../../src/base/index.ts';
import { scalarMulBase } from '../../../src/crypto/index.ts';
import { encodeAddress, type Network } from '../../../src/protocol/index.ts';
import { ARITHMETIC, addressAt, hasSmallOrder, stealth } from './arithmetic.ts';
import { type Chance, SCALAR } from './chance.ts';
import { isOrdered, moveOn, requireOrder } from './order.ts';
import { DENIED, demand, Refusal } from './refusal.ts';
import { Request, Seal, SPEND_SLOT, VIEW_SLOT } from './request.ts';
import type { Owner, Shown } from './screen.ts';
import { type AppKeys, appKeys, TEST_MNEMONIC } from './seed.ts';
import { blind, clsag, DeviceTransaction, genCommitmentMask, genTxoutKeys, prefixHash, validate } from './transaction.ts';

/** An app's options. */
export interface AppOptions {
  readonly chance: Chance;
  readonly mnemonic?: string;
  readonly account?: number;
  readonly version?: '2.1.3' | '2.2.0' | (string & {});
  readonly network?: Network;
  /** Confirms everything unless given. */
  readonly owner?: Owner;
  /** A touch screen, which shows everything at once and holds three destinations. */
  readonly touch?: boolean;
  /** A hypothetical app that signs only if every round of a ring was hashed. */
  readonly wantsEveryRound?: boolean;
  /** The name of an app other than Monero. */
  readonly other?: string;
}

const CLASSES: readonly number[] = [0x00, 0x03, 0x04];
/** Values of P1 accepted by commands outside the order of a transaction; 0 if none is listed. */
const P1: Readonly<Record<number, readonly number[]>> = { 32: [1, 2], 33: [0, 1], 38: [0, 1, 2] };
const GONE: readonly number[] = [0x28, 0x3e];
const MOST_CHANGE = 8;

/**
 * A double of the Monero app: the device's side of every command, with its own checks of order, HMACs, amounts, commitments and change. Any status
 * other than 9000 and the owner's refusal ends it, as it ends the real app.
 */
export class MoneroApp {
  readonly keys: AppKeys;
  readonly publicKeys: { readonly viewKey: Uint8Array; readonly spendKey: Uint8Array };
  readonly seal: Seal;
  readonly chance: Chance;
  /** Changes if its owner installs another version. */
  version: string;
  readonly network: Network;
  readonly touch: boolean;
  wantsEveryRound: boolean;
  readonly #owner: Owner;
  readonly #other: string | undefined;
  /** Everything shown so far. */
  readonly screens: Shown[] = [];
  alive = true;
  exchanges = 0;
  mode = 0;
  /** Signatures begun since the app was opened. */
  count = 0;
  tx = new DeviceTransaction();
  lastDerived: Uint8Array = new Uint8Array();
  lastSubaddress: Uint8Array = new Uint8Array();
  #class: number | undefined;

  constructor({
    chance,
    mnemonic = TEST_MNEMONIC,
    account = 0,
    version = '2.2.0',
    network = 'mainnet',
    owner,
    touch = false,
    wantsEveryRound = false,
    other,
  }: AppOptions) {
    this.keys = appKeys(mnemonic, account);
    this.publicKeys = { viewKey: scalarMulBase(this.keys.viewKey), spendKey: scalarMulBase(this.keys.spendKey) };
    this.seal = new Seal(this.keys);
    this.chance = chance;
    this.version = version;
    this.network = network;
    this.touch = touch;
    this.wantsEveryRound = wantsEveryRound;
    this.#owner = owner ?? (() => true);
    this.#other = other;
  }

  /** Whether secrets have HMACs. */
  get macs(): boolean {
    return this.tx.isOpen;
  }

  /** Ends a transaction without closing it: its state stays. */
  abort(): void {
    const { place } = this.tx;
    this.tx = new DeviceTransaction();
    this.tx.place = place;
  }

  /** Reopens it after it ended, as its owner would. */
  reopen(version = this.version): void {
    this.version = version;
    this.alive = true;
    this.#class = undefined;
    this.#wipe();
  }

  /** @returns data and status; undefined if the device is gone */
  async answer(apdu: Uint8Array): Promise<Uint8Array | undefined> {
    if (!this.alive) return undefined;
    this.exchanges += 1;
    try {
      const data = await this.#answer(apdu);
      return Uint8Array.from([...data, 0x90, 0x00]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status !== DENIED && this.#other === undefined) this.alive = false;
      return Uint8Array.of(error.status >> 8, error.status & 0xff);
    }
  }

  async ask(shown: Shown): Promise<boolean> {
    this.screens.push(shown);
    return this.#owner(shown);
  }

  /** Change goes to the primary address, to a subaddress whose key was requested in this transaction, or to the first of its account. */
  requireOwnChange(viewKey: Uint8Array, spendKey: Uint8Array): void {
    if (this.version === '2.1.3' || this.mode !== 1) return;
    const allowed = [[0, 0] as const, ...this.tx.changeIndices.flatMap(([M, m]) => [[M, m] as const, [M, 0] as const])];
    const own = allowed.some(([M, m]) => {
      const address = addressAt(this, M, m);
      return equalBytes(address.viewKey, viewKey) && equalBytes(address.spendKey, spendKey);
    });
    demand(own, 0x691c);
  }

  /** A point that the app multiplies: 2.2.0 rejects points of small order. */
  requireMultipliable(point: Uint8Array): Uint8Array {
    demand(this.version === '2.1.3' || !hasSmallOrder(point), 0x6984);
    return point;
  }

  rememberChange(major: number, minor: number): void {
    const { changeIndices } = this.tx;
    const isNew = (major !== 0 || minor !== 0) && !changeIndices.some(([M, m]) => M === major && m === minor);
    if (isNew && this.mode === 1 && changeIndices.length < MOST_CHANGE) changeIndices.push([major, minor]);
  }

  async #answer(apdu: Uint8Array): Promise<Uint8Array> {
    if (this.#other !== undefined) return this.#otherApp(apdu);
    const [cla, ins, p1, p2, length] = apdu as unknown as [number, number, number, number, number];
    if (cla === 0xb0) return this.#system(ins);
    demand(CLASSES.includes(cla), 0x6e00);
    if (ins === 0x02) this.#class = undefined;
    else demand(this.#class === undefined || this.#class === cla, 0x6e00);
    if (ins !== 0x02) this.#class = cla;
    demand(length !== 0, 0x0000);
    demand(length === apdu.length - 5, 0x6700);
    demand(isOrdered(ins) || (P1[ins] ?? [0]).includes(p1) || GONE.includes(ins), 0x6b00);
    const request = new Request(this, apdu.slice(6));
    const command = { instruction: ins, p1, p2, option: apdu[5]! };
    requireOrder(this, command);
    try {
      await this.#command(ins, command, request);
      moveOn(this.tx, command);
    } catch (error) {
      if (error instanceof Refusal && error.status === DENIED) moveOn(this.tx, command);
      throw error;
    }
    demand(request.left === 0, 0x6700);
    return request.reply();
  }

  #otherApp(apdu: Uint8Array): Uint8Array {
    demand(apdu[0] === 0xb0 && apdu[1] === 0x01, 0x6e00);
    return named(this.#other!, '1.0.0');
  }

  #system(ins: number): Uint8Array {
    if (ins === 0xa7) this.alive = false;
    return ins === 0x01 ? named('Monero', this.version) : new Uint8Array();
  }

  #command(ins: number, { p1, p2, option }: { p1: number; p2: number; option: number }, q: Request): void | Promise<void> {
    switch (ins) {
      case 0x02:
        return this.#reset(q);
      case 0x20:
        return this.#getKey(p1, q);
      case 0x21:
        return this.#displayAddress(p1, q);
      case 0x70:
        return this.#openTx(q);
      case 0x72:
        this.mode = q.byte();
        demand(this.mode === 1 || this.mode === 2, 0x6984);
        return q.put(Uint8Array.of(0, 0, 0, this.mode));
      case 0x76:
        return stealth(this, q);
      case 0x77:
        return genCommitmentMask(this, q);
      case 0x78:
        return blind(this, q);
      case 0x7b:
        return genTxoutKeys(this, q);
      case 0x7c:
        return validate(this, q, p1, option);
      case 0x7d:
        return prefixHash(this, q, p1, option);
      case 0x7f:
        return clsag(this, q, p1, p2, option);
      case 0x80:
        this.tx = new DeviceTransaction();
        return;
      case 0x22:
        demand(this.version === '2.1.3', 0x6d00);
        throw new Refusal(0x6984);
    }
    const handler = ARITHMETIC[ins];
    demand(handler !== undefined, 0x6d00);
    return handler(this, q, p1, option);
  }

  #reset(q: Request): void {
    const client = bytesToLatin1(q.rest());
    demand(client.length <= 14, 0x6a31);
    demand(/^0\.18(\.|$)/.test(client) && client !== '0.18.0.0', 0x6a30);
    this.#wipe();
    q.put(Uint8Array.from(this.version.split('.').map(Number)));
  }

  #wipe(): void {
    this.mode = 0;
    this.count = 0;
    this.tx = new DeviceTransaction();
  }

  async #getKey(p1: number, q: Request): Promise<void> {
    const { viewKey, spendKey } = this.publicKeys;
    if (p1 === 1) {
      const text = encodeAddress({ network: this.network, kind: 'standard', viewKey, spendKey, paymentId: undefined });
      return q.put(viewKey, spendKey, asciiToBytes(text));
    }
    demand(await this.ask({ title: 'Export', text: 'View Key' }), DENIED);
    q.put(this.keys.viewKey);
  }

  async #displayAddress(p1: number, q: Request): Promise<void> {
    const [major, minor, id] = [q.u32le(), q.u32le(), q.bytes(8)];
    const primary = major === 0 && minor === 0;
    demand(p1 === 0 || primary, 0x6984);
    const keys = addressAt(this, major, minor);
    const kind = p1 === 1 ? 'integrated' : primary ? 'standard' : 'subaddress';
    const text = encodeAddress({ network: this.network, kind, ...keys, paymentId: p1 === 1 ? id : undefined });
    await this.ask({ title: 'Address', text });
  }

  #openTx(q: Request): void {
    q.u32be();
    this.chance.newMacs();
    this.tx = new DeviceTransaction();
    this.tx.isOpen = true;
    this.tx.r = this.chance.scalar();
    q.put(scalarMulBase(this.tx.r));
    q.putSecret(this.tx.r, SCALAR);
    q.putSealed(VIEW_SLOT, SCALAR);
    q.putSealed(SPEND_SLOT, SCALAR);
  }
}

/** The device's system's information about an app. */
function named(name: string, version: string): Uint8Array {
  const text = (value: string) => [value.length, ...asciiToBytes(value)];
  return Uint8Array.from([1, ...text(name), ...text(version), 1, 0]);
}

import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, equalBytes } from '../../../src/base/index.ts';
import {
  commit,
  commitmentMask,
  decodeAmount8,
  derivationToScalar,
  derivePublicKey,
  deriveViewTag,
  encodeAmount8,
  G,
  generateKeyDerivation,
  hashToScalar,
  isPoint,
  keccak256,
  scalarIsZero,
  scalarMul,
  scalarMulAdd,
  scalarMulBase,
  scalarMulPoint,
  scalarSub,
} from '../../../src/crypto/index.ts';
import { ByteReader, encodeAddress } from '../../../src/protocol/index.ts';
import type { MoneroApp } from './app.ts';
import { AMOUNT_KEY, NONCE, SCALAR } from './chance.ts';
import { NOWHERE, type Place } from './order.ts';
import { DENIED, demand, Refusal } from './refusal.ts';
import type { Request } from './request.ts';
import { type Shown, shownAmount } from './screen.ts';

const REAL = 1;
const RING = 16;
/** A slot for a key that accepts no placeholder for the wallet's own keys. */
const NONE = { key: true };

/** The app's state for one transaction. */
export class DeviceTransaction {
  /** Opened, and neither closed nor aborted: then secrets have HMACs. */
  isOpen = false;
  /** The last command that advanced it. */
  place: Place = NOWHERE;
  r: Uint8Array = new Uint8Array();
  prefix: Uint8Array[] = [];
  prefixHash: Uint8Array = new Uint8Array();
  /** Hash chains over address, change flag and amount key: of the outputs created, and of those shown. */
  made: Uint8Array = new Uint8Array();
  shown: Uint8Array = new Uint8Array();
  base: Uint8Array[] = [];
  commitments: Uint8Array[] = [];
  again: Uint8Array[] = [];
  message: Uint8Array = new Uint8Array();
  ring: Uint8Array[] = [];
  challenge: Uint8Array = new Uint8Array();
  /** Rounds hashed since this input's signature was started. */
  rounds = 0;
  /** Items collected by a screen that shows everything at once. */
  readonly collected: Shown[] = [];
  /** Subaddresses whose keys were requested: change may go there. */
  readonly changeIndices: (readonly [number, number])[] = [];
}

function link(chain: Uint8Array, A: Uint8Array, B: Uint8Array, change: number, key: Uint8Array): Uint8Array {
  return sha256(concatBytes(chain, A, B, Uint8Array.of(change), key));
}

export function genTxoutKeys(app: MoneroApp, q: Request): void {
  const { tx } = app;
  q.u32be();
  const r = q.secret([SCALAR], NONE);
  const [R, A, B] = [q.point(), q.bytes(32), q.bytes(32)];
  const index = q.u32be();
  const [change, isSubaddress, needsOwn] = [q.byte(), q.byte(), q.byte()];
  const own = needsOwn === 1 ? q.secret([SCALAR], NONE) : undefined;
  if (own === undefined) q.bytes(32);
  const tagged = q.byte() === 1;
  if (change === 1) app.requireOwnChange(A, B);
  demand(isPoint(A) && isPoint(B), 0x6919);
  const derivation =
    change === 1
      ? generateKeyDerivation(R, app.keys.viewKey)!
      : generateKeyDerivation(A, isSubaddress === 1 && own !== undefined ? own : r)!;
  const key = derivationToScalar(derivation, index);
  q.putSecret(key, AMOUNT_KEY);
  q.put(derivePublicKey(derivation, index, B)!);
  if (own !== undefined) q.put(isSubaddress === 1 ? scalarMulPoint(own, B) : scalarMulBase(own));
  if (tagged) q.put(Uint8Array.of(deriveViewTag(derivation, index)));
  tx.made = link(tx.made, A, B, change, key);
}

export async function prefixHash(app: MoneroApp, q: Request, p1: number, option: number): Promise<void> {
  const { tx } = app;
  if (p1 === 1) {
    const head = q.rest();
    const reader = new ByteReader(head);
    shortVarint(reader);
    const unlock = shortVarint(reader);
    demand(reader.remaining === 0, 0x6984);
    tx.prefix = [head];
    tx.collected.length = 0;
    if (unlock !== 0n) await show(app, { title: 'Timelock', text: String(unlock) }, false);
    return;
  }
  tx.prefix.push(q.rest());
  if ((option & 0x80) !== 0) return;
  tx.prefixHash = keccak256(...tx.prefix);
  q.put(tx.prefixHash);
}

/** At most 8 bytes. */
function shortVarint(reader: ByteReader): bigint {
  const before = reader.remaining;
  const value = reader.varint();
  demand(before - reader.remaining <= 8, 0x6984);
  return value;
}

export function genCommitmentMask(_app: MoneroApp, q: Request): void {
  q.put(commitmentMask(q.secret([AMOUNT_KEY])));
}

export function blind(_app: MoneroApp, q: Request): void {
  const key = q.secret([AMOUNT_KEY]);
  q.bytes(32);
  const amount = q.bytes(32);
  const hidden = encodeAmount8(key, new DataView(amount.buffer).getBigUint64(0, true));
  q.put(hidden, amount.slice(8), new Uint8Array(32));
}

export async function validate(app: MoneroApp, q: Request, p1: number, option: number): Promise<void> {
  const { tx, mode } = app;
  if (p1 === 1) {
    const base = q.rest();
    const reader = new ByteReader(base);
    reader.u8();
    const fee = shortVarint(reader);
    demand(reader.remaining === 0 || app.version === '2.1.3', 0x6984);
    tx.base = [base];
    if (mode === REAL) await show(app, { title: 'Fee', text: shownAmount(fee) }, false);
    return;
  }
  if (p1 === 2) return validateOutput(app, q, option);
  if ((option & 0x80) !== 0) {
    tx.again.push(q.bytes(32));
    return;
  }
  const [prefix, proof] = [q.bytes(32), q.bytes(32)];
  if (mode !== REAL) {
    q.put(app.chance.idleMessage());
    return;
  }
  demand(equalBytes(concatBytes(...tx.again), concatBytes(...tx.commitments)), 0x6914);
  demand(equalBytes(prefix, tx.prefixHash), 0x691b);
  tx.message = keccak256(prefix, keccak256(...tx.base, ...tx.again), proof);
  q.put(tx.message);
}

async function validateOutput(app: MoneroApp, q: Request, option: number): Promise<void> {
  const { tx, mode } = app;
  const [isSubaddress, change] = [q.byte(), q.byte()];
  const [A, B] = [q.bytes(32), q.bytes(32)];
  const key = q.secret([AMOUNT_KEY]);
  const C = q.bytes(32);
  q.bytes(32);
  const v = q.bytes(32).slice(0, 8);
  tx.base.push(v);
  tx.commitments.push(C);
  tx.shown = link(tx.shown, A, B, change, key);
  if (mode !== REAL) return;
  const amount = decodeAmount8(key, v);
  demand(equalBytes(commit(amount, commitmentMask(key)), C), 0x6914);
  if (change === 1) app.requireOwnChange(A, B);
  else demand(amount !== 0n, 0x6913);
  const last = (option & 0x80) === 0;
  demand(!last || equalBytes(tx.shown, tx.made), 0x6914);
  if (change === 1) return show(app, { title: 'Change', text: shownAmount(amount) }, last);
  const kind = isSubaddress === 1 ? 'subaddress' : 'standard';
  const destination = encodeAddress({ network: app.network, kind, viewKey: A, spendKey: B, paymentId: undefined });
  await show(app, { title: 'Amount', text: shownAmount(amount), destination }, last);
}

/** The number of amounts and destinations for which a touch screen has room. */
const MOST_AMOUNTS = 6;
const MOST_DESTINATIONS = 3;
const MOST_LINES = 9;

/**
 * Buttons: each item is shown and confirmed separately. Touch: all are collected, and shown at the last output; if there is no room, the app
 * refuses without asking.
 */
async function show(app: MoneroApp, shown: Shown, last: boolean): Promise<void> {
  if (!app.touch) return require(app, await app.ask(shown));
  const { collected } = app.tx;
  collected.push(shown);
  const destinations = collected.filter(({ destination }) => destination !== undefined).length;
  const fits =
    collected.length <= MOST_AMOUNTS && destinations <= MOST_DESTINATIONS && collected.length + destinations <= MOST_LINES;
  require(app, fits);
  if (!last) return;
  for (const one of collected) require(app, await app.ask(one));
}

/** A refusal leaves the app running and the transaction aborted: it must be closed before another. */
function require(app: MoneroApp, agreed: boolean): void {
  if (agreed) return;
  app.abort();
  throw new Refusal(DENIED);
}

export function clsag(app: MoneroApp, q: Request, p1: number, p2: number, option: number): void {
  demand(app.mode === REAL, 0x6980);
  if (p1 === 1) clsagPrepare(app, q);
  else if (p1 === 3) clsagSign(app, q);
  else clsagHash(app, q, p2, option);
}

function clsagPrepare(app: MoneroApp, q: Request): void {
  app.count += 1;
  app.tx.rounds = 0;
  const p = q.secret([SCALAR]);
  const z = q.bytes(32);
  const H = app.requireMultipliable(q.point());
  const nonce = app.chance.scalar();
  q.putSecret(nonce, NONCE);
  q.put(scalarMulPoint(nonce, G as Uint8Array), scalarMulPoint(nonce, H), scalarMulPoint(p, H), scalarMulPoint(z, H));
}

function clsagHash(app: MoneroApp, q: Request, p2: number, option: number): void {
  const { tx } = app;
  if (p2 === 1) tx.ring = [];
  tx.ring.push(q.bytes(32));
  if ((option & 0x80) !== 0) return;
  const approved = tx.ring.length >= 3 && equalBytes(tx.ring.at(-3)!, tx.message);
  demand(approved || app.version === '2.1.3', 0x6919);
  tx.challenge = hashToScalar(...tx.ring);
  tx.rounds += 1;
  q.put(tx.challenge);
}

function clsagSign({ tx, wantsEveryRound }: MoneroApp, q: Request): void {
  demand(!wantsEveryRound || tx.rounds >= RING, 0x6984);
  const [nonce, p] = [q.secret([NONCE]), q.secret([SCALAR])];
  const [z, muP, muC] = [q.bytes(32), q.bytes(32), q.bytes(32)];
  demand(!scalarIsZero(z), 0x6984);
  const sum = scalarMulAdd(muP, p, scalarMul(muC, z));
  q.put(scalarSub(nonce, scalarMul(tx.challenge, sum)));
}

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
  scalarMul,
  scalarMulAdd,
  scalarMulBase,
  scalarMulPoint,
  scalarSub,
} from '../../../src/crypto/index.ts';
import { ByteReader, encodeAddress } from '../../../src/protocol/index.ts';
import type { MoneroApp } from './app.ts';
import { AMOUNT_KEY, NONCE, SCALAR } from './chance.ts';
import { DENIED, demand, Refusal } from './refusal.ts';
import type { Request } from './request.ts';
import { shownAmount } from './screen.ts';

/** Where a transaction stands: the command that was taken last. */
export type Stage =
  | 'none'
  | 'open'
  | 'keys'
  | 'prefix'
  | 'hashed'
  | 'masks'
  | 'blind'
  | 'fee'
  | 'outputs'
  | 'commitments'
  | 'closed';

const REAL = 1;

/** What the app remembers of one transaction. */
export class DeviceTransaction {
  stage: Stage = 'none';
  r: Uint8Array = new Uint8Array();
  prefixTurn = 0;
  outputTurn = 0;
  prefix: Uint8Array[] = [];
  prefixHash: Uint8Array = new Uint8Array();
  /** Chains over address, change flag and amount key: of the outputs made, and of those shown. */
  made: Uint8Array = new Uint8Array();
  shown: Uint8Array = new Uint8Array();
  base: Uint8Array[] = [];
  commitments: Uint8Array[] = [];
  again: Uint8Array[] = [];
  message: Uint8Array = new Uint8Array();
  ring: Uint8Array[] = [];
  ringStage: 'idle' | 'begun' | 'hashing' | 'hashed' = 'idle';
  challenge: Uint8Array = new Uint8Array();
  signatures = 0;
  /** Subaddresses whose keys were asked for: change may go there. */
  readonly changeIndices: (readonly [number, number])[] = [];
}

const at = (stages: readonly Stage[], stage: Stage) => demand(stages.includes(stage), 0x6980);

function link(chain: Uint8Array, A: Uint8Array, B: Uint8Array, change: number, key: Uint8Array): Uint8Array {
  return sha256(concatBytes(chain, A, B, Uint8Array.of(change), key));
}

export function genTxoutKeys(app: MoneroApp, q: Request): void {
  const { tx } = app;
  at(['open', 'keys'], tx.stage);
  q.u32be();
  const r = q.secret([SCALAR]);
  const [R, A, B] = [q.point(), q.bytes(32), q.bytes(32)];
  const index = q.u32be();
  const [change, isSubaddress, needsOwn] = [q.byte(), q.byte(), q.byte()];
  const own = needsOwn === 1 ? q.secret([SCALAR]) : undefined;
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
  tx.stage = 'keys';
}

export async function prefixHash(app: MoneroApp, q: Request, p1: number, p2: number, option: number): Promise<void> {
  const { tx } = app;
  if (p1 === 1) {
    at(['keys'], tx.stage);
    const head = q.rest();
    const reader = new ByteReader(head);
    reader.varint();
    const unlock = reader.varint();
    tx.prefix = [head];
    tx.stage = 'prefix';
    if (unlock !== 0n) await ask(app, { title: 'Timelock', text: String(unlock) });
    return;
  }
  at(['prefix'], tx.stage);
  tx.prefixTurn += 1;
  demand(p2 === tx.prefixTurn, 0x6981);
  tx.prefix.push(q.rest());
  if ((option & 0x80) !== 0) return;
  tx.prefixHash = keccak256(...tx.prefix);
  tx.stage = 'hashed';
  q.put(tx.prefixHash);
}

export function genCommitmentMask({ tx }: MoneroApp, q: Request): void {
  at(['hashed', 'masks'], tx.stage);
  q.put(commitmentMask(q.secret([AMOUNT_KEY])));
  tx.stage = 'masks';
}

export function blind({ tx, mode }: MoneroApp, q: Request): void {
  at(mode === REAL ? ['masks', 'blind'] : ['hashed', 'masks', 'blind'], tx.stage);
  const key = q.secret([AMOUNT_KEY]);
  q.bytes(32);
  const amount = q.bytes(32);
  const hidden = encodeAmount8(key, new DataView(amount.buffer).getBigUint64(0, true));
  q.put(hidden, amount.slice(8), new Uint8Array(32));
  tx.stage = 'blind';
}

export async function validate(app: MoneroApp, q: Request, p1: number, p2: number, option: number): Promise<void> {
  const { tx, mode } = app;
  if (p1 === 1) {
    at(['blind'], tx.stage);
    const base = q.rest();
    const reader = new ByteReader(base);
    reader.u8();
    const fee = reader.varint();
    demand(reader.remaining === 0 || app.version === '2.1.3', 0x6984);
    tx.base = [base];
    tx.stage = 'fee';
    if (mode === REAL) await ask(app, { title: 'Fee', text: shownAmount(fee) });
    return;
  }
  if (p1 === 2) return validateOutput(app, q, p2, option);
  at(['outputs', 'commitments'], tx.stage);
  tx.stage = 'commitments';
  if ((option & 0x80) !== 0) {
    tx.again.push(q.bytes(32));
    return;
  }
  const [prefix, proof] = [q.bytes(32), q.bytes(32)];
  if (mode !== REAL) {
    q.put(app.chance.idleMessage());
    tx.stage = 'closed';
    return;
  }
  demand(equalBytes(concatBytes(...tx.again), concatBytes(...tx.commitments)), 0x6914);
  demand(equalBytes(prefix, tx.prefixHash), 0x691b);
  tx.message = keccak256(prefix, keccak256(...tx.base, ...tx.again), proof);
  tx.stage = 'closed';
  q.put(tx.message);
}

async function validateOutput(app: MoneroApp, q: Request, p2: number, option: number): Promise<void> {
  const { tx, mode } = app;
  at(['fee', 'outputs'], tx.stage);
  tx.outputTurn += 1;
  demand(p2 === tx.outputTurn, 0x6981);
  const [isSubaddress, change] = [q.byte(), q.byte()];
  const [A, B] = [q.bytes(32), q.bytes(32)];
  const key = q.secret([AMOUNT_KEY]);
  const C = q.bytes(32);
  q.bytes(32);
  const v = q.bytes(32).slice(0, 8);
  tx.base.push(v);
  tx.commitments.push(C);
  tx.shown = link(tx.shown, A, B, change, key);
  tx.stage = 'outputs';
  if (mode !== REAL) return;
  const amount = decodeAmount8(key, v);
  demand(equalBytes(commit(amount, commitmentMask(key)), C), 0x6914);
  if (change === 1) app.requireOwnChange(A, B);
  else demand(amount !== 0n, 0x6913);
  demand((option & 0x80) !== 0 || equalBytes(tx.shown, tx.made), 0x6914);
  if (change === 1) return ask(app, { title: 'Change', text: shownAmount(amount) });
  const kind = isSubaddress === 1 ? 'subaddress' : 'standard';
  const destination = encodeAddress({ network: app.network, kind, viewKey: A, spendKey: B, paymentId: undefined });
  await ask(app, { title: 'Amount', text: shownAmount(amount), destination });
}

/** A no leaves the app running and the transaction aborted: it is to be closed before another. */
async function ask(app: MoneroApp, shown: Parameters<MoneroApp['ask']>[0]): Promise<void> {
  if (await app.ask(shown)) return;
  app.macs = false;
  throw new Refusal(DENIED);
}

export function clsag(app: MoneroApp, q: Request, p1: number, p2: number, option: number): void {
  const { tx, mode } = app;
  at(['closed'], tx.stage);
  demand(mode === REAL, 0x6980);
  if (p1 === 1) clsagPrepare(app, q);
  else if (p1 === 3) clsagSign(app, q);
  else clsagHash(app, q, p2, option);
}

function clsagHash(app: MoneroApp, q: Request, p2: number, option: number): void {
  const { tx } = app;
  const first = tx.ringStage === 'begun' || tx.ringStage === 'hashed';
  demand(first || tx.ringStage === 'hashing', 0x6981);
  demand(first ? p2 === 1 : p2 > 0, 0x6981);
  if (first) tx.ring = [];
  tx.ring.push(q.bytes(32));
  tx.ringStage = 'hashing';
  if ((option & 0x80) !== 0) return;
  const approved = tx.ring.length >= 3 && equalBytes(tx.ring.at(-3)!, tx.message);
  demand(approved || app.version === '2.1.3', 0x6919);
  tx.challenge = hashToScalar(...tx.ring);
  tx.ringStage = 'hashed';
  q.put(tx.challenge);
}

function clsagPrepare(app: MoneroApp, q: Request): void {
  const { tx } = app;
  demand(tx.ringStage === 'idle', 0x6981);
  const p = q.secret([SCALAR]);
  const z = q.bytes(32);
  const H = q.point();
  const nonce = app.chance.scalar();
  q.putSecret(nonce, NONCE);
  q.put(scalarMulPoint(nonce, G as Uint8Array), scalarMulPoint(nonce, H), scalarMulPoint(p, H), scalarMulPoint(z, H));
  tx.ringStage = 'begun';
}

function clsagSign({ tx }: MoneroApp, q: Request): void {
  demand(tx.ringStage === 'hashed', 0x6981);
  const [nonce, p] = [q.secret([NONCE]), q.secret([SCALAR])];
  const [z, muP, muC] = [q.bytes(32), q.bytes(32), q.bytes(32)];
  const sum = scalarMulAdd(muP, p, scalarMul(muC, z));
  q.put(scalarSub(nonce, scalarMul(tx.challenge, sum)));
  tx.ringStage = 'idle';
  tx.signatures += 1;
}

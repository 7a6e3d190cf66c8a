import { keccakP, shake256 } from '@noble/hashes/sha3.js';
import { asciiToBytes, concatBytes, equalBytes } from '../../../src/base/index.ts';
import {
  commitmentMask,
  decodeAmount8,
  derivationToScalar,
  derivePublicKey,
  deriveSecretKey,
  deriveSubaddressPublicKey,
  deriveViewTag,
  G,
  generateKeyDerivation,
  hashToEc,
  hashToScalar,
  keccak256,
  pointAdd,
  scalarAdd,
  scalarMul,
  scalarMulBase,
  scalarMulPoint,
  scalarSub,
  subaddressSecretKey,
} from '../../../src/crypto/index.ts';
import { encryptPaymentId } from '../../../src/protocol/index.ts';
import type { MoneroApp } from './app.ts';
import { AMOUNT_KEY, DERIVATION, SCALAR } from './chance.ts';
import { demand } from './refusal.ts';
import type { Request } from './request.ts';

/** Computing commands, inside and outside a transaction. Each reads its request and writes its reply. */
export type Handler = (app: MoneroApp, request: Request, p1: number, option: number) => void | Promise<void>;

const VIEW = { view: true };
const BOTH = { view: true, spend: true };

/** D of a subaddress as the app computes it: it does not treat (0, 0) as the primary address. */
function subaddress(app: MoneroApp, major: number, minor: number): { readonly m: Uint8Array; readonly D: Uint8Array } {
  const m = subaddressSecretKey(app.keys.viewKey, { major, minor });
  return { m, D: pointAdd(app.publicKeys.spendKey, scalarMulBase(m)) };
}

/** The address keys (view, spend) of an index; (0, 0) is the primary one. */
export function addressAt(app: MoneroApp, major: number, minor: number): { viewKey: Uint8Array; spendKey: Uint8Array } {
  if (major === 0 && minor === 0) return app.publicKeys;
  const { D } = subaddress(app, major, minor);
  return { viewKey: scalarMulPoint(app.keys.viewKey, D), spendKey: D };
}

/** Block size of Keccak-256 in bytes. */
const RATE = 136;

function prekey({ version, keys }: MoneroApp): Uint8Array {
  if (version !== '2.1.3') return shake256(concatBytes(asciiToBytes('MONERO_CHACHA8_PREKEY'), keys.viewKey), { dkLen: 200 });
  // The whole state of the sponge after one block.
  const block = concatBytes(keys.viewKey, keys.spendKey, Uint8Array.of(0x8c, 0x01));
  const state = new Uint8Array(200);
  state.set(block);
  state[RATE - 1] = 0x80;
  keccakP(new Uint32Array(state.buffer));
  return state;
}

const ONE_SCALAR = Uint8Array.of(1, ...new Uint8Array(31));
const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31));

/** Whether eight times a point is the neutral element. */
export function hasSmallOrder(point: Uint8Array): boolean {
  const eightfold = generateKeyDerivation(point, ONE_SCALAR);
  return eightfold !== undefined && equalBytes(eightfold, IDENTITY);
}

export const ARITHMETIC: Readonly<Record<number, Handler>> = {
  36: (app, q) => q.put(prekey(app)),
  38: (app, q, p1) => {
    const secret = q.secret([SCALAR], BOTH);
    const given = q.bytes(32);
    const own = p1 === 1 ? app.publicKeys.viewKey : p1 === 2 ? app.publicKeys.spendKey : scalarMulBase(secret);
    q.put(Uint8Array.of(0, 0, 0, equalBytes(own, given) ? 1 : 0));
  },
  48: (_app, q) => q.put(scalarMulBase(q.secret([SCALAR]))),
  68: (_app, q) => q.put(scalarMulBase(q.secret([SCALAR]))),
  50: (app, q) => {
    const P = app.requireMultipliable(q.point());
    q.putSecret(generateKeyDerivation(P, q.secret([SCALAR], VIEW))!, DERIVATION);
  },
  52: (_app, q) => {
    const D = q.secret([DERIVATION]);
    q.putSecret(derivationToScalar(D, q.u32be()), SCALAR);
  },
  54: (_app, q) => {
    const D = q.secret([DERIVATION]);
    const index = q.u32be();
    q.put(derivePublicKey(D, index, q.point())!);
  },
  56: (app, q) => {
    const D = q.secret([DERIVATION]);
    const index = q.u32be();
    app.lastDerived = deriveSecretKey(D, index, q.secret([SCALAR], BOTH));
    q.putSecret(app.lastDerived, SCALAR);
  },
  59: (_app, q) => {
    const D = q.secret([DERIVATION]);
    q.put(Uint8Array.of(deriveViewTag(D, q.u32be())));
  },
  70: (_app, q) => {
    const P = q.point();
    const D = q.secret([DERIVATION]);
    q.put(deriveSubaddressPublicKey(P, D, q.u32be())!);
  },
  72: (app, q) => {
    const { D } = subaddress(app, q.u32le(), q.u32le());
    q.put(scalarMulPoint(app.keys.viewKey, D), D);
  },
  74: (app, q) => q.put(subaddress(app, q.u32le(), q.u32le()).D),
  76: (app, q) => {
    q.secret([SCALAR], VIEW);
    const [major, minor] = [q.u32le(), q.u32le()];
    app.lastSubaddress = subaddress(app, major, minor).m;
    app.rememberChange(major, minor);
    q.putSecret(app.lastSubaddress, SCALAR);
  },
  60: (app, q) => {
    const [x, y] = [q.secret([SCALAR]), q.secret([SCALAR])];
    const inTurn = equalBytes(x, app.lastDerived) && equalBytes(y, app.lastSubaddress);
    demand(!app.macs || inTurn, 0x6984);
    q.putSecret(scalarAdd(x, y), SCALAR);
  },
  64: (app, q) => {
    const x = app.chance.scalar();
    q.put(scalarMulBase(x));
    q.putSecret(x, SCALAR);
  },
  66: (app, q) => {
    const P = app.requireMultipliable(q.point());
    q.put(scalarMulPoint(q.secret([SCALAR], VIEW), P));
  },
  58: (_app, q) => {
    const P = q.bytes(32);
    q.put(scalarMulPoint(q.secret([SCALAR]), hashToEc(P)));
  },
  122: (_app, q) => {
    const key = q.secret([AMOUNT_KEY]);
    q.bytes(32);
    const v = q.bytes(32);
    const amount = new Uint8Array(32);
    new DataView(amount.buffer).setBigUint64(0, decodeAmount8(key, v.slice(0, 8)), true);
    q.put(amount, commitmentMask(key));
  },
  160: (app, q, _p1, option) => {
    const [hash, R, A, B, D] = [q.bytes(32), q.bytes(32), app.requireMultipliable(q.point()), q.bytes(32), q.bytes(32)];
    const r = q.secret([SCALAR], VIEW);
    const k = app.chance.scalar();
    const X = scalarMulPoint(k, (option & 1) === 1 ? B : (G as Uint8Array));
    const c = hashToScalar(hash, D, X, scalarMulPoint(k, A), keccak256(asciiToBytes('TXPROOF_V2')), R, A, B);
    q.put(c, scalarSub(k, scalarMul(c, r)));
  },
};

/** STEALTH, whose position in a transaction is tracked separately. */
export function stealth(app: MoneroApp, q: Request): void {
  const P = app.requireMultipliable(q.point());
  const s = q.secret([SCALAR], VIEW);
  q.put(encryptPaymentId(q.bytes(8), generateKeyDerivation(P, s)!));
}

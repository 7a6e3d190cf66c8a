import { concatBytes, u32ToBytes } from '../../base/index.ts';
import type { SubaddressIndex } from '../../crypto/index.ts';
import { u32be } from '../apdu.ts';
import { type DeviceSession, VIEW_KEY_SLOT } from '../session.ts';

/** Commands over secrets that only the device can open: they travel sealed, 32 bytes each. */

/** A fresh key pair: the public key, and the secret one sealed. */
export function generateKeypair(
  session: DeviceSession,
): Promise<{ readonly publicKey: Uint8Array; readonly secret: Uint8Array }> {
  return session.ask({ instruction: 0x40 }, (reply) => ({ publicKey: reply.point(), secret: reply.secret() }));
}

/** s·G, 32 bytes, of a sealed s. */
export function secretKeyToPublicKey(session: DeviceSession, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x30, data: session.slot(secret) }, (reply) => reply.point());
}

/** x + y, sealed. In a transaction: the last derived key and the last subaddress key alone, in this order. */
export function secretKeyAdd(session: DeviceSession, x: Uint8Array, y: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x3c, data: concatBytes(session.slot(x), session.slot(y)) }, (reply) => reply.secret());
}

/**
 * s·G, 32 bytes, of a sealed s: {@link secretKeyToPublicKey} by another command number, by which the reference wallet requests a
 * transaction's public key.
 */
export function secretScalMulBase(session: DeviceSession, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x44, data: session.slot(secret) }, (reply) => reply.point());
}

/** s·P, 32 bytes. @param secret sealed, or what stands for the view key */
export function secretScalMulKey(session: DeviceSession, point: Uint8Array, secret: Readonly<Uint8Array>): Promise<Uint8Array> {
  return session.ask({ instruction: 0x42, data: concatBytes(point, session.slot(secret)) }, (reply) => reply.point());
}

/** 8·s·P, sealed. @param secret sealed, or what stands for the view key */
export function genKeyDerivation(session: DeviceSession, point: Uint8Array, secret: Readonly<Uint8Array>): Promise<Uint8Array> {
  return session.ask({ instruction: 0x32, data: concatBytes(point, session.slot(secret)) }, (reply) => reply.secret());
}

/** Hs(D ‖ i) + s, sealed. @param derivation sealed; `secret` sealed, or what stands for the spend key */
export function deriveSecretKey(
  session: DeviceSession,
  derivation: Uint8Array,
  index: number,
  secret: Readonly<Uint8Array>,
): Promise<Uint8Array> {
  const data = concatBytes(session.slot(derivation), u32be(index), session.slot(secret));
  return session.ask({ instruction: 0x38, data }, (reply) => reply.secret());
}

/** P − Hs(D ‖ i)·G, 32 bytes. @param derivation sealed */
export function deriveSubaddressPublicKey(
  session: DeviceSession,
  key: Uint8Array,
  derivation: Uint8Array,
  index: number,
): Promise<Uint8Array> {
  const data = concatBytes(key, session.slot(derivation), u32be(index));
  return session.ask({ instruction: 0x46, data }, (reply) => reply.point());
}

/**
 * Secret that a subaddress adds to the spend key, sealed. In a transaction the app remembers it: change may go to this subaddress, and to
 * the first of its account.
 */
export function getSubaddressSecretKey(session: DeviceSession, { major, minor }: SubaddressIndex): Promise<Uint8Array> {
  const data = concatBytes(session.slot(VIEW_KEY_SLOT), u32ToBytes(major), u32ToBytes(minor));
  return session.ask({ instruction: 0x4c, data }, (reply) => reply.secret());
}

/** x·Hp(P), 32 bytes. @param secret x, sealed */
export function genKeyImage(session: DeviceSession, key: Uint8Array, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x3a, data: concatBytes(key, session.slot(secret)) }, (reply) => reply.point());
}

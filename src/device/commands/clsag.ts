import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

const MORE = 0x80;

/** Start of a ring signature: 32 bytes each, the nonce sealed. */
export interface ClsagStart {
  readonly nonce: Uint8Array;
  readonly nonceG: Uint8Array;
  readonly nonceH: Uint8Array;
  readonly keyImage: Uint8Array;
  /** z·H, not divided by 8. */
  readonly D: Uint8Array;
}

/** Begins the signature of an input. @param secret of the output, sealed; `z` the difference of the masks; `base` Hp of the output's key */
export function clsagPrepare(session: DeviceSession, secret: Uint8Array, z: Uint8Array, base: Uint8Array): Promise<ClsagStart> {
  const data = concatBytes(session.slot(secret), z, base);
  return session.ask({ instruction: 0x7f, p1: 1, data }, (reply) => ({
    nonce: reply.secret(),
    nonceG: reply.point(),
    nonceH: reply.point(),
    keyImage: reply.point(),
    D: reply.point(),
  }));
}

/** Has the device hash one round of the ring. @param items 32 bytes each @returns the challenge, 32 bytes */
export async function clsagHash(session: DeviceSession, items: readonly Uint8Array[]): Promise<Uint8Array> {
  for (const [i, data] of items.slice(0, -1).entries()) {
    await session.ask({ instruction: 0x7f, p1: 2, p2: turnOf(i), option: MORE, data }, () => undefined);
  }
  const last = items.length - 1;
  return session.ask({ instruction: 0x7f, p1: 2, p2: turnOf(last), data: items[last]! }, (reply) => reply.scalar());
}

/** The response that closes the ring over the challenge that the device hashed last, 32 bytes. @param weights of key and commitment */
export function clsagSign(
  session: DeviceSession,
  { nonce, secret, z }: { readonly nonce: Uint8Array; readonly secret: Uint8Array; readonly z: Uint8Array },
  weights: { readonly muP: Uint8Array; readonly muC: Uint8Array },
): Promise<Uint8Array> {
  const data = concatBytes(session.slot(nonce), session.slot(secret), z, weights.muP, weights.muC);
  return session.ask({ instruction: 0x7f, p1: 3, data }, (reply) => reply.scalar());
}

/** From 1. */
const turnOf = (item: number) => item + 1;

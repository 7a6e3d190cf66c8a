import { equalBytes, wipe } from '../../base/index.ts';
import { type ClsagSignature, hashToEc, hashToScalar, INV_EIGHT, scalarMul, scalarMulPoint } from '../../crypto/index.ts';
import type { UnsignedInput } from '../../wallet/spend/unsigned.ts';
import { clsagHash, clsagPrepare, clsagSign } from '../commands/clsag.ts';
import { expectOfDevice } from '../errors.ts';
import type { DeviceSession } from '../session.ts';
import { ClsagRounds } from './clsag-rounds.ts';

/**
 * How much of a ring is hashed on the device. `closing`: the round whose challenge it answers, 39 requests for each input. `every`: all of
 * them, 594, like the reference wallet, if an app requires that.
 */
export type HashedRounds = 'closing' | 'every';

/** One input to sign. 32 bytes each. */
export interface RingToSign {
  readonly input: UnsignedInput;
  /** Secret key of the output, sealed by the device. */
  readonly secret: Uint8Array;
  readonly keyImage: Uint8Array;
  readonly message: Uint8Array;
  readonly pseudoOut: Uint8Array;
  /** Mask of the output less that of the pseudo output: secret. */
  readonly z: Uint8Array;
  /** One a member; replaced where the output itself is. */
  readonly responses: readonly Uint8Array[];
}

/**
 * Signs an input: the device has the key and the nonce, we the rest. Every answer that we can compute ourselves is compared.
 * @throws DeviceError
 */
export async function signRing(session: DeviceSession, request: RingToSign, rounds: HashedRounds): Promise<ClsagSignature> {
  const { input, secret, keyImage, message, pseudoOut, z } = request;
  const { ring, real } = input;
  const base = hashToEc(ring[real]!.key);
  const started = await clsagPrepare(session, secret, z, base);
  // Two signatures with one nonce would reveal the spend key to anybody who knows our view key and the amounts.
  expectOfDevice(session.isNew(started.nonceG), 'a nonce that it has not used');
  expectOfDevice(equalBytes(started.keyImage, keyImage), 'the key image of the output');
  expectOfDevice(equalBytes(started.D, scalarMulPoint(z, base)), 'the commitment image');
  const zOver8 = scalarMul(z, INV_EIGHT);
  const dOver8 = scalarMulPoint(zOver8, base);
  wipe(zOver8);
  const walk = new ClsagRounds({ ring, pseudoOut, message, keyImage, D: started.D, dOver8 });
  const s = [...request.responses];
  let items = walk.items(started.nonceG, started.nonceH);
  let c1 = new Uint8Array();
  for (let walked = 1; ; walked++) {
    const member = (real + walked) % ring.length;
    const challenge = hashToScalar(...items);
    if (member === 0) c1 = challenge.slice();
    if (rounds === 'every' || member === real) {
      expectOfDevice(equalBytes(await clsagHash(session, items), challenge), 'the challenge of the round');
    }
    if (member === real) break;
    items = walk.items(...walk.ends(member, s[member]!, challenge));
  }
  s[real] = await clsagSign(session, { nonce: started.nonce, secret, z }, walk.weights);
  return { s, c1, D: dOver8 };
}

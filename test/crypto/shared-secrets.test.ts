import { beforeAll, expect, it } from 'vitest';
import * as crypto from '../../src/crypto/index.ts';
import { kernels } from '../../src/crypto/load.ts';
import { seededRandom } from './seeded.ts';

beforeAll(crypto.loadCrypto);

it('T19 a secret shared with somebody is not left in the kernels’ memory, whichever way it was made', () => {
  const random = seededRandom(6);
  const [own, other] = [crypto.randomScalar(random), crypto.randomScalar(random)];
  const point = crypto.scalarMulBase(other);
  const made = [
    crypto.generateKeyDerivation(point, own)!,
    crypto.scalarMulPoint(own, point),
    crypto.multiScalarMulSecret([own, other], [point, crypto.scalarMulBase(own)]),
  ];
  const memory = Buffer.from(kernels().bytes);
  expect([own, other, ...made].map((secret) => memory.indexOf(secret))).toEqual([-1, -1, -1, -1, -1]);
});

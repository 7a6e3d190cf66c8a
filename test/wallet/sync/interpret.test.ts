import { beforeAll, expect, it } from 'vitest';
import { hexToBytes } from '../../../src/base/index.ts';
import {
  derivePublicKey,
  generateKeyDerivation,
  loadCrypto,
  randomScalar,
  scalarMulBase,
  systemRandom,
} from '../../../src/crypto/index.ts';
import { buildExtra } from '../../../src/protocol/extra.ts';
import { RctType, serializeTransaction } from '../../../src/protocol/index.ts';
import type { ScanResult } from '../../../src/scan/types.ts';
import type { WalletKeys } from '../../../src/wallet/keys.ts';
import { DEFAULT_LOOKAHEAD } from '../../../src/wallet/lookahead.ts';
import { ImageFilter } from '../../../src/wallet/sync/image-filter.ts';
import { interpret } from '../../../src/wallet/sync/interpret.ts';
import { hash, keysOf, newRegtestWallet } from '../support.ts';

const OUTPUTS = 100;
const REWARD = 600_000_000_000n;

let keys: WalletKeys;

beforeAll(async () => {
  await loadCrypto();
  keys = keysOf(await newRegtestWallet());
});

/** What a scan finds in a reply whose blocks all pay us: the same coinbase over and over will do. */
function foundMany(): ScanResult {
  const secret = randomScalar(systemRandom);
  const derivation = generateKeyDerivation(scalarMulBase(secret), keys.viewKey)!;
  const bytes = serializeTransaction({
    version: 2,
    unlockTime: 60n,
    inputs: [{ type: 'gen', height: 1 }],
    outputs: [{ amount: REWARD, key: derivePublicKey(derivation, 0, keys.primary.spendKey)!, viewTag: undefined }],
    extra: buildExtra({ pubKey: scalarMulBase(secret) }),
    rct: { type: RctType.Null, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    prunable: undefined,
  });
  const each = Array.from({ length: OUTPUTS }, (_, i) => i);
  return {
    buffer: Uint8Array.from(bytes).buffer,
    startHeight: 1,
    currentHeight: OUTPUTS + 1,
    blocks: each.map((i) => ({
      height: 1 + i,
      id: hash(`block ${i}`),
      prevId: hash(`block ${i - 1}`),
      majorVersion: 14,
      minorVersion: 14,
      timestamp: i,
      txCount: 1,
      coinbaseOffset: 0,
      coinbaseLength: 0,
      txHashesOffset: 0,
    })),
    outputs: each.map((i) => ({
      blockIndex: i,
      ordinal: 0,
      offset: 0,
      length: bytes.length,
      txHash: hexToBytes(hash(`tx ${i}`)),
      outputIndex: 0,
      globalIndex: BigInt(i),
      spendKeyIndex: 0,
      derivation,
      keySource: -1,
    })),
    keyImages: new Uint8Array(),
    keyImageTx: new Uint32Array(),
    columns: [],
  };
}

const wallet = () => ({
  keys,
  state: { accounts: [{ labels: [''] }], lookahead: DEFAULT_LOOKAHEAD, byKeyImage: new Map(), keyImages: new Map() },
  images: new ImageFilter(),
  indexAt: () => ({ major: 0, minor: 0 }),
});

it('a reply full of our outputs yields to the event loop: readers of the wallet are answered meanwhile', async () => {
  let pauses = 0;
  const { outputs } = await interpret(wallet(), foundMany(), 0, async () => {
    pauses += 1;
  });
  expect(outputs.map(({ amount }) => amount)).toEqual(Array.from({ length: OUTPUTS }, () => REWARD));
  expect(pauses).toBeGreaterThanOrEqual(OUTPUTS / 25);
});

it('what is stopped in a pause goes no further', async () => {
  const stopped = new Error('stopped');
  await expect(interpret(wallet(), foundMany(), 0, () => Promise.reject(stopped))).rejects.toBe(stopped);
});

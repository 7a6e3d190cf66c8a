import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import { proposeTransaction } from '../../../src/wallet/multisig/propose.ts';
import { signSet } from '../../../src/wallet/multisig/sign-set.ts';
import type { WalletState } from '../../../src/wallet/state/state.ts';
import {
  decodeMultisigTxSet,
  encodeMultisigTxSet,
  type MultisigTxSet,
  openMultisigExport,
  openMultisigTxSet,
  type SealingKey,
  sealingKeyOf,
  sealMultisigTxSet,
} from '../../../src/wallet2/index.ts';
import { FIXTURE, factsOf, groupSealing, Member, stateWith, thePayment } from './spending-support.ts';
import { secretsOf } from './support.ts';

// Messages of spending that come twice, too late, to the wrong group, as another kind or of another version. Those of the key exchange are in
// kex-attacks.test.ts, exports of other groups and strangers in attacks.test.ts.

let sealing: SealingKey;
let [ada, bob, cy]: Member[] = [];
let set: MultisigTxSet;
let state: WalletState;

beforeAll(async () => {
  await loadCrypto();
  sealing = await groupSealing();
  [ada, bob, cy] = FIXTURE.seeds.map((seed) => new Member(seed));
  const pending = proposeTransaction(factsOf(ada!, [bob!, cy!]), await thePayment(), systemRandom);
  set = { transactions: [pending], signers: [hexToBytes(ada!.name)] };
  state = stateWith(bob!.account, [pending.construction]);
});

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

/** Refused by its name, with no nonce used up. */
async function expectRefused(member: Member, given: MultisigTxSet, code: string): Promise<void> {
  const before = member.used.size;
  await expect(signSet(member.context(state), given)).rejects.toMatchObject({ code });
  expect(member.used.size).toBe(before);
}

describe('a set or export', () => {
  it('of another group, or of another kind, is not opened', async () => {
    const other = await sealingKeyOf(secretsOf(5).baseCommonSecret);
    const [sealed, exported] = [sealMultisigTxSet(set, sealing, systemRandom), hexToBytes(FIXTURE.exports[0]!)];
    expect(codeOf(() => openMultisigTxSet(sealed, other))).toBe('not-authentic');
    expect(codeOf(() => openMultisigExport(exported, other))).toBe('not-authentic');
    expect(codeOf(() => openMultisigTxSet(exported, sealing))).toBe('bad-magic');
    expect(codeOf(() => openMultisigExport(sealed, sealing))).toBe('bad-magic');
  });

  it('of another version is not opened, nor read', () => {
    const [sealed, exported] = [sealMultisigTxSet(set, sealing, systemRandom), hexToBytes(FIXTURE.exports[0]!)];
    for (const [message, magic, open] of [
      [sealed, 'Monero multisig unsigned tx set', openMultisigTxSet],
      [exported, 'Monero multisig export', openMultisigExport],
    ] as const) {
      const later = message.slice();
      later[magic.length] = 2;
      expect(codeOf(() => open(later, sealing))).toBe('bad-magic');
    }
    const plain = encodeMultisigTxSet(set);
    plain[0] = 9;
    expect(codeOf(() => decodeMultisigTxSet(plain))).toBe('unknown-era');
  });

  it('that this signer has signed, or that is complete, is not signed again', async () => {
    const { set: signed } = await signSet(bob!.context(state), set);
    await expectRefused(bob!, signed, 'already-signed');
    await expectRefused(cy!, signed, 'fully-signed');
    await expectRefused(bob!, set, 'nonces-unknown');
    await expectRefused(ada!, set, 'already-signed');
    await expectRefused(cy!, { ...set, signers: [...signed.signers, hexToBytes(cy!.name)].slice(0, 3) }, 'already-signed');
  });

  it('signed by strangers, by one twice, by nobody, or of nothing, is refused', async () => {
    const [name] = set.signers as [Uint8Array];
    const stranger = scalarMulBase(secretsOf(6).baseSecret);
    await expectRefused(cy!, { ...set, signers: [stranger] }, 'unknown-signer');
    await expectRefused(cy!, { ...set, signers: [name, name] }, 'fully-signed');
    await expectRefused(cy!, { ...set, signers: [name, name, name] }, 'too-many-signers');
    await expectRefused(cy!, { ...set, signers: [] }, 'unknown-signer');
    await expectRefused(cy!, { ...set, transactions: [] }, 'empty-set');
  });

  it('that asks others to sign is not signed, and reported as theirs', async () => {
    const transactions = set.transactions.map((pending) => ({
      ...pending,
      attempts: pending.attempts.filter(({ ignored }) => ignored.some((signer) => bytesToHex(signer) === cy!.name)),
    }));
    await expectRefused(cy!, { ...set, transactions }, 'not-asked');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import { transactionHash } from '../../../src/protocol/index.ts';
import { composedKeyImage, partialKeyImages } from '../../../src/wallet/multisig/key-images.ts';
import { proposeTransaction } from '../../../src/wallet/multisig/propose.ts';
import { signSet } from '../../../src/wallet/multisig/sign-set.ts';
import { groupTxKeys } from '../../../src/wallet/multisig/tx-keys.ts';
import {
  decryptWithSecret,
  encodeMultisigExport,
  encodeMultisigTxSet,
  openMultisigExport,
  openMultisigTxSet,
} from '../../../src/wallet2/index.ts';
import {
  accountOf,
  FIXTURE,
  factsOf,
  groupSealing,
  Member,
  openerFor,
  stateWith,
  theirSet,
  thePayment,
} from './spending-support.ts';

beforeAll(loadCrypto);

const clear = async (message: string, magic: string) =>
  bytesToHex(await decryptWithSecret(hexToBytes(message).subarray(magic.length), accountOf(FIXTURE.seeds[0]!).commonSecret));

describe('messages of the reference', () => {
  it('are read and written byte for byte: exports', async () => {
    const sealing = await groupSealing();
    for (const message of FIXTURE.exports) {
      const read = openMultisigExport(hexToBytes(message), sealing);
      expect(bytesToHex(encodeMultisigExport(read))).toBe(await clear(message, 'Monero multisig export\x01'));
    }
  });

  it('are read and written byte for byte: sets of transactions', async () => {
    const sealing = await groupSealing();
    for (const message of [FIXTURE.proposal, FIXTURE.signed]) {
      const read = openMultisigTxSet(hexToBytes(message), sealing);
      expect(bytesToHex(encodeMultisigTxSet(read))).toBe(await clear(message, 'Monero multisig unsigned tx set\x01'));
    }
  });
});

describe('key images', () => {
  it('have the parts that the reference exports', async () => {
    for (const [i, seed] of FIXTURE.seeds.entries()) {
      const account = accountOf(seed);
      const { outputs } = openMultisigExport(hexToBytes(FIXTURE.exports[i]!), await groupSealing());
      for (const [n, { partialKeyImages: told }] of outputs.entries()) {
        const own = partialKeyImages(account, hexToBytes(FIXTURE.keyImages[n]!.key));
        expect(own.map(bytesToHex)).toEqual(told.map(bytesToHex));
      }
    }
  });

  it('are complete with the parts of enough others', async () => {
    const { transactions } = await theirSet();
    const [account] = FIXTURE.seeds.map(accountOf);
    const state = stateWith(
      account!,
      transactions.map(({ construction }) => construction),
    );
    const { outputs } = openMultisigExport(hexToBytes(FIXTURE.exports[1]!), await groupSealing());
    expect(state.outputs.size).toBe(2);
    for (const { output } of state.outputs.values()) {
      const at = FIXTURE.keyImages.findIndex(({ key }) => key === output.key);
      expect(composedKeyImage(account!, output, outputs[at]!.partialKeyImages)).toBe(FIXTURE.keyImages[at]!.image);
    }
    expect(openerFor(account!).keys.spendKey).toBeUndefined();
  });
});

describe('a payment of the group', () => {
  it('has the transaction keys that its key images make', async () => {
    const { transactions } = await theirSet();
    const { txKey, additionalTxKeys, keyEntropy, transaction } = transactions[0]!;
    const images = transaction.inputs.map((input) => (input.type === 'key' ? input.keyImage : new Uint8Array()));
    const keys = [txKey, ...additionalTxKeys];
    expect(groupTxKeys(keyEntropy, images, keys.length).map(bytesToHex)).toEqual(keys.map(bytesToHex));
  });

  it('is proposed by one, signed by another, and holds', async () => {
    const [ada, bob, cy] = FIXTURE.seeds.map((seed) => new Member(seed)) as [Member, Member, Member];
    const pending = proposeTransaction(factsOf(ada, [bob, cy]), await thePayment(), systemRandom);
    const set = { transactions: [pending], signers: [hexToBytes(ada.name)] };
    const state = stateWith(bob.account, [pending.construction]);
    const signed = await signSet(bob.context(state), set);
    expect(signed.txHashes).toEqual([bytesToHex(transactionHash(signed.set.transactions[0]!.transaction))]);
    expect(signed.set.signers.map(bytesToHex)).toEqual([ada.name, bob.name]);
  });
});

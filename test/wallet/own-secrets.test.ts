import { beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { Wallet } from '../../src/wallet/index.ts';
import { requireNoOwnSecret } from '../../src/wallet/own-secrets.ts';
import { foldEvents } from '../support/fold.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { created, hash, keysOf, newRegtestWallet } from './support.ts';

beforeAll(loadCrypto);

/** A scalar. */
const TX_KEY = `abc${'0'.repeat(61)}`;

it('T24 a secret key of the wallet that is given as a transaction’s id is sent to no daemon, by whatever call', async () => {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const body = await new Response(init?.body).text();
    sent.push(body.toLowerCase());
    return Response.json({ status: 'OK', missed_tx: body.match(/[0-9a-fA-F]{64}/g) ?? [] });
  };
  const connect = () => DaemonClient.connect({ url: 'http://127.0.0.1:1', fetch });
  const wallet = await Wallet.create({ ...quickEnvironment(), connect }, 'name', 'pw', await newRegtestWallet());
  await wallet.setDaemon({ url: 'http://127.0.0.1:1', trusted: true });
  const { proofs, chain, secrets } = wallet;
  const { primaryAddress: address } = wallet.description;
  for (const key of [await secrets.viewKey(), (await secrets.spendKey())!]) {
    for (const txHash of [key, key.toUpperCase()]) {
      const calls = {
        checkTxKey: () => proofs.checkTxKey({ txHash, address }, TX_KEY),
        txProof: () => proofs.txProof({ txHash, address }),
        checkTxProof: () => proofs.checkTxProof({ txHash, address }, `OutProofV2${'1'.repeat(132)}`),
        spendProof: () => proofs.spendProof({ txHash }),
        checkSpendProof: () => proofs.checkSpendProof({ txHash }, 'SpendProofV1'),
        scanTransactions: () => chain.scanTransactions([hash('other'), txHash]),
        client: () => wallet.daemon!.getTransactions([txHash as never], { prune: true }),
      };
      for (const [name, call] of Object.entries(calls)) {
        await call().catch(() => undefined);
        expect(sent.filter((body) => body.includes(key)).length, name).toBe(0);
      }
      await expect(calls.scanTransactions()).rejects.toMatchObject({ code: 'own-secret' });
    }
  }
  await expect(chain.scanTransactions([hash('other')])).rejects.toMatchObject({ code: 'not-found' });
  expect(sent.filter((body) => body.includes(hash('other')))).toHaveLength(1);
  await wallet.close();
});

it('T24 a secret key of its address is known to a wallet that only watches, and so are keys of transactions; other ids are not', async () => {
  const made = await newRegtestWallet();
  const keys = keysOf(made);
  const { spendKey } = made.secrets;
  const signed = { type: 'TransactionSigned', txHash: hash('tx'), txKeys: [TX_KEY] } as const;
  const owner = { keys, state: foldEvents([created(), signed]) };
  const secret = bytesToHex(spendKey!);
  keys.forgetSpendKey();
  for (const text of [secret, secret.toUpperCase(), TX_KEY])
    expect(() => requireNoOwnSecret(owner, [hash('other'), text])).toThrow(expect.objectContaining({ code: 'own-secret' }));
  requireNoOwnSecret(owner, [hash('tx'), `abd${'0'.repeat(61)}`, '7', '', secret.slice(1)]);
});

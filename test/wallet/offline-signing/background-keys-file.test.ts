import { beforeAll, expect, it } from 'vitest';
import { parseJsonBytes, stringifyJson } from '../../../src/base/index.ts';
import { loadCrypto, randomScalar, secretKeyToPublicKey, systemRandom } from '../../../src/crypto/index.ts';
import { walletFromKeysFile } from '../../../src/wallet/index.ts';
import { readAll, writeAll } from '../../../src/wallet2/archive.ts';
import { chacha20Xor, sealKeysFile } from '../../../src/wallet2/index.ts';
import { backgroundKey, passwordKey, sealedFile } from '../../../src/wallet2/password.ts';

const [PASSWORD, BACKGROUND_PASSWORD] = ['of the wallet', 'of its copy'];

beforeAll(() => loadCrypto());

/** A wallet's `.keys` file with a background password, as 0.18.5.3 writes it. */
async function keysFile(): Promise<Uint8Array> {
  const [spendKey, viewKey] = [randomScalar(systemRandom), randomScalar(systemRandom)];
  const account = { spendKey: secretKeyToPublicKey(spendKey)!, viewKey: secretKeyToPublicKey(viewKey)! };
  const rest = {
    seedLanguage: '',
    restoreHeight: 0,
    network: 'mainnet',
    createdAt: 0,
    lookahead: undefined,
    defaultPriority: 0,
  } as const;
  const file = await sealKeysFile({ spendKey, viewKey, account, ...rest }, PASSWORD, systemRandom);
  const { nonce, data } = readAll(sealedFile, file, 'the keys file');
  const key = await passwordKey(PASSWORD, 1);
  const json = parseJsonBytes(chacha20Xor({ key, nonce }, data)) as Record<string, string>;
  const custom = backgroundKey(await passwordKey(BACKGROUND_PASSWORD, 1));
  const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  const told = { ...json, background_sync_type: 2, custom_background_key: asText(custom) };
  const plain = Buffer.from(stringifyJson(told), 'latin1');
  return writeAll(sealedFile, { nonce, data: chacha20Xor({ key, nonce }, plain) });
}

async function attributes(): Promise<Map<string, string>> {
  const { first } = await walletFromKeysFile({ keys: await keysFile() }, PASSWORD, 'mainnet', 0, systemRandom);
  return new Map(first.flatMap((event) => (event.type === 'AttributeSet' ? [[event.key, event.value]] : [])));
}

it('T16 two wallets with one background password have different keys for their copies: neither overwrites the other’s', async () => {
  const [one, other] = [await attributes(), await attributes()];
  expect(one.get('background-sync')).toBe('custom-background-password');
  expect(one.get('background-wallet-key')).toMatch(/^[0-9a-f]{64}$/);
  expect(one.get('background-wallet-key')).not.toBe(other.get('background-wallet-key'));
});

import { readFileSync } from 'node:fs';
import { asArray, asCount, asObject, asText, type JsonObject, parseJson } from '../../src/base/index.ts';

/** A wallet of the reference on the disk, and what its program said of it; made by `make-caches.ts`. */
export interface StoredWallet {
  readonly release: string;
  readonly keys: Uint8Array;
  readonly cache: Uint8Array;
  /** By account. */
  readonly addresses: readonly (readonly { readonly address: string; readonly label: string; readonly used: boolean }[])[];
  readonly tags: readonly { readonly tag: string; readonly label: string; readonly accounts: readonly number[] }[];
  readonly book: readonly { readonly address: string; readonly description: string }[];
}

const objects = (value: JsonObject[string] | undefined): JsonObject[] =>
  value === undefined ? [] : asArray(value).map((one) => asObject(one));
const file = (value: JsonObject[string] | undefined): Uint8Array => new Uint8Array(Buffer.from(asText(value), 'base64'));

const json = asObject(parseJson(readFileSync(new URL('./caches.json', import.meta.url), 'utf8')));

export const cachesPassword = asText(json.password);
export const storedWallets: readonly StoredWallet[] = asArray(json.wallets).map((value) => stored(asObject(value)));

function stored(said: JsonObject): StoredWallet {
  return {
    release: asText(said.release),
    keys: file(said.keys),
    cache: file(said.cache),
    addresses: asArray(said.addresses).map((account) =>
      objects(asObject(account).addresses).map(({ address, label, used }) => ({
        address: asText(address),
        label: asText(label),
        used: used === true,
      })),
    ),
    tags: objects(asObject(said.tags).account_tags).map(({ tag, label, accounts }) => ({
      tag: asText(tag),
      label: asText(label),
      accounts: asArray(accounts).map((account) => asCount(Number(account))),
    })),
    book: objects(asObject(said.book).entries).map(({ address, description }) => ({
      address: asText(address),
      description: asText(description),
    })),
  };
}

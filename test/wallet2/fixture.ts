import { readFileSync } from 'node:fs';
import { asArray, asObject, asText, asU64, hexToBytes, type JsonObject, parseJson } from '../../src/base/index.ts';

/** Files of one release's monero-wallet-rpc and what it says of them; made by `make.ts`. */
function read(file: string) {
  const json: JsonObject = asObject(parseJson(readFileSync(new URL(file, import.meta.url), 'utf8')));
  const text = (name: string) => asText(json[name], name);
  const bytes = (name: string) => hexToBytes(text(name));
  const keysFiles = asObject(json.keysFiles);
  return {
    address: text('address'),
    subaddress: text('subaddress'),
    spendKey: bytes('spendKey'),
    viewKey: bytes('viewKey'),
    outputs: bytes('outputs'),
    keyImages: asArray(json.keyImages).map((entry) => {
      const { key_image, signature } = asObject(entry);
      return { keyImage: hexToBytes(asText(key_image)), signature: hexToBytes(asText(signature)) };
    }),
    unsigned: bytes('unsigned'),
    described: asObject(json.described),
    signed: bytes('signed'),
    signedHash: asText(asArray(json.signedHashes)[0]),
    metadata: bytes('metadata'),
    metadataHash: text('metadataHash'),
    metadataKey: text('metadataKey'),
    keysFiles: {
      address: asText(keysFiles.address),
      spendKey: asText(keysFiles.spendKey),
      viewKey: asText(keysFiles.viewKey),
      password: asText(keysFiles.password),
      full: hexToBytes(asText(keysFiles.full)),
      watching: hexToBytes(asText(keysFiles.watching)),
    },
  };
}

/** Of today's release. */
export const reference = read('./reference.json');
/** Of 0.18.0.0, whose files of outputs and unsigned sets have another form. */
export const older = read('./reference-0.18.0.json');

export const amountOf = (object: JsonObject, name: string): bigint => asU64(object[name], name);

import { hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { type NodeCiphers, nodeModule } from '../../base/index.ts';
import type { Kernels } from '../../crypto/kernels.ts';
import { kernelsIfLoaded } from '../../crypto/load.ts';
import type { CryptoExports } from '../../crypto/proof-exports.ts';

/** XChaCha20-Poly1305: a 32-byte key, a 24-byte nonce, and a 16-byte tag after the encrypted bytes. */
export interface Cipher {
  /** @param bound data that the tag authenticates besides the bytes */
  encrypt(key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Undefined if the tag is wrong. */
  decrypt(key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
}

const TAG = 16;

/** XChaCha20-Poly1305 in JavaScript, for every engine. */
export const jsCipher: Cipher = {
  encrypt: (key, nonce, bound, plain) => xchacha20poly1305(key, nonce, bound).encrypt(plain),
  decrypt(key, nonce, bound, sealed) {
    try {
      return xchacha20poly1305(key, nonce, bound).decrypt(sealed);
    } catch {
      return undefined;
    }
  },
};

/** A copy as 32-bit numbers, which makes it aligned and copies a Node buffer, too. */
const u32sOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer);

/** "expand 32-byte k", the constant of ChaCha20. */
const SIGMA = u32sOf(new TextEncoder().encode('expand 32-byte k'));

/** The ChaCha20-Poly1305 key and nonce derived from those of XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, 2.3). */
function inner(key: Uint8Array, nonce: Uint8Array): { readonly key: Uint8Array; readonly nonce: Uint8Array } {
  const [words, derived] = [u32sOf(key), new Uint32Array(8)];
  hchacha(SIGMA, words, u32sOf(nonce.subarray(0, 16)), derived);
  words.fill(0);
  const short = new Uint8Array(12);
  short.set(nonce.subarray(16), 4);
  return { key: new Uint8Array(derived.buffer), nonce: short };
}

const ALGORITHM = 'chacha20-poly1305';
const OPTIONS = { authTagLength: TAG };

/** XChaCha20-Poly1305 by Node's OpenSSL: a long journal opens in a tenth of the time. */
export function nodeCipher({ createCipheriv, createDecipheriv }: NodeCiphers): Cipher {
  return {
    encrypt(key, nonce, bound, plain) {
      const used = inner(key, nonce);
      const cipher = createCipheriv(ALGORITHM, used.key, used.nonce, OPTIONS);
      cipher.setAAD(bound);
      const sealed = new Uint8Array(plain.length + TAG);
      sealed.set(cipher.update(plain));
      cipher.final();
      sealed.set(cipher.getAuthTag(), plain.length);
      used.key.fill(0);
      return sealed;
    },
    decrypt(key, nonce, bound, sealed) {
      const used = inner(key, nonce);
      const decipher = createDecipheriv(ALGORITHM, used.key, used.nonce, OPTIONS);
      decipher.setAAD(bound);
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
      const { buffer, byteOffset, length } = decipher.update(sealed.subarray(0, sealed.length - TAG));
      const plain = new Uint8Array(buffer, byteOffset, length);
      used.key.fill(0);
      try {
        decipher.final();
        return plain;
      } catch {
        plain.fill(0);
        return undefined;
      }
    },
  };
}

/** XChaCha20-Poly1305 by a WebAssembly kernel, for engines without that cipher: a long journal opens in a tenth of the time, too. */
export function wasmCipher(kernels: Kernels<CryptoExports>): Cipher {
  /** Key, nonce and bound data, after the bytes to encrypt or decrypt. */
  const put = (key: Uint8Array, nonce: Uint8Array, bound: Uint8Array) => ({
    keyAt: kernels.put(key),
    nonceAt: kernels.put(nonce),
    boundAt: kernels.put(bound),
  });
  return {
    encrypt: (key, nonce, bound, plain) =>
      kernels.scratch(() => {
        const at = kernels.alloc(plain.length + TAG);
        const { keyAt, nonceAt, boundAt } = put(key, nonce, bound);
        kernels.bytes.set(plain, at);
        kernels.exports.xchachaSeal(at, plain.length, keyAt, nonceAt, boundAt, bound.length);
        return kernels.take(at, plain.length + TAG);
      }),
    decrypt: (key, nonce, bound, sealed) =>
      kernels.scratch(() => {
        const at = kernels.put(sealed);
        const { keyAt, nonceAt, boundAt } = put(key, nonce, bound);
        const size = sealed.length - TAG;
        if (kernels.exports.xchachaOpen(at, size, keyAt, nonceAt, boundAt, bound.length) === 0) return undefined;
        return kernels.take(at, size);
      }),
  };
}

/** The kernels' cipher once they are loaded, which is before there is much to open. */
function loadedOrPortable(): Cipher {
  const kernels = kernelsIfLoaded();
  return kernels === undefined ? jsCipher : wasmCipher(kernels);
}

/** The fastest cipher of this engine: OpenSSL may have been built without the algorithm. */
function fastest(): Cipher {
  const node = nodeModule('node:crypto');
  if (node?.getCiphers().includes(ALGORITHM) === true) return nodeCipher(node);
  return {
    encrypt: (...args) => loadedOrPortable().encrypt(...args),
    decrypt: (...args) => loadedOrPortable().decrypt(...args),
  };
}

/** XChaCha20-Poly1305 by the fastest implementation in this engine. */
export const cipher: Cipher = fastest();

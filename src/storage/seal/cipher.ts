import { hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { type NodeCiphers, nodeModule } from '../../base/index.ts';
import type { Kernels } from '../../crypto/kernels.ts';
import { kernelsIfLoaded } from '../../crypto/load.ts';
import type { CryptoExports } from '../../crypto/proof-exports.ts';

/** XChaCha20-Poly1305: a key of 32 bytes, a nonce of 24, and a tag of 16 behind what was encrypted. */
export interface Cipher {
  /** @param bound what the tag covers beside the bytes */
  encrypt(key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Undefined when the tag does not hold. */
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

/** A copy as numbers: it lies as they must, and a buffer of Node is copied too. */
const u32sOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer);

/** "expand 32-byte k", the constant of ChaCha20. */
const SIGMA = u32sOf(new TextEncoder().encode('expand 32-byte k'));

/** The key and the nonce of ChaCha20-Poly1305 that stand for those of XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, 2.3). */
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

/** The same by Node's OpenSSL: a long journal opens in a tenth of the time. */
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

/** The same by a WebAssembly kernel, for engines without that cipher: a long journal opens in a tenth of the time, too. */
export function wasmCipher(kernels: Kernels<CryptoExports>): Cipher {
  /** Key, nonce and what is bound, behind the bytes that are worked on. */
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

/** The kernels' cipher once they are loaded, as they are by then where there is much to open. */
function loadedOrPortable(): Cipher {
  const kernels = kernelsIfLoaded();
  return kernels === undefined ? jsCipher : wasmCipher(kernels);
}

/** The fastest that this engine has: an OpenSSL may come without the algorithm. */
function fastest(): Cipher {
  const node = nodeModule('node:crypto');
  if (node?.getCiphers().includes(ALGORITHM) === true) return nodeCipher(node);
  return {
    encrypt: (...given) => loadedOrPortable().encrypt(...given),
    decrypt: (...given) => loadedOrPortable().decrypt(...given),
  };
}

/** XChaCha20-Poly1305, by whatever this engine does it fastest with. */
export const cipher: Cipher = fastest();

import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A key and a certificate, PEM both. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Days for which our own certificates are valid, as for the reference's (net_ssl.cpp). */
const DAYS = 182;
const SERVICE = 'monero-wallet-rpc';

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;

/**
 * A new key (P-256) and a self-signed certificate of version 3 without extensions. Node makes keys and signatures but no certificates, so
 * this writes the few fields of one (RFC 5280, section 4.1). Clients accept it as it is.
 * @param now milliseconds since the epoch
 * @param owner common name
 */
export function selfSignedCertificate(now: number, owner = SERVICE): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
  const content = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, [2])),
    der(INTEGER, serialNumber()),
    algorithm,
    name(owner),
    der(SEQUENCE, time(now), time(now + DAYS * 24 * 60 * 60 * 1000)),
    name(owner),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, [0], signature));
  return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert: new X509Certificate(certificate).toString() };
}

/** Positive, in as few bytes as possible: the first is neither 0 nor above 127. */
function serialNumber(): Uint8Array {
  const number = randomBytes(16);
  number[0] = (number[0]! & 0x3f) | 0x40;
  return number;
}

const name = (text: string): Uint8Array =>
  der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), der(UTF8_STRING, Buffer.from(text)))));

/** Years have two digits, which cover those up to 2049. */
function time(at: number): Uint8Array {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}

function der(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const content = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  return Buffer.concat([Uint8Array.from([tag, ...derLength(content.length)]), content]);
}

function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

import { paddedPassword, passwordIn } from './padded-password.ts';

/**
 * A password sealed with a key that only the device's authenticator can derive, after its owner has given a fingerprint, a face or a PIN
 * (WebAuthn Level 3, extension `prf`).
 */

/** Stored record of a passkey, as base64. Without the authenticator it reveals nothing of a password of usual length. */
export interface SealedPassword {
  /** Id of the credential. */
  readonly id: string;
  /** 32 bytes, input of the pseudo-random function. */
  readonly salt: string;
  /** 12 bytes. */
  readonly iv: string;
  readonly sealed: string;
}

/** Why a passkey did not unlock. */
export type PasskeyErrorCode =
  /** The authenticator or its owner refused. */
  | 'passkey-refused'
  /** The authenticator has no pseudo-random function. */
  | 'passkey-without-prf'
  /** The record was made elsewhere, or was modified. */
  | 'passkey-stale';

/** A failed unlock by passkey. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';

  constructor(readonly code: PasskeyErrorCode) {
    super(code);
  }
}

const RP_NAME = 'Nightjar';
const INFO = 'nightjar password behind a passkey';
/** Algorithms of common authenticators: ES256, EdDSA, RS256. The signatures are not verified: only the derived key matters. */
const ALGORITHMS = [-7, -8, -257];

/** Whether the page was opened by an IP address: browsers bind passkeys to domain names and refuse them there (WebAuthn, 5.1.3, "effective domain"). */
export const isNumberHost = (host: string): boolean => /^(?:[\d.]+|\[.*\])$/.test(host);

/** Whether this browser and device can create a passkey. */
export async function passkeysOffered(): Promise<boolean> {
  if (isNumberHost(location.hostname)) return false;
  const offered = globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable;
  return (await offered?.call(PublicKeyCredential).catch(() => false)) ?? false;
}

/** Makes a passkey and seals the password behind it: its owner is asked once or twice. @param shown name of the wallet that its owner sees @throws PasskeyError */
export async function sealPassword(wallet: string, shown: string, password: string): Promise<SealedPassword> {
  const salt = randomBytes(32);
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: randomBytes(32),
        rp: { name: RP_NAME },
        user: { id: randomBytes(16), name: shown, displayName: shown },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const { prf } = made.getClientExtensionResults();
  const id = new Uint8Array(made.rawId);
  if (prf?.enabled !== true) {
    discardPasskey({ id: text(id) });
    throw new PasskeyError('passkey-without-prf');
  }
  const secret = prf.results?.first ?? (await secretOf(id, salt, shown));
  const iv = randomBytes(12);
  const params = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(wallet) };
  const sealed = await crypto.subtle.encrypt(params, await keyOf(secret, salt), paddedPassword(password));
  return { id: text(id), salt: text(salt), iv: text(iv), sealed: text(new Uint8Array(sealed)) };
}

/** The password, once the owner has shown the authenticator who is there. @param shown as of {@link sealPassword}, which may have changed @throws PasskeyError */
export async function openPassword(wallet: string, shown: string, { id, salt, iv, sealed }: SealedPassword): Promise<string> {
  try {
    const key = await keyOf(await secretOf(bytes(id), bytes(salt), shown), bytes(salt));
    const params = { name: 'AES-GCM', iv: bytes(iv), additionalData: new TextEncoder().encode(wallet) };
    return passwordIn(new Uint8Array(await crypto.subtle.decrypt(params, key, bytes(sealed))));
  } catch (error) {
    if (error instanceof PasskeyError) throw error;
    throw new PasskeyError('passkey-stale');
  }
}

async function secretOf(id: Uint8Array<ArrayBuffer>, salt: Uint8Array<ArrayBuffer>, shown: string): Promise<BufferSource> {
  const given = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        allowCredentials: [{ type: 'public-key', id }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const secret = given.getClientExtensionResults().prf?.results?.first;
  if (secret === undefined) throw new PasskeyError('passkey-without-prf');
  tellName(given.response, shown);
  return secret;
}

/**
 * Tells whoever keeps a passkey that it opens nothing any more, so that it is not offered again (WebAuthn Level 3, 5.1.10.1), if the browser
 * supports that. @param id as stored
 */
export function discardPasskey({ id }: Pick<SealedPassword, 'id'>): void {
  const told = globalThis.PublicKeyCredential?.signalUnknownCredential?.({ rpId: location.hostname, credentialId: urlSafe(id) });
  told?.catch(() => undefined);
}

/** Renames the passkey in the authenticator's prompts (WebAuthn Level 3, 5.1.10.3), if the browser supports that and the passkey has a user handle. */
function tellName(response: AuthenticatorResponse, name: string): void {
  const handle = response instanceof AuthenticatorAssertionResponse ? response.userHandle : null;
  if (!handle) return;
  const userId = urlSafe(text(new Uint8Array(handle)));
  const told = PublicKeyCredential.signalCurrentUserDetails?.({ rpId: location.hostname, userId, name, displayName: name });
  told?.catch(() => undefined);
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await ask().catch(() => null);
  if (credential instanceof PublicKeyCredential) return credential;
  throw new PasskeyError('passkey-refused');
}

async function keyOf(secret: BufferSource, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(INFO) };
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

const randomBytes = (count: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(count));
const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const text = (of: Uint8Array): string => btoa(String.fromCharCode(...of));
const bytes = (of: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(of), (char) => char.charCodeAt(0));

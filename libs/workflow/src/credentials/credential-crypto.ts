import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecurityException } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';

/** Environment variable with the key of credentials: 64 hexadecimal characters. */
export const CREDENTIAL_KEY_VARIABLE = 'A2AT_CRED_KEY';

const CIPHER = 'aes-256-gcm';
const PREFIX = 'enc:';
const KEY = /^[0-9a-f]{64}$/i;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const NOT_DECRYPTED = 'Credential decryption failed; verify A2AT_CRED_KEY and encrypted value';

/**
 * Encrypted values of credentials: `enc:<iv>:<payload>`, AES-256-GCM, both parts in base64, the tag at the end of the
 * payload. The key is the one that is given, else that of the environment variable `A2AT_CRED_KEY`.
 *
 * @publicApi
 */
export const CredentialCrypto = {
  /** Is the value one to decrypt? */
  isEncrypted(value: string): boolean {
    return value.startsWith(PREFIX);
  },

  /**
   * @returns one line; another one each time
   * @throws SecurityException when there is no key, or it is none
   */
  encrypt(plaintext: string, key?: string | null): string {
    return seal(plaintext, keyBytes(key, 'A2AT_CRED_KEY is not set'), randomBytes(IV_BYTES));
  },

  /**
   * @param value what does not begin with `enc:` is plain text, and returned as it is
   * @throws SecurityException when there is no key, it is none, or it is not the one of the value
   */
  decrypt(value: string, key?: string | null): string {
    if (!CredentialCrypto.isEncrypted(value)) return value;
    return open(value, keyBytes(key, 'Encrypted credential found but A2AT_CRED_KEY is not set'));
  },
};

/** {@link CredentialCrypto.encrypt} with an initialisation vector that must never be used twice with one key. */
export function seal(plaintext: string, key: Buffer, iv: Buffer): string {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const payload = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${PREFIX}${iv.toString('base64')}:${payload.toString('base64')}`;
}

function open(value: string, key: Buffer): string {
  const [, iv, payload, ...rest] = value.split(':').map((part, at) => (at === 0 ? undefined : base64(part)));
  if (iv?.length !== IV_BYTES || payload === undefined || payload.length < TAG_BYTES || rest.length > 0) {
    throw new SecurityException(NOT_DECRYPTED);
  }
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(payload.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    throw new SecurityException(NOT_DECRYPTED);
  }
}

function keyBytes(given: string | null | undefined, whenMissing: string): Buffer {
  const key = isBlank(given) ? process.env[CREDENTIAL_KEY_VARIABLE] : given;
  if (typeof key !== 'string' || isBlank(key)) throw new SecurityException(whenMissing);
  if (!KEY.test(key)) throw new SecurityException('A2AT_CRED_KEY must contain 64 hexadecimal characters');
  return Buffer.from(key, 'hex');
}

// Node reads whatever looks like base64, and passes over the rest.
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

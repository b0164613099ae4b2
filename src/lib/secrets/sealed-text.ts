/** Encrypts strings before they are stored, using AES-256-GCM. The key is derived from a secret with HKDF (RFC 5869). */
import type { RandomBytes } from './random-text.ts'

export interface Sealer {
  /** @returns a different result each time */
  seal(text: string): Promise<string>
  /** @returns null if the string was sealed with another secret or for another purpose, or has been modified */
  open(sealed: string): Promise<string | null>
}

/** Prefix of each sealed string. A future format can use a different prefix. */
const VERSION = 'v1'
const NONCE_BYTES = 12

/** @param purpose a string sealed for one purpose can't be opened for another */
export function createSealer(secret: string, purpose: string, randomBytes: RandomBytes): Sealer {
  let deriving: Promise<CryptoKey> | null = null
  const key = () => {
    deriving ??= derive(secret, purpose)
    return deriving
  }
  return {
    async seal(text) {
      const nonce = Uint8Array.from(randomBytes(NONCE_BYTES))
      const bytes = await crypto.subtle.encrypt(algorithm(nonce), await key(), Buffer.from(text))
      return [VERSION, base64(nonce), base64(bytes)].join('.')
    },
    async open(sealed) {
      const [version, nonce = '', bytes = ''] = sealed.split('.')
      if (version !== VERSION) return null
      try {
        const opened = await crypto.subtle.decrypt(algorithm(bytesOf(nonce)), await key(), bytesOf(bytes))
        return Buffer.from(opened).toString()
      } catch {
        // A wrong key and a modified string cause the same error.
        return null
      }
    },
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>) {
  return { name: 'AES-GCM', iv, additionalData: Buffer.from(VERSION) }
}

async function derive(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: Buffer.from(purpose) }
  return crypto.subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

function base64(bytes: Uint8Array | ArrayBuffer): string {
  return Buffer.from(bytes as Uint8Array).toString('base64url')
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}

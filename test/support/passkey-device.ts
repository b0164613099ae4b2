/**
 * A device with passkeys, in place of a browser and its authenticator. It creates and signs data as Web Authentication defines them (Level
 * 3, 6.1, 6.5, 7), with ES256 keys. Tests can change its claims, as an attacker would.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { CreationOptions, RequestOptions } from '../../src/domain/account/passkey.ts'

export interface Claims {
  /** origin of the page */
  readonly origin?: string
  readonly rpId?: string
  /** challenge in base64url */
  readonly challenge?: string
  readonly counter?: number
  readonly isPresent?: boolean
  /** the person entered a PIN or used a fingerprint */
  readonly isVerified?: boolean
  /** handle in base64url; null: the device sends none */
  readonly userHandle?: string | null
  readonly credentialId?: string
  readonly type?: string
}

export interface PasskeyDevice {
  /** Returns `PublicKeyCredential.toJSON` of a new passkey, as JSON. */
  create(options: CreationOptions, claims?: Claims): string
  /** Returns the same for a signature by the newest passkey. */
  get(options: RequestOptions, claims?: Claims): string
  /** Makes signatures with the keys of the other device and its own ids. */
  stealIds(other: PasskeyDevice): void
  readonly credentials: readonly Credential[]
}

interface Credential {
  readonly id: string
  readonly privateKey: KeyObject
  readonly userHandle: string
}

/** @param usual default claims; the counter grows with each use unless it is set here */
export function passkeyDevice(usual: Claims & { readonly origin: string }): PasskeyDevice {
  const credentials: Credential[] = []
  let uses = 0
  const counterOf = (claims: Claims) => claims.counter ?? usual.counter ?? ++uses
  return {
    credentials,
    create(options, given = {}) {
      const claims = { ...usual, ...given }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const id = claims.credentialId ?? base64url(crypto.getRandomValues(new Uint8Array(32)))
      credentials.push({ id, privateKey, userHandle: options.user.id })
      const idBytes = bytesOf(id)
      // RFC 9053, 7.1.1: EC2, ES256, P-256.
      const coseKey = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(bytesOf(x))],
        [cborInt(-3), cborBytes(bytesOf(y))],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), uint16(idBytes.length), idBytes, coseKey])
      const authData = authenticatorData(claims.rpId ?? options.rp.id, counterOf(given), claims, attested)
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      const clientDataJSON = clientData('webauthn.create', options.challenge, claims)
      return JSON.stringify({
        ...credentialJson(id),
        response: {
          clientDataJSON: base64url(clientDataJSON),
          attestationObject: base64url(attestationObject),
          transports: ['internal', 'hybrid'],
        },
      })
    },
    get(options, given = {}) {
      const claims = { ...usual, ...given }
      const credential = credentials.at(-1)
      if (!credential) throw new Error('the device has no passkey')
      const authData = authenticatorData(claims.rpId ?? options.rpId, counterOf(given), claims)
      const clientDataJSON = clientData('webauthn.get', options.challenge, claims)
      const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()])
      const handle = claims.userHandle === undefined ? credential.userHandle : claims.userHandle
      return JSON.stringify({
        ...credentialJson(claims.credentialId ?? credential.id),
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', signed, credential.privateKey)),
          ...(handle === null ? {} : { userHandle: handle }),
        },
      })
    },
    stealIds(other) {
      const mine = credentials.at(-1)
      const theirs = other.credentials.at(-1)
      if (!mine || !theirs) throw new Error('a device has no passkey')
      credentials.push({ ...theirs, privateKey: mine.privateKey })
    },
  }
}

function credentialJson(id: string) {
  return { id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} }
}

function clientData(type: string, challenge: string, claims: Claims): Buffer {
  const { origin } = claims
  return Buffer.from(
    JSON.stringify({ type: claims.type ?? type, challenge: claims.challenge ?? challenge, origin, crossOrigin: false }),
  )
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

function authenticatorData(
  rpId: string,
  counter: number,
  { isPresent = true, isVerified = true }: Claims,
  attested = Buffer.alloc(0),
): Buffer {
  const flags = (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | (attested.length > 0 ? ATTESTED : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), count, attested])
}

function uint16(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

/** Encodes the head of an item (RFC 8949, 3), for lengths and numbers below 65,536. */
function head(major: number, number: number): Buffer {
  const type = major << 5
  if (number < 24) return Buffer.of(type | number)
  return number < 256 ? Buffer.of(type | 24, number) : Buffer.concat([Buffer.of(type | 25), uint16(number)])
}

const cborInt = (number: number) => (number < 0 ? head(1, -1 - number) : head(0, number))
const cborBytes = (bytes: Uint8Array) => Buffer.concat([head(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([head(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

/**
 * Passkeys (Web Authentication, Level 3): key pairs whose private key is stored in a browser, a phone or a security key. The server asks
 * the passkey to sign random bytes, and verifies the signature with the public key.
 */
import type { Instant } from '../../lib/time.ts'
import { Text } from '../schema.ts'
import { CHALLENGE_SECONDS } from './challenge.ts'
import type { PasskeyRules } from './sign-in-rules.ts'

export interface Passkey {
  /** credential id, in base64url */
  readonly id: string
  readonly accountId: string
  /** name that the user gave to the passkey */
  readonly name: string
  /** public key in COSE format (RFC 9052), in base64url */
  readonly publicKey: string
  /** signature count that the passkey last reported; always 0 if the passkey doesn't keep one */
  readonly counter: number
  /** ways for a browser to reach the passkey, such as `usb` or `internal`, as reported when it was added */
  readonly transports: readonly string[]
  readonly createdAt: Instant
  /** last sign-in with this passkey; null: it has not been used since it was added */
  readonly lastUsedAt: Instant | null
}

/** A use of a passkey, as reported by the device that signed the challenge. */
export interface PasskeyUse {
  readonly id: string
  readonly counter: number
  /** true: the device verified the user with a PIN or biometrics, rather than only their presence */
  readonly isVerified: boolean
}

/** Maximum number of passkeys per account. */
export const PASSKEY_LIMIT = 20
export const PASSKEY_NAME_LIMIT = 100
export const PasskeyName = Text({ maxLength: PASSKEY_NAME_LIMIT, pattern: '\\S', means: 'a name' })

/** Maximum length of a credential id in base64url: an id has at most 1,023 bytes (Web Authentication, 5.8.3). */
const ID_LIMIT = 1_364
const TRANSPORTS_LIMIT = 8
const TRANSPORT = /^[a-z-]{1,32}$/

export function isPasskeyId(text: string): boolean {
  return text.length <= ID_LIMIT && /^[\w-]+$/.test(text)
}

/** Returns the transports that a browser reported, without malformed ones and those over the limit. */
export function knownTransports(given: readonly string[]): readonly string[] {
  return [...new Set(given)].filter((transport) => TRANSPORT.test(transport)).slice(0, TRANSPORTS_LIMIT)
}

/** Returns the user handle that the passkey stores: 16 bytes in base64url that reveal nothing about the account. */
export function userHandle(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')
}

interface Descriptor {
  readonly type: 'public-key'
  readonly id: string
  readonly transports: readonly string[]
}

function descriptor({ id, transports }: Pick<Passkey, 'id' | 'transports'>): Descriptor {
  return { type: 'public-key', id, transports }
}

const TIMEOUT_MS = CHALLENGE_SECONDS * 1_000

/** The signature algorithms that authenticators support: EdDSA, ES256 and RS256 (RFC 9053). */
export const ALGORITHMS = [-8, -7, -257] as const

/**
 * Returns options for `PublicKeyCredential.parseCreationOptionsFromJSON`.
 * @param known the account's passkeys; a device that already has one of them does not create another
 */
export function creationOptions(
  { rpId }: PasskeyRules,
  challenge: string,
  account: { readonly id: string; readonly email: string },
  siteName: string,
  known: readonly Pick<Passkey, 'id' | 'transports'>[],
) {
  return {
    challenge,
    rp: { id: rpId, name: siteName },
    user: { id: userHandle(account.id), name: account.email, displayName: account.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(descriptor),
    // A passkey that is not stored on the device still works as a second factor. It just can't be used to sign in without an email.
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    // The server does not check which manufacturer made the authenticator.
    attestation: 'none',
  } as const
}

export type CreationOptions = ReturnType<typeof creationOptions>

/**
 * Returns options for `PublicKeyCredential.parseRequestOptionsFromJSON`.
 * @param known passkeys that may sign; if empty, any passkey that the browser has for this server may sign
 */
export function requestOptions(
  { rpId }: PasskeyRules,
  challenge: string,
  known: readonly Pick<Passkey, 'id' | 'transports'>[],
) {
  const allowCredentials = known.map(descriptor)
  return { challenge, rpId, timeout: TIMEOUT_MS, userVerification: 'preferred', allowCredentials } as const
}

export type RequestOptions = ReturnType<typeof requestOptions>

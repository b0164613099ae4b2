/**
 * Passkeys: key pairs whose private part is in the browser, a phone or a security key (Web Authentication, Level 3). A server asks for a
 * signature of random bytes, and checks it with the public part.
 */
import type { Instant } from '../../lib/time.ts'
import { Text } from '../schema.ts'
import { CHALLENGE_SECONDS } from './challenge.ts'
import type { PasskeyRules } from './sign-in-rules.ts'

export interface Passkey {
  /** credential id, in base64url */
  readonly id: string
  readonly accountId: string
  /** name given by its owner */
  readonly name: string
  /** COSE (RFC 9052), in base64url */
  readonly publicKey: string
  /** signature counter, as last seen; 0 for passkeys that don't count */
  readonly counter: number
  /** means by which browsers reach it, such as `usb` or `internal`, as reported when it was added */
  readonly transports: readonly string[]
  readonly createdAt: Instant
  /** null: never, or not since it was added */
  readonly lastUsedAt: Instant | null
}

/** A use of a passkey, as reported in its signature. */
export interface PasskeyUse {
  readonly id: string
  readonly counter: number
  /** true: the person was recognised, by a PIN or a finger, and not only present */
  readonly isVerified: boolean
}

/** Maximum number of passkeys of an account. */
export const PASSKEY_LIMIT = 20
export const PASSKEY_NAME_LIMIT = 100
export const PasskeyName = Text({ maxLength: PASSKEY_NAME_LIMIT, pattern: '\\S', means: 'a name' })

/** A credential id has at most 1,023 bytes (Web Authentication, 5.8.3). */
const ID_LIMIT = 1_364
const TRANSPORTS_LIMIT = 8
const TRANSPORT = /^[a-z-]{1,32}$/

export function isPasskeyId(text: string): boolean {
  return text.length <= ID_LIMIT && /^[\w-]+$/.test(text)
}

/** Returns the transports that a browser reported, without malformed and surplus ones. */
export function knownTransports(given: readonly string[]): readonly string[] {
  return [...new Set(given)].filter((transport) => TRANSPORT.test(transport)).slice(0, TRANSPORTS_LIMIT)
}

/** Returns the user handle that a passkey stores: 16 bytes that mean nothing to others, in base64url. */
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

/** EdDSA, ES256, RS256 (RFC 9053): the algorithms that authenticators support. */
export const ALGORITHMS = [-8, -7, -257] as const

/**
 * Returns options for `PublicKeyCredential.parseCreationOptionsFromJSON`.
 * @param known passkeys of the account; their devices create no second one
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
    // A passkey that the device does not store cannot sign in by itself, but is still a second factor.
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    // Attestation by the maker is not checked.
    attestation: 'none',
  } as const
}

export type CreationOptions = ReturnType<typeof creationOptions>

/**
 * Returns options for `PublicKeyCredential.parseRequestOptionsFromJSON`.
 * @param known passkeys that may sign; empty: any that the browser has for this server
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

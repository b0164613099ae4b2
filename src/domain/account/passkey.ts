/**
 * Passkeys: key pairs of which the browser, a phone or a security key has the private part (Web Authentication, Level 3). A server
 * asks for a signature of random bytes, and checks it with the public part.
 */
import type { Instant } from '../../lib/time.ts'
import { Text } from '../schema.ts'
import { CHALLENGE_SECONDS } from './challenge.ts'
import type { PasskeyRules } from './sign-in-rules.ts'

export interface Passkey {
  /** of the credential, in base64url */
  readonly id: string
  readonly accountId: string
  /** by which its owner knows it */
  readonly name: string
  /** COSE (RFC 9052), in base64url */
  readonly publicKey: string
  /** of signatures, as last seen; 0 for those that don't count */
  readonly counter: number
  /** how the browser reaches it, such as `usb` or `internal`, as it was when it was added */
  readonly transports: readonly string[]
  readonly createdAt: Instant
  /** null: never, or not since it was added */
  readonly lastUsedAt: Instant | null
}

/** What a signature says besides whose it is. */
export interface PasskeyUse {
  readonly id: string
  readonly counter: number
  /** the person was recognised, by a PIN or a finger, and not only present */
  readonly isVerified: boolean
}

/** Of one account. */
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

/** What the browser said about how it reaches a passkey, without what no browser says. */
export function knownTransports(given: readonly string[]): readonly string[] {
  return [...new Set(given)].filter((transport) => TRANSPORT.test(transport)).slice(0, TRANSPORTS_LIMIT)
}

/** Who a passkey is for, as it stores it: 16 bytes that say nothing to others, in base64url. */
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

/** EdDSA, ES256, RS256 (RFC 9053): what authenticators can do. */
export const ALGORITHMS = [-8, -7, -257] as const

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. @param known those of the account, of which no device makes a second one */
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
    // A key that stores nothing signs in nobody by itself, but is still a second factor.
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    // Nobody looks at which maker vouches for it.
    attestation: 'none',
  } as const
}

export type CreationOptions = ReturnType<typeof creationOptions>

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. @param known those that may sign; empty: whatever the browser has for this server */
export function requestOptions(
  { rpId }: PasskeyRules,
  challenge: string,
  known: readonly Pick<Passkey, 'id' | 'transports'>[],
) {
  const allowCredentials = known.map(descriptor)
  return { challenge, rpId, timeout: TIMEOUT_MS, userVerification: 'preferred', allowCredentials } as const
}

export type RequestOptions = ReturnType<typeof requestOptions>

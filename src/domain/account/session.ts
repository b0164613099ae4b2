/** A session: a record that a browser is signed in. Also defines how long sessions last. */
import { createHash } from 'node:crypto'
import { addSeconds, earlier, type Instant, isAtOrAfter, microsecondsBetween } from '../../lib/time.ts'
import type { SignInRules } from './sign-in-rules.ts'

export interface Session {
  /** hash of the token in the cookie; see {@link tokenLookup} */
  readonly lookup: string
  readonly accountId: string
  readonly createdAt: Instant
  /** time of the last request, accurate to {@link SEEN_EVERY_SECONDS} */
  readonly lastSeenAt: Instant
  /** IP address from which the browser sent its last request; null if unknown */
  readonly address: string | null
  readonly userAgent: string
  /** how the user signed in; null: the session began before sign-in methods were recorded */
  readonly method: SignInMethod | null
  /** when the user last confirmed their identity; null: they have not done so since they signed in */
  readonly confirmedAt: Instant | null
}

/** Ways to sign in. `link`: a link in an email. `printed-link`: a link that the operator printed with a command. */
export const SIGN_IN_METHODS = ['password', 'link', 'printed-link', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * Whether a sign-in by this method also requires the account's second factor. A sign-in at an OpenID provider or with a passkey that
 * verifies the user does not need one.
 */
export function asksSecondFactor(method: SignInMethod | null): boolean {
  return method !== 'passkey' && method !== 'oidc'
}

/**
 * Whether the sign-in rules still allow a session that began with this method. Printed links work even if users may sign in only at the
 * provider, because the provider may be down.
 */
export function isStillAllowed(
  { method }: Pick<Session, 'method'>,
  { hasLocalSignIn }: Pick<SignInRules, 'hasLocalSignIn'>,
): boolean {
  return hasLocalSignIn || method === 'oidc' || method === 'printed-link'
}

/** Kinds of second factor that a sign-in may require. */
export type SecondFactor = 'totp' | 'recovery-code' | 'passkey'

const DAY_SECONDS = 86_400
export const IDLE_SECONDS = 14 * DAY_SECONDS
export const LONGEST_SECONDS = 90 * DAY_SECONDS
/** Minimum number of seconds between updates of `lastSeenAt`. Updating it on every request would cause too many writes. */
const SEEN_EVERY_SECONDS = 300

/** Length of a token, in bytes. 32 random bytes can't be guessed, so a fast hash is enough to protect a stored token. */
const TOKEN_BYTES = 32

/** Returns a token for a cookie or a link: 43 characters of base64url. */
export function makeToken(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
}

/** Returns the SHA-256 hash of a token in hex. Tokens are stored only as hashes. */
export function tokenLookup(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function expiresAt({ createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>): Instant {
  const longest = addSeconds(createdAt, LONGEST_SECONDS)
  return earlier(addSeconds(lastSeenAt, IDLE_SECONDS), longest) ?? longest
}

export function isExpired(session: Session, now: Instant): boolean {
  return isAtOrAfter(now, expiresAt(session))
}

/** Whether `lastSeenAt` is old enough to be updated. */
export function isStale({ lastSeenAt }: Pick<Session, 'lastSeenAt'>, now: Instant): boolean {
  return microsecondsBetween(lastSeenAt, now) >= SEEN_EVERY_SECONDS * 1_000_000
}

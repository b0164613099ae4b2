/** Sessions, and how long a browser stays signed in. */
import { createHash } from 'node:crypto'
import { addSeconds, earlier, type Instant, isAtOrAfter, microsecondsBetween } from '../../lib/time.ts'
import type { SignInRules } from './sign-in-rules.ts'

export interface Session {
  /** {@link tokenLookup} of the cookie */
  readonly lookup: string
  readonly accountId: string
  readonly createdAt: Instant
  /** last request, to within {@link SEEN_EVERY_SECONDS} */
  readonly lastSeenAt: Instant
  /** the browser's IP address in its last request; null if unknown */
  readonly address: string | null
  readonly userAgent: string
  /** how the person signed in; null: the session began before sign-in methods were recorded */
  readonly method: SignInMethod | null
  /** time at which the person last proved their identity again; null: not since they signed in */
  readonly confirmedAt: Instant | null
}

/** Ways to sign in. `link`: a link in an email. `printed-link`: a link that the operator printed with a command. */
export const SIGN_IN_METHODS = ['password', 'link', 'printed-link', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * Whether a sign-in by this method also needs the account's second factor. An OpenID provider, or a passkey that verifies the person, is
 * enough by itself.
 */
export function asksSecondFactor(method: SignInMethod | null): boolean {
  return method !== 'passkey' && method !== 'oidc'
}

/**
 * Whether the sign-in rules still allow a session that began with this method. If people may sign in only at the provider, printed links
 * still work, in case the provider is down.
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
/** Minimum number of seconds between two updates of `lastSeenAt`, so that not every request writes to the database. */
const SEEN_EVERY_SECONDS = 300

/** Length of a token. 32 random bytes can't be guessed, so a fast hash is enough to store them. */
const TOKEN_BYTES = 32

/** Returns a token for a cookie or a link: 43 characters of base64url. */
export function makeToken(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
}

/** Returns the hash under which a token is stored: SHA-256 in hex. */
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

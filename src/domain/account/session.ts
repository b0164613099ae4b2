/** Sessions: how long a browser stays signed in. */
import { createHash } from 'node:crypto'
import { addSeconds, earlier, type Instant, isAtOrAfter, microsecondsBetween } from '../../lib/time.ts'
import type { SignInRules } from './sign-in-rules.ts'

export interface Session {
  /** {@link tokenLookup} of the cookie */
  readonly lookup: string
  readonly accountId: string
  readonly createdAt: Instant
  /** exact to {@link SEEN_EVERY_SECONDS} */
  readonly lastSeenAt: Instant
  /** the browser's address, as last seen; null if unknown */
  readonly address: string | null
  readonly userAgent: string
  /** null: it began before methods were recorded */
  readonly method: SignInMethod | null
  /** time at which the person last proved their identity again; null: not since the sign-in */
  readonly confirmedAt: Instant | null
}

/** Ways to begin a session: `link` is a mailed link, `printed-link` one that the operator has printed. */
export const SIGN_IN_METHODS = ['password', 'link', 'printed-link', 'passkey', 'oidc'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * Whether a sign-in by this method requires the account's second factor. An OpenID provider, or a passkey that verifies the person, is
 * proof enough.
 */
export function asksSecondFactor(method: SignInMethod | null): boolean {
  return method !== 'passkey' && method !== 'oidc'
}

/**
 * Whether the rules still allow a session that began with this method. If people sign in at the provider only, a printed link remains the
 * way in when the provider does not answer.
 */
export function isStillAllowed(
  { method }: Pick<Session, 'method'>,
  { hasLocalSignIn }: Pick<SignInRules, 'hasLocalSignIn'>,
): boolean {
  return hasLocalSignIn || method === 'oidc' || method === 'printed-link'
}

/** Kinds of second factors that a sign-in may require. */
export type SecondFactor = 'totp' | 'recovery-code' | 'passkey'

const DAY_SECONDS = 86_400
export const IDLE_SECONDS = 14 * DAY_SECONDS
export const LONGEST_SECONDS = 90 * DAY_SECONDS
/** Minimum number of seconds between two writes of `lastSeenAt`, so that not every request writes. */
const SEEN_EVERY_SECONDS = 300

/** 32 random bytes can't be guessed, so a plain hash hides them. */
const TOKEN_BYTES = 32

/** Returns a token for a cookie or a link: 43 characters of base64url. */
export function makeToken(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
}

/** Returns the value under which a token is stored: SHA-256 in hex. */
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

/** Whether `lastSeenAt` is so old that it must be written again. */
export function isStale({ lastSeenAt }: Pick<Session, 'lastSeenAt'>, now: Instant): boolean {
  return microsecondsBetween(lastSeenAt, now) >= SEEN_EVERY_SECONDS * 1_000_000
}

/** Sign-in at an OpenID provider: the client's interface, and the parsing of the provider's claims. */
import { oneLine, within } from '../../lib/text/text.ts'
import { fromSeconds, type Instant } from '../../lib/time.ts'
import { exactEmail } from './account.ts'

/** Secrets created for a single sign-in. */
export interface OpenIdSecrets {
  /** value that the provider sends back through the browser */
  readonly state: string
  /** value that the provider includes in the ID token */
  readonly nonce: string
  /** PKCE code verifier (RFC 7636): 43 to 128 characters of base64url */
  readonly verifier: string
}

/** An OpenID client. The promises that it returns never reject. */
export interface OpenIdClient {
  /**
   * Starts a sign-in.
   * @param mustAsk true: the provider must ask the user to authenticate, even if the browser is already signed in there
   */
  begin(secrets: OpenIdSecrets, mustAsk: boolean): Promise<OpenIdBeginning>
  /**
   * Verifies the provider's response, which arrives through the browser, and exchanges the code in it for claims.
   * @param answer query string of the redirect URL
   */
  finish(answer: URLSearchParams, expected: OpenIdSecrets): Promise<OpenIdAnswer>
}

type OpenIdBeginning =
  /** `url`: address to which the browser is redirected */
  { readonly kind: 'ready'; readonly url: string } | OpenIdUnavailable

export type OpenIdAnswer =
  | {
      readonly kind: 'claims'
      readonly claims: Claims
      /** false: the provider's claims never say when the user last authenticated */
      readonly tellsProof: boolean
    }
  /** the provider did not sign the user in. `error` is an OAuth code, such as `access_denied` */
  | { readonly kind: 'denied'; readonly error: string }
  /** the response belongs to another sign-in, or the provider is misconfigured. `reason` explains the problem to the operator */
  | { readonly kind: 'refused'; readonly reason: string }
  | OpenIdUnavailable

export interface OpenIdUnavailable {
  readonly kind: 'unavailable'
  /** the reason why the provider can't be used, for the operator */
  readonly reason: string
}

/** A provider's claims about a user. Their signature, issuer, audience, times and nonce have been checked. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * Merges the claims from the ID token and the user info response. If both contain a claim, the ID token takes precedence. `email_verified`
 * applies only to the email from the same source, because the two emails may differ.
 */
export function joinClaims(idToken: Claims, userInfo: Claims): Claims {
  const isOther = idToken.email !== undefined && emailOf(idToken) !== emailOf(userInfo)
  const more = Object.entries(userInfo).filter(([name]) => !isOther || !VERIFIED.includes(name))
  return { ...Object.fromEntries(more), ...idToken }
}

function emailOf({ email }: Claims): string | null {
  return typeof email === 'string' ? exactEmail(email) : null
}

export interface ProvenPerson {
  readonly issuer: string
  readonly subject: string
  /** display name, or the sign-in name if there is no display name; null: the provider sent neither */
  readonly name: string | null
  /** normalized email; null: the provider did not send a valid email */
  readonly email: string | null
  /** true: the provider says that the email belongs to the user */
  readonly isEmailVerified: boolean
  /** names of the user's groups; empty if the provider sent none */
  readonly groups: readonly string[]
  /** when the user last authenticated at the provider; null: unknown */
  readonly provedAt: Instant | null
}

/** A valid `sub` claim: at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
/**
 * Claims that say whether an email is verified. Microsoft Entra has no `email_verified`; its `xms_edov` says whether the owner of the
 * email's domain has verified it.
 */
const VERIFIED = ['email_verified', 'xms_edov']

/**
 * Parses a provider's claims about a user.
 * @param groupsClaim name of the claim that contains one group or a list of groups
 * @returns null if the issuer is missing, or the subject can't be stored
 */
export function readClaims(claims: Claims, groupsClaim: string): ProvenPerson | null {
  const { iss: issuer, sub: subject, auth_time: provedAt } = claims
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !SUBJECT.test(subject)) return null
  return {
    issuer,
    subject,
    name: nameOf(claims),
    email: emailOf(claims),
    isEmailVerified: VERIFIED.some((name) => isYes(claims[name])),
    groups: groupsOf(claims[groupsClaim]),
    provedAt: isTime(provedAt) ? fromSeconds(provedAt) : null,
  }
}

const NAME_CHARACTERS = 200

/** Returns the display name, or the sign-in name if the user has no display name (OpenID Connect Core 1.0, section 5.1). */
function nameOf({ name, preferred_username: signInName }: Claims): string | null {
  const named = [name, signInName].filter((each) => typeof each === 'string').map(oneLine)
  const [first] = named.filter((each) => each !== '')
  return first === undefined ? null : within(first, NAME_CHARACTERS)
}

/** Whether a claim is a valid timestamp in seconds since 1970, before the year 5139. */
function isTime(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0 && claim < 100_000_000_000
}

/** Whether a claim is true. Some providers send booleans as strings or numbers. */
function isYes(claim: unknown): boolean {
  return claim === true || claim === 'true' || claim === 1 || claim === '1'
}

function groupsOf(claim: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return all.filter((group) => typeof group === 'string')
}

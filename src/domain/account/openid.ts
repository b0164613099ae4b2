/** Sign-in at an OpenID provider: the interface of its client, and the reading of the provider's claims. */
import { oneLine, within } from '../../lib/text/text.ts'
import { fromSeconds, type Instant } from '../../lib/time.ts'
import { exactEmail } from './account.ts'

/** Secrets that are new for each sign-in, and known to nobody else until it ends. */
export interface OpenIdSecrets {
  /** returned by the browser */
  readonly state: string
  /** returned in the ID token */
  readonly nonce: string
  /** PKCE code verifier (RFC 7636): 43 to 128 characters of base64url */
  readonly verifier: string
}

/** An OpenID client. Neither function rejects, and both settle. */
export interface OpenIdClient {
  /** @param mustAsk true: the provider requires a proof from the person even if it knows the browser */
  begin(secrets: OpenIdSecrets, mustAsk: boolean): Promise<OpenIdBeginning>
  /** Checks the browser's answer and exchanges its code. @param answer the query of the redirect address */
  finish(answer: URLSearchParams, expected: OpenIdSecrets): Promise<OpenIdAnswer>
}

type OpenIdBeginning =
  /** `url`: the address to which the browser is sent */
  { readonly kind: 'ready'; readonly url: string } | OpenIdUnavailable

export type OpenIdAnswer =
  | {
      readonly kind: 'claims'
      readonly claims: Claims
      /** false: the provider never reports when it required a proof from the person */
      readonly tellsProof: boolean
    }
  /** the provider signed nobody in. `error` is an OAuth code, such as `access_denied` */
  | { readonly kind: 'denied'; readonly error: string }
  /** the answer does not belong to this sign-in, or the provider is misconfigured; `reason` is for the operator */
  | { readonly kind: 'refused'; readonly reason: string }
  | OpenIdUnavailable

export interface OpenIdUnavailable {
  readonly kind: 'unavailable'
  /** explanation for the operator */
  readonly reason: string
}

/** A provider's claims about a person, after a check of signature, issuer, audience, times and nonce. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * Joins the claims; the ID token takes precedence over the user info. A claim that an email is verified counts only for the email beside
 * it, because the two may contain different emails.
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
  /** the person's display name, else their sign-in name; null: the provider gives none */
  readonly name: string | null
  /** the email in stored form; null: the provider gives none, or an invalid one */
  readonly email: string | null
  /** whether the provider vouches that the email is the person's */
  readonly isEmailVerified: boolean
  /** names of groups; empty also if the provider gives none */
  readonly groups: readonly string[]
  /** time at which the provider last required a proof from the person; null: unknown */
  readonly provedAt: Instant | null
}

/** OpenID Connect Core 1.0, section 2: 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
/** Microsoft Entra has no `email_verified`; `xms_edov` says whether the owner of the email's domain has vouched for it. */
const VERIFIED = ['email_verified', 'xms_edov']

/** @param groupsClaim the claim that lists groups, or names one @returns null without an issuer or a storable subject */
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

/** Returns the display name, or else the sign-in name (OpenID Connect Core 1.0, section 5.1). */
function nameOf({ name, preferred_username: signInName }: Claims): string | null {
  const named = [name, signInName].filter((each) => typeof each === 'string').map(oneLine)
  const [first] = named.filter((each) => each !== '')
  return first === undefined ? null : within(first, NAME_CHARACTERS)
}

/** Accepts seconds up to the year 5138. */
function isTime(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0 && claim < 100_000_000_000
}

/** Accepts texts and numbers: some providers write booleans that way. */
function isYes(claim: unknown): boolean {
  return claim === true || claim === 'true' || claim === 1 || claim === '1'
}

function groupsOf(claim: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return all.filter((group) => typeof group === 'string')
}

/** Settings for the first account, and for signing in. */
import { Email, normalizeEmail } from '../domain/account/account.ts'
import { passwordProblem } from '../domain/account/password.ts'
import type { SignInRules } from '../domain/account/sign-in-rules.ts'
import { fits } from '../domain/schema.ts'
import { readOidc, readPasskeys } from './oidc.ts'
import { flag } from './parsers.ts'
import type { Settings } from './settings.ts'

export interface SignInSettings {
  /** the account to create if no account exists; its email is normalized; `password` is null only with a `remoteUserHeader` */
  readonly admin: { readonly email: string; readonly password: string | null } | null
  /** header in which a trusted proxy names the signed-in user, in lower case; null if none is set */
  readonly remoteUserHeader: string | null
  readonly signInRules: SignInRules
}

/** @param trustedProxies the proxies that were set explicitly */
export function readSignIn(settings: Settings, siteRoot: string, trustedProxies: readonly string[]): SignInSettings {
  const { problems } = settings
  const signInRules = readRules(settings, siteRoot)
  const problemsBefore = problems.length
  const remoteUserHeader = settings.get('REMOTE_USER_HEADER', null, headerName)
  const email = settings.get('ADMIN_EMAIL', null, emailAddress)
  const password = settings.get('ADMIN_PASSWORD', null, (given) => acceptedPassword(given, email ?? ''))
  const admin = email === null ? null : { email, password }
  if (problems.length > problemsBefore) return { admin, remoteUserHeader, signInRules }
  if (remoteUserHeader !== null && trustedProxies.length === 0) {
    problems.push(
      'REMOTE_USER_HEADER: is trusted only from TRUSTED_PROXIES, which is not set; set it to the address of your proxy,' +
        ' and let the proxy remove this header from client requests',
    )
  }
  if (email === null && password !== null) {
    problems.push('ADMIN_EMAIL: is not set; set it, or unset ADMIN_PASSWORD')
  }
  if (email !== null && password === null && remoteUserHeader === null) {
    problems.push('ADMIN_PASSWORD: is not set; set it, or unset ADMIN_EMAIL')
  }
  return { admin, remoteUserHeader, signInRules }
}

function readRules(settings: Settings, siteRoot: string): SignInRules {
  const oidc = readOidc(settings)
  const hasLocalSignIn = settings.get('LOCAL_SIGN_IN', 'True', flag)
  if (!hasLocalSignIn && oidc === null && !settings.environment.OIDC_ISSUER) {
    settings.problems.push(
      'LOCAL_SIGN_IN: is False, but no OpenID provider is set; set OIDC_ISSUER, or unset LOCAL_SIGN_IN',
    )
  }
  return {
    isRegistrationOpen: settings.get('REGISTRATION_OPEN', 'False', flag),
    hasLocalSignIn,
    oidc,
    passkeys: readPasskeys(settings, siteRoot),
  }
}

/** @param given `X-Remote-User`, or `HTTP_X_REMOTE_USER` as in CGI (RFC 3875, 4.1.18) and Healthchecks */
function headerName(given: string): string {
  const name = /^HTTP_\w+$/.test(given) ? given.slice('HTTP_'.length).replaceAll('_', '-') : given
  // Web servers drop headers whose names contain an underscore.
  if (name.length <= 100 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(name)) return name.toLowerCase()
  throw new Error(`"${given.slice(0, 100)}" is not the name of a header; use one like X-Remote-User`)
}

function emailAddress(given: string): string {
  const email = normalizeEmail(given)
  if (fits(Email, email)) return email
  throw new Error(`"${given.slice(0, 100)}" is not an email address; use one like ops@example.org`)
}

function acceptedPassword(given: string, email: string): string {
  const problem = passwordProblem(given, email)
  if (problem !== null) throw new Error(problem)
  return given
}

/** Settings for sign-in at an OpenID provider, and for passkeys. */
import type { OidcProvider, PasskeyRules } from '../domain/account/sign-in-rules.ts'
import { flag, text, webUrl } from './parsers.ts'
import type { Settings } from './settings.ts'

/** @returns null if no provider is set */
export function readOidc(settings: Settings): OidcProvider | null {
  const issuer = settings.get('OIDC_ISSUER', null, issuerUrl)
  const clientId = settings.get('OIDC_CLIENT_ID', null, text(1_000))
  const provider = {
    clientSecret: settings.get('OIDC_CLIENT_SECRET', null, text(1_000)),
    name: settings.get('OIDC_NAME', 'single sign-on', text(60)),
    groupsClaim: settings.get('OIDC_GROUPS_CLAIM', 'groups', text(200)),
    adminGroup: settings.get('OIDC_ADMIN_GROUP', null, text(200)),
    createsAccounts: settings.get('OIDC_CREATE_ACCOUNTS', 'True', flag),
  }
  const { problems } = settings
  const isGiven = (name: string) => settings.environment[name] || settings.environment[`${name}_FILE`]
  if (issuer === null && clientId !== null && !isGiven('OIDC_ISSUER')) {
    problems.push('OIDC_ISSUER: is not set; set it to the address of the provider, or unset OIDC_CLIENT_ID')
  }
  if (issuer !== null && clientId === null && !isGiven('OIDC_CLIENT_ID')) {
    problems.push('OIDC_CLIENT_ID: is not set; register this server at the provider and set the id that it gives')
  }
  return issuer === null || clientId === null ? null : { issuer, clientId, ...provider }
}

/** @returns null if browsers do not allow passkeys at SITE_ROOT */
export function readPasskeys(settings: Settings, siteRoot: string): PasskeyRules | null {
  const { protocol, hostname, origin } = new URL(siteRoot)
  const rpId = settings.get('RP_ID', hostname, (given) => relyingParty(given, hostname))
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isDomain = /[a-z]/i.test(hostname) && !hostname.includes(':')
  return isDomain && (protocol === 'https:' || isLocal) ? { rpId, origin } : null
}

function issuerUrl(given: string): string {
  const issuer = webUrl(given)
  const { protocol, hostname } = new URL(issuer)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  if (protocol !== 'https:' && !isLocal) throw new Error('must begin with https://, because it decides who signs in')
  return issuer
}

/** Returns the domain to which passkeys are bound: the host of SITE_ROOT or a domain above it (Web Authentication, 13.4.9). */
function relyingParty(given: string, hostname: string): string {
  const name = given.toLowerCase()
  if (name === hostname || hostname.endsWith(`.${name}`)) return name
  throw new Error(`"${given.slice(0, 100)}" is neither the host of SITE_ROOT, ${hostname}, nor a domain above it`)
}

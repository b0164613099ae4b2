/**
 * Client of an OpenID provider: discovery, the sign-in URL, the exchange of a code, and claims. The library checks signature, issuer,
 * audience, times, state, nonce and PKCE. It is loaded at the first sign-in.
 */
import type { Configuration } from 'openid-client'
import {
  type Claims,
  joinClaims,
  type OpenIdAnswer,
  type OpenIdClient,
  type OpenIdUnavailable,
} from '../domain/account/openid.ts'
import type { OidcProvider } from '../domain/account/sign-in-rules.ts'
import { messageWithCause } from '../lib/errors.ts'
import { addSeconds, type Clock, isBefore } from '../lib/time.ts'
import { createProviderFetch, Unreachable } from './openid-fetch.ts'

interface OpenIdClientOptions {
  readonly provider: OidcProvider
  /** URL to which the provider redirects browsers */
  readonly redirectUri: string
  readonly now: Clock
  /** this machine's clock, which the library uses */
  readonly machineNow: Clock
  /** time limit in seconds of each request to the provider; 10 by default */
  readonly timeoutSeconds?: number
}

type Library = typeof import('openid-client')

/** Number of seconds after which the provider's metadata is reread. */
const KNOWN_SECONDS = 3_600
const OAUTH_ERROR = /^[\w.-]{1,100}$/

export function createOpenIdClient(options: OpenIdClientOptions): OpenIdClient {
  const { provider, redirectUri } = options
  const configure = createConfigure(options)
  return {
    async begin({ state, nonce, verifier }, mustAsk) {
      try {
        const { library, config } = await configure()
        const parameters = {
          redirect_uri: redirectUri,
          scope: scopesOf(provider, config.serverMetadata().scopes_supported),
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(mustAsk ? { prompt: 'login', max_age: '0' } : {}),
        }
        return { kind: 'ready', url: library.buildAuthorizationUrl(config, parameters).href }
      } catch (error) {
        return unavailable(error)
      }
    },
    async finish(answer, { state, nonce, verifier }) {
      try {
        const { library, config } = await configure()
        const url = new URL(redirectUri)
        url.search = answer.toString()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        return await exchange(library, config, provider, url, checks)
      } catch (error) {
        // The library has not started its own work, so the error came from discovery.
        return unavailable(error)
      }
    },
  }
}

interface Configured {
  readonly library: Library
  readonly config: Configuration
}

/**
 * Creates a function that reads the provider's metadata. Concurrent sign-ins share one read, and the next call after a failure tries again.
 */
function createConfigure({
  provider,
  now,
  machineNow,
  timeoutSeconds = 10,
}: OpenIdClientOptions): () => Promise<Configured> {
  const fetchLimited = createProviderFetch(timeoutSeconds)
  // The library must check the times in tokens by the same clock as the rest of the program.
  const ahead = () => Math.round((now().epochMilliseconds - machineNow().epochMilliseconds) / 1000)
  const discover = async (): Promise<Configured> => {
    const library = await import('openid-client')
    const { issuer, clientId, clientSecret } = provider
    const metadata = { [library.clockSkew]: ahead() }
    const isLocal = new URL(issuer).protocol === 'http:'
    const options = {
      [library.customFetch]: fetchLimited,
      timeout: timeoutSeconds,
      ...(isLocal ? { execute: [library.allowInsecureRequests] } : {}),
    }
    const address = new URL(`${issuer}/.well-known/openid-configuration`)
    const found = await library.discovery(address, clientId, metadata, library.None(), options)
    const server = found.serverMetadata()
    if (withoutSlash(server.issuer) !== issuer) {
      throw new Error(`${address} names another issuer, ${server.issuer.slice(0, 200)}; set OIDC_ISSUER to that one`)
    }
    const config = new library.Configuration(
      server,
      clientId,
      metadata,
      clientAuth(library, clientSecret, server.token_endpoint_auth_methods_supported),
    )
    config.timeout = timeoutSeconds
    config[library.customFetch] = fetchLimited
    if (isLocal) library.allowInsecureRequests(config)
    // Makes the library also check the signature of an ID token that was received over TLS.
    library.enableNonRepudiationChecks(config)
    return { library, config }
  }
  let known: {
    readonly configured: Promise<Configured>
    readonly until: ReturnType<Clock>
    readonly ahead: number
  } | null = null
  return () => {
    const at = now()
    if (known !== null && isBefore(at, known.until) && Math.abs(known.ahead - ahead()) < 10) return known.configured
    const configured = discover()
    const mine = { configured, until: addSeconds(at, KNOWN_SECONDS), ahead: ahead() }
    known = mine
    configured.catch(() => {
      if (known === mine) known = null
    })
    return configured
  }
}

/**
 * Returns an authentication method that the provider supports. By default, the client authenticates in a header (OpenID Connect Discovery
 * 1.0, section 3).
 */
function clientAuth(library: Library, secret: string | null, methods: readonly string[] = ['client_secret_basic']) {
  if (secret === null) return library.None()
  const takesHeader = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
  return takesHeader ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret)
}

/** Returns the scopes to request. Some providers reject unknown scopes, and some return groups only if a special scope is requested. */
function scopesOf({ adminGroup }: OidcProvider, supported: readonly string[] | undefined): string {
  const ofGroups = adminGroup === null ? [] : ['profile', 'groups'].filter((scope) => supported?.includes(scope))
  return ['openid', 'email', ...ofGroups].join(' ')
}

type Checks = Parameters<Library['authorizationCodeGrant']>[2]

async function exchange(
  library: Library,
  config: Configuration,
  provider: OidcProvider,
  url: URL,
  checks: Checks,
): Promise<OpenIdAnswer> {
  try {
    const tokens = await library.authorizationCodeGrant(config, url, checks)
    const claims = tokens.claims()
    if (!claims) return { kind: 'refused', reason: 'the provider sent no ID token' }
    const wanted = ['email', 'email_verified', ...(provider.adminGroup === null ? [] : [provider.groupsClaim])]
    const isComplete = wanted.every((name) => claims[name] !== undefined)
    const { userinfo_endpoint: more, claims_supported: told } = config.serverMetadata()
    const found: Claims =
      isComplete || !more ? {} : await library.fetchUserInfo(config, tokens.access_token, claims.sub)
    const tellsProof = told?.includes('auth_time') ?? true
    return { kind: 'claims', claims: joinClaims(claims, found), tellsProof }
  } catch (error) {
    if (error instanceof library.AuthorizationResponseError) {
      return { kind: 'denied', error: OAUTH_ERROR.test(error.error) ? error.error : 'an error' }
    }
    if (isUnreachable(error)) return unavailable(error)
    return { kind: 'refused', reason: reasonOf(library, error) }
  }
}

function reasonOf(library: Library, error: unknown): string {
  const words = messageWithCause(error)
  if (!(error instanceof library.ResponseBodyError)) return words
  const { error: code, error_description: description } = error
  return `${words}: ${code}${description === undefined ? '' : `, ${description}`}`
}

/** Searches an error's chain of causes, because the library wraps unexpected errors. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Error && isUnreachable(error.cause))
}

function unavailable(error: unknown): OpenIdUnavailable {
  return { kind: 'unavailable', reason: messageWithCause(error) }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** An OpenID provider on this machine. It signs in the person whom the test names, and can be made to answer wrongly. */
import type { Instant } from '../../src/lib/time.ts'

export const CLIENT_ID = 'overdue'
export const CLIENT_SECRET = 'a secret of the client'

export interface Consent {
  /** claims of the person; `sub` is `42` by default */
  readonly claims?: Readonly<Record<string, unknown>>
  /** claims that only the user info has */
  readonly more?: Readonly<Record<string, unknown>>
  /** true: another key signs the ID token */
  readonly isForged?: boolean
}

export interface OpenIdProvider {
  /** value for OIDC_ISSUER */
  readonly issuer: string
  /** requests so far, such as `GET /jwks` */
  readonly requests: string[]
  /** additional metadata that it publishes; null: it answers only 503 */
  metadata: Readonly<Record<string, unknown>> | null
  /** Signs a person in at the address. @returns the query of the redirect back */
  authorize(url: string, consent?: Consent): URLSearchParams
  stop(): Promise<void>
}

interface Grant {
  readonly consent: Consent
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const base64url = (data: string | ArrayBuffer) => Buffer.from(data as string).toString('base64url')
const makeKey = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

export async function openProvider(now: () => Instant): Promise<OpenIdProvider> {
  const [own, foreign] = [await makeKey(), await makeKey()]
  const jwk = { ...(await crypto.subtle.exportKey('jwk', own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const requests: string[] = []
  const claimsOf = ({ consent }: Grant) => ({ sub: '42', ...consent.claims })

  const sign = async (claims: object, isForged: boolean) => {
    const head = base64url(JSON.stringify({ alg: 'ES256', kid: 'own' }))
    const text = `${head}.${base64url(JSON.stringify(claims))}`
    const { privateKey } = isForged ? foreign : own
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(text))
    return `${text}.${base64url(signature)}`
  }

  const exchange = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const basic = `Basic ${btoa(`${CLIENT_ID}:${encodeURIComponent(CLIENT_SECRET).replaceAll('%20', '+')}`)}`
    if (request.headers.get('authorization') !== basic)
      return Response.json({ error: 'invalid_client' }, { status: 400 })
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    const verifier = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''))
    const isRight = grant?.challenge === base64url(verifier) && grant.redirectUri === form.get('redirect_uri')
    if (!grant || !isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    grants.delete(code)
    const at = Math.floor(now().epochMilliseconds / 1000)
    const claims = { iss: issuer, aud: CLIENT_ID, iat: at, exp: at + 300, nonce: grant.nonce, ...claimsOf(grant) }
    const token = crypto.randomUUID()
    tokens.set(token, grant)
    const idToken = await sign(claims, grant.consent.isForged === true)
    return Response.json({ access_token: token, token_type: 'Bearer', id_token: idToken })
  }

  let issuer = ''
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url)
      requests.push(`${request.method} ${pathname}`)
      if (provider.metadata === null) return new Response('down', { status: 503 })
      if (pathname === '/jwks') return Response.json({ keys: [jwk] })
      if (pathname === '/token') return exchange(request)
      if (pathname === '/me') {
        const grant = tokens.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
        return grant ? Response.json({ ...claimsOf(grant), ...grant.consent.more }) : new Response('', { status: 401 })
      }
      if (pathname !== '/.well-known/openid-configuration') return new Response('', { status: 404 })
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['ES256'],
        authorization_response_iss_parameter_supported: true,
        ...provider.metadata,
      })
    },
  })
  issuer = `http://127.0.0.1:${server.port}`
  const provider: OpenIdProvider = {
    issuer,
    requests,
    metadata: {},
    authorize(url, consent = {}) {
      const { searchParams: asked } = new URL(url)
      const code = crypto.randomUUID()
      grants.set(code, {
        consent,
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
      })
      return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer })
    },
    stop: () => server.stop(true),
  }
  return provider
}

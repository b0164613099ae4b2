/** A certified OpenID provider, `oidc-provider`, with its own pages for signing in: any name and password are accepted. */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'overdue', secret: 'a secret of the client' }

export interface OpenIdServer {
  stop(): Promise<void>
}

/**
 * Starts a provider. Its issuer is `http://localhost:PORT`, which browsers treat as another site than the server.
 * @param groups of each person, by name; the email is `NAME@example.org`
 * @param redirectUri of the client
 */
export async function openIdServer(
  port: number,
  redirectUri: string,
  groups: Readonly<Record<string, readonly string[]>>,
): Promise<OpenIdServer> {
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    cookies: { keys: ['for tests'] },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.org`,
        email_verified: true,
        groups: [...(groups[id] ?? [])],
      }),
    }),
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, resolve))
  return {
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

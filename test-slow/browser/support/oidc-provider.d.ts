/** Declarations for the tests, because the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface ProviderAccount {
    readonly accountId: string
    readonly claims: () => Readonly<Record<string, unknown>>
  }

  interface ProviderOptions {
    readonly clients: readonly {
      readonly client_id: string
      readonly client_secret: string
      readonly redirect_uris: readonly string[]
    }[]
    /** claims by scope */
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly scopes: readonly string[]
    readonly cookies: { readonly keys: readonly string[] }
    readonly pkce: { readonly required: () => boolean }
    readonly findAccount: (context: unknown, id: string) => ProviderAccount
  }

  export default class Provider {
    constructor(issuer: string, options: ProviderOptions)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}

/** The operator's settings for signing in. */

export interface SignInRules {
  /** true: strangers may create accounts */
  readonly isRegistrationOpen: boolean
  /** false: people can sign in only at the OpenID provider */
  readonly hasLocalSignIn: boolean
  /** the OpenID provider; null: none is set up */
  readonly oidc: OidcProvider | null
  /**
   * rules for passkeys; null: browsers don't allow passkeys at this address, because they require https or localhost (Web Authentication,
   * 5.1.3)
   */
  readonly passkeys: PasskeyRules | null
}

/** An OpenID provider, and what Overdue accepts from it. */
export interface OidcProvider {
  /** issuer URL without a trailing slash, exactly as the provider writes it */
  readonly issuer: string
  readonly clientId: string
  /** secret of the OAuth client; null: a public client, which only PKCE protects */
  readonly clientSecret: string | null
  /** name on the sign-in button */
  readonly name: string
  /** name of the claim that lists a person's groups */
  readonly groupsClaim: string
  /** group whose members are administrators; null: administrators don't depend on groups */
  readonly adminGroup: string | null
  /** true: an account is created when a person signs in for the first time */
  readonly createsAccounts: boolean
}

export interface PasskeyRules {
  /** the domain that passkeys are bound to */
  readonly rpId: string
  /** origin of the pages, such as `https://overdue.example.org` */
  readonly origin: string
}

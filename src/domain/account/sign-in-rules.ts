/** The operator's rules for signing in. */

export interface SignInRules {
  /** true: strangers may create accounts */
  readonly isRegistrationOpen: boolean
  /** false: people sign in at the OpenID provider only */
  readonly hasLocalSignIn: boolean
  /** null: there is none */
  readonly oidc: OidcProvider | null
  /** null: browsers allow no passkeys at this address, since they need https or localhost (Web Authentication, 5.1.3) */
  readonly passkeys: PasskeyRules | null
}

/** An OpenID provider, and the trust in it. */
export interface OidcProvider {
  /** URL without a trailing slash, as it names itself */
  readonly issuer: string
  readonly clientId: string
  /** null: a public client, protected by PKCE alone */
  readonly clientSecret: string | null
  /** shown on the button */
  readonly name: string
  /** the claim that lists a person's groups */
  readonly groupsClaim: string
  /** the group whose members are administrators; null: groups don't decide that */
  readonly adminGroup: string | null
  /** true: a person's first sign-in creates an account */
  readonly createsAccounts: boolean
}

export interface PasskeyRules {
  /** the domain that passkeys are bound to */
  readonly rpId: string
  /** origin of the pages, such as `https://overdue.example.org` */
  readonly origin: string
}

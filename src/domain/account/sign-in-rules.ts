/** How people may get in, as the operator has set it. */

export interface SignInRules {
  /** strangers may make accounts */
  readonly isRegistrationOpen: boolean
  /** false: people sign in at the OpenID provider only */
  readonly hasLocalSignIn: boolean
  /** null: there is none */
  readonly oidc: OidcProvider | null
  /** null: browsers allow no passkeys at this address, since they need https or localhost (Web Authentication, 5.1.3) */
  readonly passkeys: PasskeyRules | null
}

/** An OpenID provider, and what is believed of it. */
export interface OidcProvider {
  /** URL without a trailing slash, as it names itself */
  readonly issuer: string
  readonly clientId: string
  /** null: a public client, protected by PKCE alone */
  readonly clientSecret: string | null
  /** on the button */
  readonly name: string
  /** the claim that lists a person's groups */
  readonly groupsClaim: string
  /** whose members administer; null: groups say nothing about that */
  readonly adminGroup: string | null
  /** true: who signs in for the first time gets an account */
  readonly createsAccounts: boolean
}

export interface PasskeyRules {
  /** the domain that passkeys are bound to */
  readonly rpId: string
  /** of the pages, such as `https://overdue.example.org` */
  readonly origin: string
}

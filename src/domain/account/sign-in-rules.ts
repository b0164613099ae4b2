/** The operator's sign-in settings. */

export interface SignInRules {
  /** true: anyone may create an account */
  readonly isRegistrationOpen: boolean
  /** false: users can sign in only at the OpenID provider */
  readonly hasLocalSignIn: boolean
  /** OpenID provider; null: none is set up */
  readonly oidc: OidcProvider | null
  /**
   * passkey settings; null: browsers don't support passkeys at this address, because it is neither https nor localhost (Web Authentication,
   * 5.1.3)
   */
  readonly passkeys: PasskeyRules | null
}

/** An OpenID provider, and the settings for accounts that use it. */
export interface OidcProvider {
  /** issuer URL without a trailing slash, exactly as the provider writes it */
  readonly issuer: string
  readonly clientId: string
  /** OAuth client secret; null: a public client, which relies on PKCE alone */
  readonly clientSecret: string | null
  /** name on the sign-in button */
  readonly name: string
  /** name of the claim that lists a user's groups */
  readonly groupsClaim: string
  /** group whose members are administrators; null: groups don't make anyone an administrator */
  readonly adminGroup: string | null
  /** true: an account is created when a user without one signs in for the first time */
  readonly createsAccounts: boolean
}

export interface PasskeyRules {
  /** domain that passkeys are bound to */
  readonly rpId: string
  /** origin of the pages, such as `https://overdue.example.org` */
  readonly origin: string
}

import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { problems } from './support.ts'

const PROVIDER = { OIDC_ISSUER: 'https://id.example.org/', OIDC_CLIENT_ID: 'overdue' }
const rulesOf = (environment: Readonly<Record<string, string>>) => readConfig(environment).signInRules

describe('an OpenID provider', () => {
  test('needs an address and an id, and creates accounts unless told otherwise', () => {
    expect(rulesOf(PROVIDER).oidc).toEqual({
      issuer: 'https://id.example.org',
      clientId: 'overdue',
      clientSecret: null,
      name: 'single sign-on',
      groupsClaim: 'groups',
      adminGroup: null,
      createsAccounts: true,
    })
  })

  test('is shown without its secret', () => {
    const { shown } = readConfig({ ...PROVIDER, OIDC_CLIENT_SECRET: 'planted-secret' })
    expect(JSON.stringify(shown)).not.toContain('planted-secret')
  })

  test('is the only way in when local sign-in is off', () => {
    expect(rulesOf({ ...PROVIDER, LOCAL_SIGN_IN: 'False' }).hasLocalSignIn).toBe(false)
  })

  test.each([
    [
      { OIDC_ISSUER: 'https://id.example.org' },
      'OIDC_CLIENT_ID: is not set; register this server at the provider and set the id that it gives',
    ],
    [
      { OIDC_CLIENT_ID: 'overdue' },
      'OIDC_ISSUER: is not set; set it to the address of the provider, or unset OIDC_CLIENT_ID',
    ],
    [
      { ...PROVIDER, OIDC_ISSUER: 'http://id.example.org' },
      'OIDC_ISSUER: must begin with https://, because it decides who signs in',
    ],
    [
      { LOCAL_SIGN_IN: 'False' },
      'LOCAL_SIGN_IN: is False, but no OpenID provider is set; set OIDC_ISSUER, or unset LOCAL_SIGN_IN',
    ],
  ])('of %j is refused with one reason', (environment, problem) => {
    expect(problems(environment)).toEqual([problem])
  })
})

describe('passkeys', () => {
  test.each([
    [{ SITE_ROOT: 'https://overdue.example.org/on' }, 'overdue.example.org', 'https://overdue.example.org'],
    [{ SITE_ROOT: 'https://overdue.example.org', RP_ID: 'Example.org' }, 'example.org', 'https://overdue.example.org'],
    [{ SITE_ROOT: 'http://localhost:8000' }, 'localhost', 'http://localhost:8000'],
  ])('with %j are bound to %s', (environment, rpId, origin) => {
    expect(rulesOf(environment).passkeys).toEqual({ rpId, origin })
  })

  test.each(['http://overdue.example.org', 'http://192.0.2.1:8000', 'https://192.0.2.1', 'https://[2001:db8::1]'])(
    'are not possible at %s',
    (siteRoot) => {
      expect(rulesOf({ SITE_ROOT: siteRoot }).passkeys).toBeNull()
    },
  )

  test('are refused for a domain that is none of the host', () => {
    expect(problems({ SITE_ROOT: 'https://overdue.example.org', RP_ID: 'ample.org' })).toEqual([
      'RP_ID: "ample.org" is neither the host of SITE_ROOT, overdue.example.org, nor a domain above it',
    ])
  })
})

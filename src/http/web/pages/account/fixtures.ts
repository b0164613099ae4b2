/** Test requests for the account pages. */
import type { Fixtures } from '../../fixture.ts'

export const accountFixtures: Fixtures = {
  'GET /account': { for: 'people' },
  'POST /account': { for: 'people', form: { tz: 'Europe/Riga', theme: 'dark' } },
  'GET /account/reports': { for: 'people' },
  'POST /account/reports': { for: 'people', form: { action: 'all-off' } },
  'GET /account/security': { for: 'people' },
  'GET /account/security/password': { for: 'people' },
  'POST /account/security/password': { for: 'people', form: { password: '{password}' }, isOnce: true },
  'GET /account/security/passkeys/new': { for: 'people' },
  'POST /account/security/passkeys/new': { for: 'people', status: 422, form: { name: 'Laptop', passkey: '{}' } },
  'POST /account/security/passkeys/new/passkey-options': { for: 'people', status: 200 },
  // No passkey has this id, so the server responds with 404.
  'GET /account/security/passkeys/:passkey': { for: 'people', status: 404, at: '/account/security/passkeys/unknown' },
  'POST /account/security/passkeys/:passkey': {
    for: 'people',
    status: 404,
    at: '/account/security/passkeys/unknown',
    form: { action: 'remove' },
  },
  'GET /account/security/authenticator': { for: 'people' },
  // The user has not started setting up an authenticator app.
  'POST /account/security/authenticator': { for: 'people', status: 422, form: { code: '123456' } },
  'GET /account/security/authenticator/remove': { for: 'people' },
  'POST /account/security/authenticator/remove': { for: 'people' },
  'GET /account/security/recovery-codes': { for: 'people' },
  // Only accounts with an authenticator app have recovery codes.
  'POST /account/security/recovery-codes': { for: 'people' },
  'GET /account/sessions': { for: 'people' },
  'POST /account/sessions': { for: 'people' },
  'GET /account/email': { for: 'people' },
  'POST /account/email': { for: 'people', status: 200, form: { email: '{n}@example.org' }, isOnce: true },
  // The link belongs to another user.
  'GET /account/email/:token': { for: 'people', status: 404, at: '{link:email}' },
  'POST /account/email/:token': { for: 'people', status: 404, at: '{link:email}' },
  'GET /account/close': { for: 'people' },
  // The form does not contain the account's email address.
  'POST /account/close': { for: 'people', status: 422 },
  // Signed-in users are redirected immediately.
  'GET /sign-in/oidc': { for: 'everybody', status: 303, but: { stranger: 503 } },
  'GET /sign-in/oidc/callback': { for: 'everybody', status: 422, at: '/sign-in/oidc/callback?code=x&state=y' },
  'GET /account/security/single-sign-on': { for: 'people' },
  'POST /account/security/single-sign-on': {
    for: 'people',
    form: { action: 'unlink', issuer: 'https://id.example.org', subject: '42' },
  },
  // In this test, nobody has signed in through the OpenID provider.
  'GET /account/security/single-sign-on/link': { for: 'people', status: 303 },
  'POST /account/security/single-sign-on/link': { for: 'people', form: { action: 'drop' } },
}

/** Test requests for the sign-in pages. */
import type { Fixtures } from '../../fixture.ts'

export const signInFixtures: Fixtures = {
  'GET /sign-in': { for: 'everybody', status: 303, but: { stranger: 200 } },
  // The server rejects a passkey unless the browser has requested options first.
  'POST /sign-in/passkey-options': { for: 'everybody', status: 200 },
  'POST /sign-in': { for: 'everybody', form: { email: 'walker@example.org', password: '{password}' }, isOnce: true },
  'POST /sign-out': { for: 'everybody', isOnce: true },
  'GET /sign-in/link': { for: 'everybody' },
  'POST /sign-in/link': { for: 'everybody', status: 200, form: { email: '{n}@example.org' }, isOnce: true },
  'GET /sign-in/link/:token': { for: 'everybody', at: '{link:sign-in}' },
  'POST /sign-in/link/:token': { for: 'everybody', at: '{link:sign-in}', isOnce: true },
  // In this test, no sign-in is waiting for a second factor.
  'GET /sign-in/code': { for: 'everybody', status: 303 },
  'POST /sign-in/code': { for: 'everybody', form: { code: '123456' } },
  'POST /sign-in/code/passkey-options': { for: 'everybody', status: 401 },
  'GET /password': { for: 'everybody' },
  'POST /password': { for: 'everybody', status: 200, form: { email: '{n}@example.org' }, isOnce: true },
  'GET /password/:token': { for: 'everybody', at: '{link:password}' },
  'POST /password/:token': { for: 'everybody', at: '{link:password}', form: { password: '{password}' }, isOnce: true },
}

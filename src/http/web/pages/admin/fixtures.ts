/** Test requests for the administration pages. */
import type { Fixtures } from '../../fixture.ts'

export const adminFixtures: Fixtures = {
  'GET /admin': { for: 'administrators' },
  'GET /admin/accounts': { for: 'administrators' },
  'GET /admin/accounts/new': { for: 'administrators' },
  'POST /admin/accounts/new': { for: 'administrators', form: { email: 'made-{n}@example.org' } },
  'GET /admin/accounts/:account': { for: 'administrators' },
  'POST /admin/accounts/:account': { for: 'administrators', form: { action: 'suspend' } },
  'GET /admin/accounts/:account/link': { for: 'administrators' },
  'GET /admin/accounts/:account/delete': { for: 'administrators' },
  // The form does not contain the account's email address.
  'POST /admin/accounts/:account/delete': { for: 'administrators', status: 422, form: { confirm: 'somebody else' } },
  'GET /admin/projects': { for: 'administrators' },
  'GET /admin/backups': { for: 'administrators' },
  'POST /admin/backups': { for: 'administrators' },
  'GET /admin/backups/download': { for: 'administrators', status: 303 },
  // The form does not specify a file.
  'POST /admin/backups/download': { for: 'administrators', status: 404 },
  'GET /admin/import': { for: 'administrators' },
  // The form contains no file.
  'POST /admin/import': { for: 'administrators', status: 422 },
  'GET /admin/import/apply': { for: 'administrators', status: 303 },
  'POST /admin/import/apply': { for: 'administrators', status: 409 },
  'POST /admin/import/discard': { for: 'administrators' },
  'GET /admin/mail': { for: 'administrators' },
  // In the tests, the mail server is set by environment variables, which take precedence.
  'POST /admin/mail': { for: 'administrators', status: 403, form: { host: 'mail.example.org' } },
  'GET /admin/settings': { for: 'administrators' },
  'GET /admin/instances': { for: 'administrators' },
}

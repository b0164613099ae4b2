/** Test requests for the project settings pages. */
import type { Fixtures } from '../../fixture.ts'

export const settingsFixtures: Fixtures = {
  'GET /p/:project/settings': { for: 'write' },
  'POST /p/:project/settings': { for: 'own', form: { name: 'Harbour Books {n}', limit: '100' } },
  'POST /p/:project/settings/keys': { for: 'write', form: { 'key-name': 'deploy', 'key-kind': 'read-write' } },
  'GET /p/:project/settings/keys/created': { for: 'write' },
  'GET /p/:project/settings/keys/:key/revoke': { for: 'write', at: '/p/{project}/settings/keys/{api-key}/revoke' },
  'POST /p/:project/settings/keys/:key/revoke': { for: 'write', at: '/p/{project}/settings/keys/{api-key}/revoke' },
  'GET /p/:project/settings/ping-key': { for: 'write' },
  'POST /p/:project/settings/ping-key': { for: 'write' },
  'POST /p/:project/settings/ping-keys': { for: 'write' },
  'GET /p/:project/settings/ping-keys/:key/revoke': {
    for: 'write',
    at: '/p/{project}/settings/ping-keys/{ping-key}/revoke',
  },
  'POST /p/:project/settings/ping-keys/:key/revoke': {
    for: 'write',
    at: '/p/{project}/settings/ping-keys/{ping-key}/revoke',
  },
  'GET /p/:project/settings/export': { for: 'own' },
  'POST /p/:project/settings/export': { for: 'own', status: 200 },
  'GET /p/:project/settings/delete': { for: 'own' },
  // The form does not contain the project's name.
  'POST /p/:project/settings/delete': { for: 'own', status: 422, form: { confirm: 'something else' } },
}

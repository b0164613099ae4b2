/** Test requests for the team pages. */
import type { Fixtures } from '../../fixture.ts'

export const teamFixtures: Fixtures = {
  'GET /p/:project/team': { for: 'read' },
  'GET /p/:project/team/invitations': { for: 'manage', status: 303 },
  'POST /p/:project/team/invitations': { for: 'manage', form: { role: 'member' } },
  'POST /p/:project/team/invitations/revoke': { for: 'manage' },
  'GET /p/:project/team/invitations/created': { for: 'manage' },
  'GET /p/:project/team/members/:account': { for: 'manage', at: '/p/{project}/team/members/{member}' },
  'POST /p/:project/team/members/:account': {
    for: 'manage',
    at: '/p/{project}/team/members/{member}',
    form: { role: 'read-only' },
  },
  'POST /p/:project/team/members/:account/remove': { for: 'manage', at: '/p/{project}/team/members/{member}/remove' },
  'GET /p/:project/team/leave': { for: 'read' },
  // The administrator isn't a member of any project.
  'POST /p/:project/team/leave': { for: 'read', but: { administrator: 422 }, isOnce: true },
  'GET /p/:project/team/ownership': { for: 'own' },
  // The form does not specify a member.
  'POST /p/:project/team/ownership': { for: 'own', status: 422, form: { to: 'nobody' } },
  // No offer is open.
  'POST /p/:project/team/ownership/accept': { for: 'people', status: 404 },
  'POST /p/:project/team/ownership/end': { for: 'people', status: 404 },
}

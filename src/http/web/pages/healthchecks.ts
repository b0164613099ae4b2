/**
 * Redirects from the page URLs that Healthchecks uses, which may still be in bookmarks, scripts and emails. Healthchecks' alerts link to
 * `/cloaked/`.
 */

import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import {
  type FoundCheck,
  findCheckById,
  findCheckByKey,
  findProjectById,
} from '../../../services/accounts/addresses.ts'
import { localPath, projectPath } from '../href.ts'
import type { Page, PageDeps } from '../page.ts'
import type { Route } from '../route.ts'
import { accountRoute, publicRoute } from './new-route.ts'

export const page: Page = {
  routes: healthchecksRoutes,
  fixtures: {
    'GET /accounts/login': { for: 'everybody', status: 303 },
    'GET /projects/:id/checks': { for: 'read', status: 303, at: '/projects/{project-id}/checks/' },
    'GET /checks/:id/details': { for: 'read', status: 303, at: '/checks/{check-id}/details/' },
    'GET /checks/:id/log': { for: 'read', status: 303, at: '/checks/{check-id}/log/' },
    'GET /cloaked/:id': { for: 'read', status: 303, at: '/cloaked/{check-key}/' },
  },
}

function healthchecksRoutes(deps: PageDeps): readonly Route[] {
  const lead = (path: string, find: (person: Person, id: string) => Promise<string | null>): Route =>
    accountRoute('GET', path, async ({ person, params }) => {
      const to = await find(person, params.id ?? '')
      if (to === null) throw new Refusal('not-found', 'not found')
      return { kind: 'redirect', to }
    })
  const pathOf = (found: FoundCheck | null, more = '') =>
    found && `${projectPath(found.actor.project.slug, `checks/${found.publicId}`)}${more}`
  return [
    LOGIN,
    lead('/projects/:id/checks', async (person, id) => {
      const actor = await findProjectById(deps, person, id)
      return actor && projectPath(actor.project.slug, 'checks')
    }),
    lead('/checks/:id/details', async (person, id) => pathOf(await findCheckById(deps, person, id))),
    lead('/checks/:id/log', async (person, id) => pathOf(await findCheckById(deps, person, id), '/log')),
    lead('/cloaked/:id', async (person, key) => pathOf(await findCheckByKey(deps, person, key))),
  ]
}

const LOGIN: Route = publicRoute('GET', '/accounts/login', ({ url }) => {
  const next = localPath(url.searchParams.get('next'))
  return { kind: 'redirect', to: next === null ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}` }
})

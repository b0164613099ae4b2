/** The wall display pages. */
import type { Page } from '../../page.ts'
import { wallView } from './live.ts'
import { wallActors, wallRoutes } from './routes.ts'

export const page = {
  routes: wallRoutes,
  liveOfAll: {
    async wall(deps, { person, account, url }) {
      const { actors } = await wallActors(deps, person, url.searchParams)
      return { view: wallView(deps, actors, account.tz), projectIds: actors.map(({ project }) => project.id) }
    },
  },
  fixtures: {
    'GET /wall': { for: 'read', at: '/wall?p={project}' },
    'GET /tv': { for: 'everybody', at: '/tv/', cache: 'public, max-age=60' },
    // This route does not load a session.
    'GET /tv/part': { for: 'everybody', status: 401 },
  },
} satisfies Page

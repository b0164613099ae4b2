/** Walls. */
import type { Page } from '../../page.ts'
import { wallView } from './live.ts'
import { wallActors, wallRoutes } from './routes.ts'

export const wallPage = {
  routes: wallRoutes,
  liveOfAll: {
    async wall(deps, { person, account, url }) {
      const { actors } = await wallActors(deps, person, url.searchParams)
      return { view: wallView(deps, actors, account.tz), projectIds: actors.map(({ project }) => project.id) }
    },
  },
} satisfies Page

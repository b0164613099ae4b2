/** `/night`: how the night went, over all projects of the reader. */
import { readNight } from '../../../../services/overview/night.ts'
import { contextOf } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'
import { nightPage } from './page.ts'
import { readNightQuery } from './query.ts'

export function nightRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute(
      'GET',
      '/night',
      async (visit) => {
        const { person, account, url } = visit
        const context = contextOf(deps, visit)
        const query = readNightQuery(url.searchParams, context.now.epochMilliseconds, account.tz)
        const read = await deps.longReads.during(person, () =>
          readNight(deps, person, query.window, account.tz, context.now),
        )
        // It takes some milliseconds for many checks.
        return deps.eventLoop.step(async () => nightPage(read, query, context))
      },
      { isPacked: true },
    ),
  ]
}

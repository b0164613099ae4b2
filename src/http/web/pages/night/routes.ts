/** `/night`: shows the night in all projects that the reader may see. */
import { contextOf } from '../../context.ts'
import type { PageDeps } from '../../page.ts'
import type { Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'
import { nightPage } from './page.ts'
import { readNightQuery } from './query.ts'
import { readShownNight } from './shown-night.ts'

export function nightRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute(
      'GET',
      '/night',
      async (visit) => {
        const { person, account, url } = visit
        const context = contextOf(deps, visit)
        const query = readNightQuery(url.searchParams, context.now.epochMilliseconds, account.tz)
        const shown = await deps.longReads.during(person, () => readShownNight(deps, visit, query, context))
        // For many checks, rendering takes several milliseconds.
        return deps.eventLoop.step(async () => nightPage(shown, context))
      },
      { isPacked: true },
    ),
  ]
}

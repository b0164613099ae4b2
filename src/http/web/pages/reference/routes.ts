/** `/docs/api` and `/docs/api/overdue`: the reference pages for both APIs. Each page is built the first time it is requested. */

import type { PageDeps } from '../../page.ts'
import type { ReferenceContent, Route } from '../../route.ts'
import { publicRoute } from '../new-route.ts'

const CACHED_SECONDS = 60

type Pages = typeof import('./page.ts')

export function referenceRoutes(deps: PageDeps): readonly Route[] {
  return [
    referenceRoute('/docs/api', ({ referencePage }) => referencePage(deps)),
    referenceRoute('/docs/api/overdue', ({ ownReferencePage }) => ownReferencePage(deps)),
  ]
}

function referenceRoute(path: string, build: (pages: Pages) => ReferenceContent): Route {
  let page: Promise<ReferenceContent> | undefined
  const answer = async () => {
    page ??= import('./page.ts').then(build).catch((error) => {
      // If building the page fails, forget the promise, so that it is built again on the next request.
      page = undefined
      throw error
    })
    return await page
  }
  return publicRoute('GET', path, answer, { cache: { seconds: CACHED_SECONDS } })
}

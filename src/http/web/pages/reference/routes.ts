/** `/docs/api`: the reference of the API, built at the first request. */

import type { PageDeps } from '../../page.ts'
import type { ReferenceContent, Route } from '../../route.ts'
import { publicRoute } from '../new-route.ts'

const CACHED_SECONDS = 60

export function referenceRoutes(deps: PageDeps): readonly Route[] {
  let page: Promise<ReferenceContent> | undefined
  return [
    publicRoute(
      'GET',
      '/docs/api',
      async () => {
        page ??= write(deps).catch((error) => {
          // The next request tries again.
          page = undefined
          throw error
        })
        return await page
      },
      { cache: { seconds: CACHED_SECONDS } },
    ),
  ]
}

async function write(deps: PageDeps): Promise<ReferenceContent> {
  const { referencePage } = await import('./page.ts')
  return referencePage(deps)
}

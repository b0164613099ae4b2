/** `/docs/api`: the reference of the API, built at the first request. */

import type { Deps } from '../../../../services/common/deps.ts'
import type { ReferenceContent, Route } from '../../route.ts'
import { publicRoute } from '../new-route.ts'

const CACHED_SECONDS = 60

export function referenceRoutes(deps: Pick<Deps, 'site' | 'v3Flips'>): readonly Route[] {
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
        return { kind: 'page', page: await page }
      },
      { cache: { seconds: CACHED_SECONDS } },
    ),
  ]
}

async function write(deps: Pick<Deps, 'site' | 'v3Flips'>): Promise<ReferenceContent> {
  const { referencePage } = await import('./page.ts')
  return referencePage(deps)
}

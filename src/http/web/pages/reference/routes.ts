/** `/docs/api`: the reference of the API, built at the first request. */
import type { Deps } from '../../../../services/common/deps.ts'
import type { ReferenceContent, Route } from '../../route.ts'

const CACHED_SECONDS = 60

export function referenceRoutes(deps: Pick<Deps, 'site' | 'v3Flips'>): readonly Route[] {
  let page: Promise<ReferenceContent> | undefined
  return [
    {
      method: 'GET',
      path: '/docs/api',
      access: 'public',
      cache: { seconds: CACHED_SECONDS },
      async answer() {
        page ??= write(deps).catch((error) => {
          // The next request tries again.
          page = undefined
          throw error
        })
        return { kind: 'page', page: await page }
      },
    },
  ]
}

async function write(deps: Pick<Deps, 'site' | 'v3Flips'>): Promise<ReferenceContent> {
  const { referencePage } = await import('./page.ts')
  return referencePage(deps)
}

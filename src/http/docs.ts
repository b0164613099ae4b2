/** `/docs/api`: the reference page of the API, built at the first request. */
import { Elysia } from 'elysia'
import type { Deps } from '../services/deps.ts'
import { type Page, pageAnswer } from './pages/page.ts'
import { requireReading } from './read-only.ts'

export function docs(deps: Pick<Deps, 'site' | 'v3Flips'>) {
  let page: Promise<Page> | undefined
  return new Elysia().all(
    '/docs/api',
    async ({ request }) => {
      requireReading(request)
      page ??= write(deps).catch((error) => {
        // The next request tries again.
        page = undefined
        throw error
      })
      return pageAnswer(await page)
    },
    { parse: 'none', detail: { hide: true } },
  )
}

async function write(deps: Pick<Deps, 'site' | 'v3Flips'>): Promise<Page> {
  const { referencePage } = await import('./openapi/reference-page.ts')
  return referencePage(deps)
}

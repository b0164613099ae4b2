/** `/docs/api`: the reference page of the API, made when it is first asked for. */
import { Elysia } from 'elysia'
import type { Deps } from '../services/deps.ts'
import { type Page, pageAnswer } from './page.ts'
import { requireReading } from './probe.ts'

export function docs(deps: Pick<Deps, 'site' | 'v3Flips'>) {
  let page: Promise<Page> | undefined
  return new Elysia().all(
    '/docs/api',
    async ({ request }) => {
      requireReading(request)
      page ??= write(deps).catch((error) => {
        // The next one who asks tries again.
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

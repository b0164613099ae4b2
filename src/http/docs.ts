/** `/docs/api`: the reference page of the API, made when it is first asked for. */
import { Elysia } from 'elysia'
import type { Deps } from '../services/deps.ts'
import { type Page, pageAnswer } from './page.ts'
import { requireReading } from './probe.ts'

export function docs({ site }: Pick<Deps, 'site'>) {
  let page: Promise<Page> | undefined
  return new Elysia().all(
    '/docs/api',
    async ({ request }) => {
      requireReading(request)
      page ??= write(site).catch((error) => {
        // The next one who asks tries again.
        page = undefined
        throw error
      })
      return pageAnswer(await page)
    },
    { parse: 'none', detail: { hide: true } },
  )
}

async function write(site: Deps['site']): Promise<Page> {
  const { referencePage } = await import('./openapi/reference-page.ts')
  return referencePage(site)
}

/** `/`: what a person finds who opens the server's address in a browser. */
import { Elysia } from 'elysia'
import type { Deps } from '../services/deps.ts'
import { html } from './html.ts'
import { pageAnswer } from './page.ts'
import { requireReading } from './probe.ts'

export function home({ site }: Pick<Deps, 'site'>) {
  const { siteRoot } = site.links
  const body = html`<p>This server tells when a job did not run. It works, and it has no pages for checks yet: use its API or its command line.</p>
<p><a href="${siteRoot}/docs/api">API reference</a></p>
<p><a href="${siteRoot}/readyz">How the server is</a></p>`
  return new Elysia().all(
    '/',
    ({ request }) => {
      requireReading(request)
      return pageAnswer({ title: site.name, siteName: 'Overdue', body })
    },
    { parse: 'none', detail: { hide: true } },
  )
}

/** `/`: the page for people who open the server's address in a browser. */
import { Elysia } from 'elysia'
import type { Deps } from '../../services/deps.ts'
import { requireReading } from '../read-only.ts'
import { html } from './html.ts'
import { pageAnswer } from './page.ts'

export function home({ site }: Pick<Deps, 'site'>) {
  const { siteRoot } = site.links
  const body = html`<p>Overdue is running. It sends an alert when a job did not run. There are no pages for checks yet: use the API or the command line.</p>
<p><a href="${siteRoot}/docs/api">API reference</a></p>
<p><a href="${siteRoot}/readyz">Server status</a></p>`
  return new Elysia().all(
    '/',
    ({ request }) => {
      requireReading(request)
      return pageAnswer({ title: site.name, siteName: 'Overdue', body })
    },
    { parse: 'none', detail: { hide: true } },
  )
}

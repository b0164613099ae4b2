/** `/`: the page for people who open the server's address in a browser. */
import { html } from '../html.ts'
import { linkButton } from '../parts/buttons.ts'
import type { PageContent, PageSite, Route } from '../route.ts'

export const HOME_ROUTE: Route = {
  method: 'GET',
  path: '/',
  access: 'public',
  cache: 'no-store',
  answer: ({ site }) => ({ kind: 'page', page: homePage(site) }),
}

function homePage({ name, href }: PageSite): PageContent {
  return {
    layout: 'gate',
    title: name,
    body: html`<p>Overdue is running. It sends an alert when a job did not run. There are no pages for checks yet: use the API or the command line.</p>
<p class="acts">${linkButton({ text: 'API reference', href: href('/docs/api') })}${linkButton({ text: 'Server status', href: href('/readyz') })}</p>`,
  }
}

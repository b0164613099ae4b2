/** `/`: leads to the pages, or says how to get the first account. */
import { needsFirstAccount } from '../../../services/accounts/first-account.ts'
import type { Deps } from '../../../services/deps.ts'
import { START } from '../enter.ts'
import { html } from '../html.ts'
import { linkButton } from '../parts/buttons.ts'
import type { PageContent, PageSite, Route } from '../route.ts'

export function homeRoute(deps: Pick<Deps, 'store'>): Route {
  return {
    method: 'GET',
    path: '/',
    access: 'visitor',
    cache: 'no-store',
    async answer({ identity, site }) {
      if (identity) return { kind: 'redirect', to: START }
      if (!(await needsFirstAccount(deps))) return { kind: 'redirect', to: '/sign-in' }
      return { kind: 'page', page: noAccountPage(site) }
    },
  }
}

function noAccountPage({ name, href }: PageSite): PageContent {
  return {
    layout: 'gate',
    title: name,
    heading: 'Overdue is running',
    body: html`<p>Nobody has an account yet. The server has printed a link for the first one when it started.</p>
<p>Whoever runs the server gets a new link by <code>overdue account link</code>.</p>
<p class="acts">${linkButton({ text: 'API reference', href: href('/docs/api') })}</p>`,
  }
}
